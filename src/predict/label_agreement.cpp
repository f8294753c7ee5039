#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fail.h"
#include "disenlink/analyze.h"

namespace disenlink {
namespace {

double entropy(const std::vector<double>& counts, double total) {
  double sum = 0;
  for (const double count : counts) {
    sum -= count > 0 ? count / total * std::log(count / total) : 0;
  }
  return sum;
}

// Largest sum of gain(row, chosen column) with every column chosen at most once: the Hungarian
// method on potentials, rows added one by one. gain is (size, size).
double best_assignment(const std::vector<double>& gain, int64_t size) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> row_potential(size + 1, 0);
  std::vector<double> column_potential(size + 1, 0);
  std::vector<int64_t> row_of(size + 1, 0);  // of column; index 0 is the row being placed
  for (int64_t row = 1; row <= size; ++row) {
    row_of[0] = row;
    int64_t column = 0;
    std::vector<double> slack(size + 1, infinity);
    std::vector<int64_t> previous(size + 1, 0);
    std::vector<bool> visited(size + 1, false);
    while (row_of[column] != 0) {
      visited[column] = true;
      double smallest = infinity;
      int64_t next = 0;
      for (int64_t other = 1; other <= size; ++other) {
        if (visited[other]) {
          continue;
        }
        const double reduced = -gain[(row_of[column] - 1) * size + other - 1] -
                               row_potential[row_of[column]] - column_potential[other];
        if (reduced < slack[other]) {
          slack[other] = reduced;
          previous[other] = column;
        }
        if (slack[other] < smallest) {
          smallest = slack[other];
          next = other;
        }
      }
      for (int64_t other = 0; other <= size; ++other) {
        if (visited[other]) {
          row_potential[row_of[other]] += smallest;
          column_potential[other] -= smallest;
        } else {
          slack[other] -= smallest;
        }
      }
      column = next;
    }
    for (; column != 0; column = previous[column]) {
      row_of[column] = row_of[previous[column]];
    }
  }
  double sum = 0;
  for (int64_t column = 1; column <= size; ++column) {
    sum += gain[(row_of[column] - 1) * size + column - 1];
  }
  return sum;
}

}  // namespace

FactorRecovery compare_labels(std::span<const int32_t> found, std::span<const int32_t> planted) {
  if (found.empty() || found.size() != planted.size()) {
    detail::fail("{} found and {} planted factors given, expected as many, and at least one",
                 found.size(), planted.size());
  }
  const int64_t size = 1 + std::max(*std::max_element(found.begin(), found.end()),
                                    *std::max_element(planted.begin(), planted.end()));
  std::vector<double> joint(size * size, 0);
  std::vector<double> found_counts(size, 0);
  std::vector<double> planted_counts(size, 0);
  for (size_t i = 0; i < found.size(); ++i) {
    joint[found[i] * size + planted[i]] += 1;
    found_counts[found[i]] += 1;
    planted_counts[planted[i]] += 1;
  }
  const auto total = static_cast<double>(found.size());
  const double found_entropy = entropy(found_counts, total);
  const double planted_entropy = entropy(planted_counts, total);
  const double information = found_entropy + planted_entropy - entropy(joint, total);
  const double mean_entropy = (found_entropy + planted_entropy) / 2;
  FactorRecovery result;
  result.links = static_cast<int64_t>(found.size());
  result.nmi = mean_entropy > 0 ? information / mean_entropy : 1;
  result.accuracy = best_assignment(joint, size) / total;
  return result;
}

}  // namespace disenlink
