// disenlink report: tables and pictures from the records of a folder alone.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "cli/table.h"
#include "cli/verbs.h"
#include "core/fail.h"
#include "core/json_text.h"
#include "core/output_file.h"
#include "page/report_files.h"
#include "report/document.h"
#include "report/results.h"

namespace disenlink::cli {
namespace {

class Report : public Verb {
 public:
  Report() : Verb("report", "Make tables, pictures and a page from run records") {
    options().add({.name = "results",
                   .help = "Folder of run records, as `disenlink reproduce` makes it",
                   .target = &results_,
                   .value_name = "FOLDER",
                   .positional = true});
    options().add({.name = "out",
                   .help = "Folder for index.html, figures/ and tables/",
                   .target = &out_,
                   .value_name = "FOLDER"});
    options().add({.name = "force", .help = "Replace the folder if it exists", .target = &force_});
  }

  int run() override {
    const detail::Results results = detail::read_results(results_);
    for (const std::string& warning : results.warnings) {
      spdlog::warn("{}", warning);
    }
    if (results.runs.empty()) {
      detail::fail_in(results_, "holds no run record; make some: disenlink reproduce --out {}",
                      results_);
    }
    const nlohmann::ordered_json document = detail::report_document(results);
    detail::OutputFolder folder(out_, force_, {"index.html", "figures/*", "tables/*"});
    detail::write_report_files(document, folder.staging());
    folder.commit();
    print(json_ ? detail::json_text({{"runs", results.runs.size()},
                                     {"skipped", results.warnings},
                                     {"findings", document.at("findings")},
                                     {"page", out_ + "/index.html"}})
                : text_of(document));
    return kDone;
  }

 private:
  std::string text_of(const nlohmann::ordered_json& document) const {
    std::string text;
    for (const auto& sentence : document.at("findings")) {
      text += fmt::format("- {}\n", sentence.get<std::string>());
    }
    return text + fmt::format("\n{} figures and {} tables; open {}/index.html\n",
                              document.at("figures").size(),
                              document.at("tables").size() + document.at("score_tables").size(),
                              out_);
  }

  std::string results_ = "results";
  std::string out_ = "report";
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_report() { return std::make_unique<Report>(); }

}  // namespace disenlink::cli
