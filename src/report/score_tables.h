// The paper's tables, from records: what it prints beside what came out here.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "report/results.h"

namespace disenlink::detail {

// In percent.
struct Score {
  double mean = 0;
  double deviation = 0;
  int64_t runs = 0;  // 0 = the paper's
};

// `source` is a protocol, or "paper" for what the paper prints. Nothing where there is no number.
std::optional<Score> auc_of(const Results& results, const std::string& source,
                            const std::string& model, const std::string& dataset,
                            const std::string& label = "");

// For a column of kind "score"; null where there is none.
nlohmann::ordered_json score_cell(const std::optional<Score>& score);

struct Rival {
  std::string title;
  Score score;
};

// The best of the others. Nothing where few were measured: being ahead of those says little.
std::optional<Rival> best_rival(const Results& results, const std::string& protocol,
                                const std::string& dataset);

// As printed in the paper.
std::string title_of_dataset(const std::string& dataset);

// Tables 2 and 3, as web/src/score_table.js expects them.
nlohmann::ordered_json score_tables(const Results& results);

// Table 1, the leaks of the splits and the studies, as web/src/table.js expects them.
nlohmann::ordered_json plain_tables(const Results& results);

}  // namespace disenlink::detail
