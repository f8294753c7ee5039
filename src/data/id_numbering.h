// From ids as users write them to row numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/integer_rows.h"
#include "disenlink/graph.h"

namespace disenlink::detail {

struct NumberedIds {
  std::vector<NodePair> arcs;
  std::vector<int64_t> ids;  // ascending, id of each row number; empty where they are 0 .. n-1
  int64_t num_nodes = 0;
};

// Row numbers follow ascending ids. Throws Error when there are more ids than NodeId can number.
NumberedIds number_integer_ids(const std::filesystem::path& path, IntegerRows<NodePair> rows);
NumberedIds number_integer_ids(const std::filesystem::path& path, IntegerRows<WidePair> rows);

// Words in order of first occurrence.
class WordNumbering {
 public:
  // The number of the word, a new one if it was not seen; throws Error past what NodeId can number.
  int32_t number(std::string_view word);

  // -1 where it was not seen.
  int32_t find(std::string_view word) const;

  int64_t size() const { return static_cast<int64_t>(words_.size()); }
  const std::string& word(int32_t number) const { return *words_[number]; }
  std::vector<std::string> take_words() &&;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> words_;  // keys of the map, which stay in place
};

}  // namespace disenlink::detail
