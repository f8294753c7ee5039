// The whole flow on one page: read, split, audit, score, measure.
//
// Command:
//   build/dev/examples/embed example
//
// Expected result:
//   example: 1500 nodes, 10000 links
//   strict split: 8500 training, 1000 test links; nothing leaks
//   Adamic-Adar: AUC 0.6396, MRR 0.0224
//
// Instead of `example`, name a dataset, a folder or a file. Outside of this project, build it with
// find_package(disenlink) and the target disenlink::disenlink.
#include <disenlink/disenlink.h>

#include <cstdio>
#include <exception>

namespace {

long long as_printed(int64_t count) { return static_cast<long long>(count); }

void run(const char* name_or_path) {
  const disenlink::Graph graph = disenlink::load_dataset(name_or_path);
  std::printf("%s: %lld nodes, %lld links\n", graph.name().c_str(), as_printed(graph.num_nodes()),
              as_printed(graph.adjacency().num_pairs()));

  const disenlink::EdgeSplit split =
      disenlink::split_edges(graph, {.protocol = disenlink::Protocol::kStrict, .seed = 1});
  const disenlink::SplitAudit audit = disenlink::audit_split(split, &graph.adjacency());
  std::printf("strict split: %zu training, %zu test links; %s\n", split.train.positives.size(),
              split.test.positives.size(), audit.leaks() ? "it leaks" : "nothing leaks");

  const disenlink::MessageGraph training_links = split.message_graph();
  const auto model = disenlink::find_model("aa").make({});
  model->encode(training_links, graph.features());
  const disenlink::Metrics metrics = disenlink::evaluate(*model, split.test, graph.names());
  std::printf("Adamic-Adar: AUC %.4f, MRR %.4f\n", metrics.auc, metrics.mrr);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(count > 1 ? arguments[1] : "example");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "embed: %s\n", error.what());
    return 1;
  }
}
