// Reading the values of a .npy array block by block, whatever type they are stored as.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/byte_source.h"
#include "data/npy_header.h"

namespace disenlink::detail {

class NpyReader {
 public:
  // Reads the header.
  explicit NpyReader(std::unique_ptr<ByteSource> source);

  const NpyHeader& header() const { return header_; }
  const std::string& label() const { return source_->label(); }
  int64_t remaining() const { return header_.num_items - position_; }

  // The next values in the order of the file; at most remaining(). Values beyond a float become
  // infinite. Integers are asked for only where values are: others throw Error.
  void read(std::span<float> values);
  void read(std::span<int64_t> values);

  // The one value of a text array, without the zeros that fill it up.
  std::string read_text();

  // After the last value: throws Error where bytes follow or the checksum does not hold.
  void finish();

 private:
  template <typename Value>
  void read_values(std::span<Value> values);
  void fill_raw(size_t bytes);

  std::unique_ptr<ByteSource> source_;
  NpyHeader header_;
  std::vector<char> raw_;
  int64_t position_ = 0;  // values handed out
};

// All values of an array of one or two dimensions, in the order of the file.
struct IntegerArray {
  NpyHeader header;
  std::string label;
  std::vector<int64_t> values;
};
IntegerArray read_integers(std::unique_ptr<ByteSource> source);

// A one-dimensional array.
std::vector<float> read_floats(std::unique_ptr<ByteSource> source);

// Throws Error unless the array has two dimensions, neither empty and both within 32 bits.
void require_table(const NpyReader& reader);

// Walks over a table in the order of the file, in blocks, and finishes it. NaN and infinity are
// errors that name row and column.
using NonzeroVisitor = std::function<void(int64_t row, int64_t column, float value)>;
void for_each_nonzero(NpyReader& reader, const NonzeroVisitor& visit);

}  // namespace disenlink::detail
