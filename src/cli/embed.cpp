// disenlink embed: the vectors of the nodes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/folder_target.h"
#include "cli/table.h"
#include "cli/trained_verb.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/finite.h"
#include "core/json_text.h"
#include "core/output_file.h"
#include "data/csv_field.h"
#include "data/numpy.h"

namespace disenlink::cli {
namespace {

namespace fs = std::filesystem;

class Embed : public TrainedVerb {
 public:
  Embed() : TrainedVerb("embed", "Write the nodes' vectors, before (z) and after messages (h)") {
    options().add({.name = "what",
                   .help = "Vectors to write; else those that the score uses",
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
    const std::vector<NodeVectors> wanted = choose(trained);
    detail::OutputFolder folder(out_.path(), out_.force(), {"[zh].npy", "[zh].csv", "nodes.csv"});
    nlohmann::ordered_json written = nlohmann::ordered_json::array();
    for (const NodeVectors& vectors : wanted) {
      write(vectors, trained.graph(), folder.staging());
      written.push_back(fmt::format("{}.{}", vectors.name, as_));
    }
    if (as_ == "npy") {
      write_names(trained.graph(), folder.staging());
    }
    folder.commit();
    print(json_ ? detail::json_text({{"folder", out_.path()}, {"files", written}})
                : fmt::format("{}: {} nodes, {} {} of {} values\n", out_.path(),
                              grouped(trained.graph().num_nodes()), wanted.front().factors,
                              wanted.front().factors == 1 ? "vector" : "factors",
                              wanted.front().width));
    return kDone;
  }

 private:
  std::vector<NodeVectors> choose(const ModelFolder& trained) const {
    std::vector<NodeVectors> all = trained.model().vectors();
    const std::string& model = trained.source().learning().model_name();
    if (all.empty()) {
      detail::fail("{} looks at pairs and has no vectors of single nodes", model);
    }
    if (what_ == "both" && all.size() > 1) {
      return all;
    }
    for (const NodeVectors& vectors : all) {
      if (vectors.name == what_) {
        return {vectors};
      }
    }
    if (!what_.empty()) {
      detail::fail_usage("--what: {} given, but {} has one kind of vectors: {}", what_, model,
                         all.front().name);
    }
    return {all.back()};
  }

  void write(const NodeVectors& vectors, const Graph& graph, const fs::path& folder) const {
    const std::string name(vectors.name);
    const int64_t row = vectors.factors * vectors.width;
    if (!detail::all_finite(vectors.values)) {
      detail::fail("{} holds values that are not finite; the model's weights are far too large",
                   name);
    }
    if (as_ == "npy") {
      const auto features = Features::dense(
          graph.num_nodes(), row, std::vector<float>(vectors.values.begin(), vectors.values.end()));
      fs::rename(folder / detail::write_features(features, folder), folder / (name + ".npy"));
      return;
    }
    detail::OutputFile file(folder / (name + ".csv"));
    std::string header = "id";
    for (int64_t factor = 0; factor < vectors.factors; ++factor) {
      for (int64_t i = 0; i < vectors.width; ++i) {
        header += vectors.factors == 1 ? fmt::format(",{}_{}", name, i)
                                       : fmt::format(",{}{}_{}", name, factor, i);
      }
    }
    file.write(header + "\n");
    for (int64_t node = 0; node < graph.num_nodes(); ++node) {
      std::string line = detail::csv_field(graph.names().name(node), "node name");
      for (int64_t i = 0; i < row; ++i) {
        line += fmt::format(",{}", vectors.values[node * row + i]);
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

  std::string what_;
  std::string as_ = "npy";
  FolderTarget out_;
};

}  // namespace

std::unique_ptr<Verb> make_embed() { return std::make_unique<Embed>(); }

}  // namespace disenlink::cli
