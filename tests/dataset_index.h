// The table of what was measured on the real datasets: index.csv beside them.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "test_files.h"

namespace disenlink::testing {

using IndexRow = std::map<std::string, std::string>;  // by column

inline std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (const char letter : line) {
    if (letter == '"') {
      is_quoted = !is_quoted;
    } else if (letter == ',' && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  return fields;
}

// The column "dataset" has the names that our table of datasets has.
inline std::vector<IndexRow> index_rows() {
  const std::map<std::string, std::string> other_names = {
      {"chameleon (pyg128 variant)", "chameleon-128"},
      {"cornell (geom-gcn files, faulty)", "cornell-faulty"},
      {"arxiv-year (10 samples summed)", "arxiv-year"}};
  std::istringstream lines(slurp(data_folder() / "index.csv"));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> columns = csv_fields(line);
  std::vector<IndexRow> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = csv_fields(line);
    IndexRow& row = rows.emplace_back();
    for (size_t i = 0; i < columns.size(); ++i) {
      row[columns[i]] = fields.at(i);
    }
    const auto other = other_names.find(row.at("dataset"));
    if (other != other_names.end()) {
      row["dataset"] = other->second;
    }
  }
  return rows;
}

}  // namespace disenlink::testing
