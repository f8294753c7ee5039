#include <disenlink/disenlink.h>

#include <cstdio>
#include <utility>

int main() {
  disenlink::GraphParts parts;
  parts.name = "triangle";
  parts.num_nodes = 3;
  parts.arcs = {{0, 1}, {1, 2}, {2, 0}};
  const disenlink::Graph graph(std::move(parts));
  const float positives[] = {2, 0};
  const float negatives[] = {1, 0};
  std::printf("%lld links, AUC %g\n", static_cast<long long>(graph.adjacency().num_pairs()),
              disenlink::compute_metrics(positives, negatives).auc);
}
