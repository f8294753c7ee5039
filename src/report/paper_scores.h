// What the paper prints.
#pragma once

#include <optional>
#include <string_view>

namespace disenlink::detail {

// AUC in percent.
struct PaperScore {
  double mean;
  double deviation;
};

// Nothing where the paper has no number, such as out of memory.
std::optional<PaperScore> paper_score(std::string_view model, std::string_view dataset);

}  // namespace disenlink::detail
