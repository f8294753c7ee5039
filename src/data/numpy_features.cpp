#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fail.h"
#include "core/text.h"
#include "data/npy_features.h"
#include "data/numpy.h"
#include "data/zip_archive.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScipyEntries[] = {"indices.npy", "indptr.npy", "format.npy",
                                              "shape.npy", "data.npy"};

// scipy's CSR: row i has indices[indptr[i]] to indices[indptr[i + 1] - 1].
struct ScipyCsr {
  int64_t num_rows = 0;
  int64_t num_columns = 0;
  std::vector<int64_t> indptr;
  std::vector<int64_t> indices;
  std::vector<float> data;
};

void require_scipy_csr(const ZipArchive& archive) {
  const auto contains = [&](std::string_view name) { return archive.contains(name); };
  const bool has_format = archive.contains("format.npy");
  if (has_format) {
    NpyReader reader(archive.open("format.npy"));
    const std::string format = reader.read_text();
    reader.finish();
    if (format != "csr") {
      fail_in(archive.path(),
              "is a scipy matrix of format {}, expected csr; write it again with "
              "scipy.sparse.save_npz(path, matrix.tocsr())",
              detail::quoted(format));
    }
  }
  if (!std::all_of(std::begin(kScipyEntries), std::end(kScipyEntries), contains)) {
    fail_in(archive.path(),
            "has the entries {}; expected those of a scipy CSR matrix: indices.npy, indptr.npy, "
            "format.npy, shape.npy, data.npy",
            archive.names_text());
  }
}

std::vector<int64_t> read_vector(const ZipArchive& archive, std::string_view name) {
  IntegerArray array = read_integers(archive.open(name));
  if (array.header.shape.size() != 1) {
    fail_in(array.label, "has {} dimensions, expected 1", array.header.shape.size());
  }
  return std::move(array.values);
}

ScipyCsr read_scipy_csr(const ZipArchive& archive) {
  const std::vector<int64_t> shape = read_vector(archive, "shape.npy");
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const auto in_range = [](int64_t length) { return length >= 1 && length <= kMost; };
  if (shape.size() != 2 || !in_range(shape[0]) || !in_range(shape[1])) {
    fail_in(archive.path(), "shape [{}], expected two lengths from 1 to {}", fmt::join(shape, ", "),
            kMost);
  }
  return {.num_rows = shape[0],
          .num_columns = shape[1],
          .indptr = read_vector(archive, "indptr.npy"),
          .indices = read_vector(archive, "indices.npy"),
          .data = read_floats(archive.open("data.npy"))};
}

void check_offsets(const fs::path& path, const ScipyCsr& csr) {
  const auto num_offsets = static_cast<int64_t>(csr.indptr.size());
  if (num_offsets != csr.num_rows + 1) {
    fail_in(path, "indptr has {} values, expected {}, one more than the {} rows", num_offsets,
            csr.num_rows + 1, csr.num_rows);
  }
  if (csr.indices.size() != csr.data.size()) {
    fail_in(path, "{} indices but {} data values", csr.indices.size(), csr.data.size());
  }
  const auto fall = std::is_sorted_until(csr.indptr.begin(), csr.indptr.end());
  if (fall != csr.indptr.end()) {
    fail_in(path, "indptr falls to {} at row {} (from 0)", *fall, fall - csr.indptr.begin());
  }
  if (csr.indptr.front() != 0 || csr.indptr.back() != static_cast<int64_t>(csr.data.size())) {
    fail_in(path, "indptr goes from {} to {}, expected 0 to {}, the number of data values",
            csr.indptr.front(), csr.indptr.back(), csr.data.size());
  }
}

void check_row(const fs::path& path, const ScipyCsr& csr, int64_t row) {
  for (int64_t i = csr.indptr[row]; i < csr.indptr[row + 1]; ++i) {
    if (csr.indices[i] < 0 || csr.indices[i] >= csr.num_columns) {
      fail_in(path, "row {} (from 0) names column {}, expected 0 to {}", row, csr.indices[i],
              csr.num_columns - 1);
    }
    if (!std::isfinite(csr.data[i])) {
      fail_in(path, "row {}, column {} (from 0) is {}, expected a finite 32-bit number", row,
              csr.indices[i], csr.data[i]);
    }
  }
}

Features read_npz_features(const fs::path& path, const ReadOptions& options) {
  const ZipArchive archive(path, options.max_inflated_bytes);
  require_scipy_csr(archive);
  ScipyCsr csr = read_scipy_csr(archive);
  check_offsets(path, csr);
  for (int64_t row = 0; row < csr.num_rows; ++row) {
    check_row(path, csr, row);
  }
  return Features::sparse(csr.num_columns, std::move(csr.indptr),
                          {csr.indices.begin(), csr.indices.end()}, std::move(csr.data));
}

}  // namespace

Features read_features(const fs::path& path, const ReadOptions& options) {
  if (starts_as_zip(path)) {
    return read_npz_features(path, options);
  }
  NpyReader reader(std::make_unique<FileSource>(path, options.max_inflated_bytes));
  return read_feature_table(reader);
}

}  // namespace disenlink::detail
