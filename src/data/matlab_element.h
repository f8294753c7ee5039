// The elements a Matlab v5 file is made of: a tag (type and size) and that many bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace disenlink::detail {

enum class MatlabType : uint32_t {
  kInt8 = 1,
  kUint8 = 2,
  kInt16 = 3,
  kUint16 = 4,
  kInt32 = 5,
  kUint32 = 6,
  kSingle = 7,
  kDouble = 9,
  kInt64 = 12,
  kUint64 = 13,
  kMatrix = 14,
  kCompressed = 15,
};

struct MatlabElement {
  MatlabType type;
  std::string_view data;
};

// Takes one element after the other out of a stretch of bytes.
class MatlabElements {
 public:
  // `label` begins the error messages.
  MatlabElements(std::string_view bytes, bool swapped, std::string label, size_t position = 0)
      : bytes_(bytes), swapped_(swapped), label_(std::move(label)), position_(position) {}

  bool at_end() const { return position_ >= bytes_.size(); }
  size_t position() const { return position_; }
  const std::string& label() const { return label_; }

  // Throws Error where the element does not fit in what is left.
  MatlabElement next();

  // The next element as numbers, of whichever type they are stored as. Whole numbers are asked
  // for where counts and positions are expected; floats are refused there.
  std::vector<double> next_numbers();
  std::vector<int64_t> next_whole_numbers();

 private:
  template <typename Value>
  std::vector<Value> decode(const MatlabElement& element) const;

  std::string_view bytes_;
  bool swapped_;
  std::string label_;
  size_t position_;
};

// What every matrix begins with.
struct MatlabMatrixHeader {
  uint8_t array_class = 0;
  bool is_complex = false;
  std::vector<int64_t> dimensions;
  std::string name;
};
inline constexpr uint8_t kMatlabSparseClass = 5;
inline constexpr uint8_t kMatlabFirstNumericClass = 6;
inline constexpr uint8_t kMatlabLastNumericClass = 15;

MatlabMatrixHeader read_matrix_header(MatlabElements& elements);

// Unpacks a zlib stream that is to hold exactly one matrix, tag and all, and returns the bytes
// behind the tag. With `only_first` set, that many bytes of it at most.
std::string inflate_matrix(std::string_view packed, bool swapped, const std::string& label,
                           int64_t max_inflated_bytes,
                           std::optional<size_t> only_first = std::nullopt);

}  // namespace disenlink::detail
