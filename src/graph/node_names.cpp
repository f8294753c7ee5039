#include "disenlink/node_names.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/fail.h"
#include "core/text.h"

namespace disenlink {
NodeNames NodeNames::numbered(int64_t count) {
  NodeNames result;
  result.size_ = count;
  return result;
}

NodeNames NodeNames::from_list(std::vector<std::string> names) {
  NodeNames result;
  result.size_ = static_cast<int64_t>(names.size());
  result.names_ = std::move(names);
  result.by_name_.resize(result.names_.size());
  std::iota(result.by_name_.begin(), result.by_name_.end(), 0);
  std::sort(result.by_name_.begin(), result.by_name_.end(), [&](int32_t a, int32_t b) {
    return std::tie(result.names_[a], a) < std::tie(result.names_[b], b);
  });
  for (size_t i = 1; i < result.by_name_.size(); ++i) {
    const int32_t first = result.by_name_[i - 1];
    const int32_t second = result.by_name_[i];
    if (result.names_[first] == result.names_[second]) {
      detail::fail("node id {} is given twice, as node {} and node {} (counted from 1)",
                   detail::quoted(result.names_[first]), first + 1, second + 1);
    }
  }
  return result;
}

std::string NodeNames::name(int64_t node) const {
  return is_numbered() ? std::to_string(node) : names_[node];
}

std::optional<int64_t> NodeNames::find(std::string_view name) const {
  if (is_numbered()) {
    const auto number = detail::parse_number<int64_t>(name);
    return number && *number >= 0 && *number < size_ ? number : std::nullopt;
  }
  const auto found =
      std::lower_bound(by_name_.begin(), by_name_.end(), name,
                       [&](int32_t row, std::string_view text) { return names_[row] < text; });
  if (found == by_name_.end() || names_[*found] != name) {
    return std::nullopt;
  }
  return *found;
}

int64_t NodeNames::require(std::string_view name) const {
  if (const auto node = find(name)) {
    return *node;
  }
  if (is_numbered()) {
    detail::fail("unknown node {}: nodes are numbered 0 to {}", detail::quoted(name), size_ - 1);
  }
  const std::vector<std::string_view> known(names_.begin(), names_.end());
  const std::string suggestion = detail::did_you_mean(name, known);
  detail::fail("unknown node {}{}", detail::quoted(name),
               suggestion.empty() ? "; known is, for example, " + detail::quoted(names_.front())
                                  : suggestion);
}

}  // namespace disenlink
