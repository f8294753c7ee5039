// numpy arrays and scipy CSR matrices inside a pickle.
#pragma once

#include <cstdint>
#include <vector>

#include "data/pickle.h"

namespace disenlink::detail {

// Of one or two dimensions.
struct PickledArray {
  std::vector<int64_t> shape;
  std::vector<double> values;  // row by row; finite
};

struct PickledCsr {
  int64_t num_rows = 0;
  int64_t num_columns = 0;
  std::vector<int64_t> offsets;  // (num_rows + 1)
  std::vector<int32_t> columns;
  std::vector<float> values;
};

// Both throw Error with the position in the file where the value is something else.
PickledArray pickled_array(const Pickle& pickle, PickleValue value);
PickledCsr pickled_csr(const Pickle& pickle, PickleValue value);

}  // namespace disenlink::detail
