// The .safetensors container: 8 bytes of header length, a JSON header, raw little-endian arrays.
// Readable from Python without our code; loading executes nothing, and every offset is checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace disenlink::detail {

struct TensorView {
  std::string name;
  std::vector<int64_t> shape;
  std::span<const float> values;
};

struct Tensor {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;
};

// Takes the target's place only when complete.
void write_tensors(const std::filesystem::path& path, const std::vector<TensorView>& tensors,
                   const std::map<std::string, std::string>& metadata);

// Throws Error for anything that is not exactly such a file of float32 arrays.
TensorFile read_tensors(const std::filesystem::path& path);

}  // namespace disenlink::detail
