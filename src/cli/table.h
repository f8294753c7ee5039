// Aligned text tables for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace disenlink::cli {

class Table {
 public:
  // A header that begins with '<' makes its column left-aligned; others are right-aligned.
  explicit Table(std::vector<std::string> headers);

  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  std::vector<std::string> headers_;
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
};

// 1234567 -> "1,234,567".
std::string grouped(int64_t number);

// Prints to standard output.
void print(std::string_view text);

}  // namespace disenlink::cli
