#include "models/baselines/learned.h"

#include "models/registry.h"

namespace disenlink::detail {
namespace {

constexpr ModelInfo kLearned[] = {
    {"seal", "SEAL", "Zhang and Chen 2018", "A network on the subgraph around each pair", new_seal},
    {"vgae", "VGAE", "Kipf and Welling 2016", "Variational autoencoder on a two-layer GCN",
     new_vgae},
    {"argva", "ARGVA", "Pan, Hu, Long, Jiang, Yao and Zhang 2018",
     "VGAE whose codes an adversary compares with a normal", new_argva},
    {"gpr-gnn", "GPR-GNN", "Chien, Peng, Li and Milenkovic 2021",
     "Learned weights for neighbourhoods of each distance", new_gpr_gnn},
    {"fagcn", "FAGCN", "Bo, Wang, Shi and Shen 2021",
     "Neighbours add or subtract, by a learned gate", new_fagcn},
    {"linkx", "LINKX", "Lim, Hohne, Li, Huang, Gupta, Bhalerao and Lim 2021",
     "Rows of the adjacency and features, each through a layer, then joined", new_linkx},
    {"gat", "GAT", "Velickovic, Cucurull, Casanova, Romero, Lio and Bengio 2018",
     "Neighbours weighted by attention", new_gat},
    {"disengcn", "DisenGCN", "Ma, Cui, Kuang, Wang and Zhu 2019",
     "Neighbours are routed to channels", new_disengcn},
    {"factorgnn", "FactorGNN", "Yang, Feng, Song and Wang 2020",
     "Links are divided among factor graphs by learned gates", new_factor_gnn},
};

[[maybe_unused]] const bool kIsAdded = add_models(kLearned);

}  // namespace
}  // namespace disenlink::detail
