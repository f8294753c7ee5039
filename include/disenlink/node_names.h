// What users call their nodes. Inside, a node is its row number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace disenlink {

class NodeNames {
 public:
  NodeNames() = default;

  // Nodes are called 0, 1, ..., count - 1; nothing is stored.
  static NodeNames numbered(int64_t count);

  // Names must be distinct; throws Error naming the first that is not.
  static NodeNames from_list(std::vector<std::string> names);

  int64_t size() const { return size_; }
  bool is_numbered() const { return names_.empty(); }

  std::string name(int64_t node) const;
  std::optional<int64_t> find(std::string_view name) const;

  // Like find, but throws Error with the nearest known name when there is none.
  int64_t require(std::string_view name) const;

 private:
  int64_t size_ = 0;
  std::vector<std::string> names_;
  std::vector<int32_t> by_name_;  // rows sorted by name, for binary search
};

}  // namespace disenlink
