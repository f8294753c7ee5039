// Matlab v5 files (`save -v6` and `-v7`), as far as a graph needs them: sparse matrices and full
// numeric ones, little or big endian, packed or not.
//
// Why not libmatio: fed with 11,000 damaged variants of a file of 1.4 KB, version 1.5.23 once
// asked for 27 GB; a packed file of 1.8 MB took it to 1.8 GB because it has no limit on what it
// unpacks; and it brings HDF5 and 36 more libraries for a format it shares nothing with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace disenlink::detail {

// Compressed columns: column j holds rows[offsets[j]] to rows[offsets[j + 1] - 1].
struct MatlabSparse {
  int64_t num_rows = 0;
  int64_t num_columns = 0;
  std::vector<int64_t> offsets;  // ascending from 0, num_columns + 1
  std::vector<int32_t> rows;     // within num_rows
  std::vector<double> values;    // may hold zeros
};

struct MatlabTable {
  int64_t num_rows = 0;
  int64_t num_columns = 0;
  std::vector<double> values;  // column by column
};

class MatlabFile {
 public:
  MatlabFile(std::filesystem::path path, int64_t max_inflated_bytes);

  // The matrix of that name; throws Error where there is none or it is of another kind.
  MatlabSparse sparse(std::string_view name) const;
  MatlabTable table(std::string_view name) const;

 private:
  struct Variable {
    std::string name;
    size_t offset;  // of its element in the file
  };
  // Bytes of the matrix, unpacked.
  std::string matrix_bytes(std::string_view name) const;
  std::string label_of(std::string_view name) const;

  std::filesystem::path path_;
  int64_t max_inflated_bytes_;
  std::string bytes_;
  bool swapped_ = false;
  std::vector<Variable> variables_;
};

}  // namespace disenlink::detail
