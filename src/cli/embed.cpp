// disenlink embed: the vectors of the nodes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/folder_target.h"
#include "cli/table.h"
#include "cli/trained_verb.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/json_text.h"
#include "core/output_file.h"
#include "data/csv_field.h"
#include "data/numpy.h"
#include "models/disenlink/model.h"

namespace disenlink::cli {
namespace {

namespace fs = std::filesystem;

class Embed : public TrainedVerb {
 public:
  Embed() : TrainedVerb("embed", "Write the nodes' vectors, before (z) and after messages (h)") {
    options().add({.name = "what",
                   .help = "Vectors to write",
                   .target = &what_,
                   .allowed = {"z", "h", "both"}});
    options().add({.name = "as",
                   .help = "numpy arrays with a table of node names, or csv with names",
                   .target = &as_,
                   .allowed = {"npy", "csv"}});
    out_.add_options(options(), false);
  }

  int run() override {
    out_.require("disenlink embed FOLDER --out FOLDER");
    const ModelFolder trained = load();
    const auto* model = dynamic_cast<const detail::DisenLinkModel*>(&trained.model());
    if (model == nullptr) {
      detail::fail("this model has no vectors of nodes");
    }
    detail::OutputFolder folder(out_.path(), out_.force());
    const auto& network = model->network();
    nlohmann::ordered_json written = nlohmann::ordered_json::array();
    for (const std::string name : {"z", "h"}) {
      if (what_ == name || what_ == "both") {
        write(name, name == "z" ? network.z() : network.h(), network.shape(), trained.graph(),
              folder.staging());
        written.push_back(name + "." + as_);
      }
    }
    if (as_ == "npy") {
      write_names(trained.graph(), folder.staging());
    }
    folder.commit();
    print(json_ ? detail::json_text({{"folder", out_.path()}, {"files", written}})
                : fmt::format("{}: {} nodes, {} factors of {} values\n", out_.path(),
                              grouped(network.shape().nodes), network.shape().factors,
                              network.shape().width));
    return kDone;
  }

 private:
  void write(const std::string& name, std::span<const float> values,
             const detail::FactorShape& shape, const Graph& graph, const fs::path& folder) const {
    if (as_ == "npy") {
      const auto features = Features::dense(shape.nodes, shape.row(),
                                            std::vector<float>(values.begin(), values.end()));
      fs::rename(folder / detail::write_features(features, folder), folder / (name + ".npy"));
      return;
    }
    detail::OutputFile file(folder / (name + ".csv"));
    std::string header = "id";
    for (int64_t factor = 0; factor < shape.factors; ++factor) {
      for (int64_t i = 0; i < shape.width; ++i) {
        header += fmt::format(",{}{}_{}", name, factor, i);
      }
    }
    file.write(header + "\n");
    for (int64_t node = 0; node < shape.nodes; ++node) {
      std::string line = detail::csv_field(graph.names().name(node), "node name");
      for (int64_t i = 0; i < shape.row(); ++i) {
        line += fmt::format(",{}", values[node * shape.row() + i]);
      }
      file.write(line + "\n");
    }
    file.commit();
  }

  static void write_names(const Graph& graph, const fs::path& folder) {
    detail::OutputFile file(folder / "nodes.csv");
    file.write("id\n");
    for (int64_t node = 0; node < graph.num_nodes(); ++node) {
      file.write(detail::csv_field(graph.names().name(node), "node name") + "\n");
    }
    file.commit();
  }

  std::string what_ = "h";
  std::string as_ = "npy";
  FolderTarget out_;
};

}  // namespace

std::unique_ptr<Verb> make_embed() { return std::make_unique<Embed>(); }

}  // namespace disenlink::cli
