// Labels: integers as they are, words numbered by first occurrence, -1 or missing = unlabelled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/id_numbering.h"

namespace disenlink::detail {

class LabelColumn {
 public:
  explicit LabelColumn(std::string name) : name_(std::move(name)) {}

  // First look at all values, then add each.
  void look_at(std::string_view text);
  void add(const std::filesystem::path& path, std::string_view text, int64_t line);

  void add_notes(std::vector<std::string>& notes) const;
  std::vector<int32_t> take() && { return std::move(labels_); }

 private:
  std::string name_;
  bool has_words_ = false;
  int64_t num_unlabelled_ = 0;
  std::vector<int32_t> labels_;
  WordNumbering words_;
};

}  // namespace disenlink::detail
