#include "data/npy_features.h"

#include "data/csr_transpose.h"

namespace disenlink::detail {
namespace {

// Collects the non-zeros of a table line by line; a line is a row, or a column in Fortran order.
// They stay sparse until more than a quarter of the table has turned out to be non-zero.
class TableCollector {
 public:
  TableCollector(int64_t num_lines, int64_t line_length)
      : num_lines_(num_lines), line_length_(line_length) {}

  void add(int64_t line, int64_t place, float value) {
    if (!dense_.empty()) {
      dense_[static_cast<size_t>(line * line_length_ + place)] = value;
      return;
    }
    close_lines_before(line);
    lines_.columns.push_back(static_cast<int32_t>(place));
    lines_.values.push_back(value);
    if (!Features::is_mostly_empty(std::ssize(lines_.values), num_lines_ * line_length_)) {
      become_dense();
    }
  }

  Features rows_as_lines() {
    if (!dense_.empty()) {
      return Features::dense(num_lines_, line_length_, std::move(dense_));
    }
    close_lines_before(num_lines_);
    return Features::sparse(line_length_, std::move(lines_.offsets), std::move(lines_.columns),
                            std::move(lines_.values));
  }

  Features columns_as_lines() {
    if (!dense_.empty()) {
      return Features::dense(line_length_, num_lines_, transposed_dense());
    }
    close_lines_before(num_lines_);
    Csr rows = transposed(lines_, line_length_);
    return Features::sparse(num_lines_, std::move(rows.offsets), std::move(rows.columns),
                            std::move(rows.values));
  }

 private:
  void close_lines_before(int64_t line) {
    while (static_cast<int64_t>(lines_.offsets.size()) <= line) {
      lines_.offsets.push_back(static_cast<int64_t>(lines_.columns.size()));
    }
  }

  void become_dense() {
    lines_.offsets.push_back(static_cast<int64_t>(lines_.columns.size()));
    dense_.resize(static_cast<size_t>(num_lines_ * line_length_));
    for (size_t line = 0; line + 1 < lines_.offsets.size(); ++line) {
      for (int64_t i = lines_.offsets[line]; i < lines_.offsets[line + 1]; ++i) {
        dense_[line * static_cast<size_t>(line_length_) + static_cast<size_t>(lines_.columns[i])] =
            lines_.values[i];
      }
    }
    lines_ = {};
  }

  std::vector<float> transposed_dense() const {
    std::vector<float> result(dense_.size());
    for (int64_t line = 0; line < num_lines_; ++line) {
      for (int64_t place = 0; place < line_length_; ++place) {
        result[static_cast<size_t>(place * num_lines_ + line)] =
            dense_[static_cast<size_t>(line * line_length_ + place)];
      }
    }
    return result;
  }

  int64_t num_lines_;
  int64_t line_length_;
  Csr lines_;
  std::vector<float> dense_;  // (num_lines, line_length), empty while sparse
};

}  // namespace

Features read_feature_table(NpyReader& reader) {
  require_table(reader);
  const std::vector<int64_t>& shape = reader.header().shape;
  if (reader.header().fortran_order) {
    TableCollector table(shape[1], shape[0]);
    for_each_nonzero(
        reader, [&](int64_t row, int64_t column, float value) { table.add(column, row, value); });
    return table.columns_as_lines();
  }
  TableCollector table(shape[0], shape[1]);
  for_each_nonzero(
      reader, [&](int64_t row, int64_t column, float value) { table.add(row, column, value); });
  return table.rows_as_lines();
}

}  // namespace disenlink::detail
