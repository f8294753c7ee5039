#include "train/safetensors.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/json_text.h"
#include "core/output_file.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = uint64_t{100} << 20;

std::string_view as_bytes(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::string make_header(const std::vector<TensorView>& tensors,
                        const std::map<std::string, std::string>& metadata) {
  ordered_json header;
  header["__metadata__"] = metadata;
  size_t begin = 0;
  for (const TensorView& tensor : tensors) {
    const size_t end = begin + tensor.values.size_bytes();
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  // Arrays start on a multiple of 8 so that they can be mapped.
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

// One array as the header describes it.
struct Entry {
  std::string name;
  std::vector<int64_t> shape;
  uint64_t begin = 0;
  uint64_t end = 0;
};

Entry parse_entry(const fs::path& path, const std::string& name, const nlohmann::json& json) {
  Entry entry{name, {}, 0, 0};
  if (json.at("dtype").get<std::string>() != "F32") {
    fail_in(path, "array '{}' is of type {}, expected F32", name, json.at("dtype").dump());
  }
  uint64_t count = 1;
  for (const auto& side : json.at("shape")) {
    const auto length = side.get<uint64_t>();
    const uint64_t most = std::numeric_limits<int64_t>::max() / sizeof(float);
    if (length > most || (length != 0 && count > most / length)) {
      fail_in(path, "array '{}' announces an absurd shape {}", name, json.at("shape").dump());
    }
    count *= length;
    entry.shape.push_back(static_cast<int64_t>(length));
  }
  const auto& offsets = json.at("data_offsets");
  if (offsets.size() != 2) {
    fail_in(path, "array '{}' has offsets {}, expected two", name, offsets.dump());
  }
  entry.begin = offsets[0].get<uint64_t>();
  entry.end = offsets[1].get<uint64_t>();
  if (entry.end < entry.begin || entry.end - entry.begin != count * sizeof(float)) {
    fail_in(path, "array '{}' of shape {} does not fill its bytes {}", name,
            json.at("shape").dump(), offsets.dump());
  }
  return entry;
}

std::vector<Entry> parse_header(const fs::path& path, std::string_view text, uint64_t data_bytes,
                                TensorFile& file) {
  std::vector<Entry> entries;
  try {
    const auto header = nlohmann::json::parse(text);
    for (const auto& [name, json] : header.items()) {
      if (name == "__metadata__") {
        file.metadata = json.get<std::map<std::string, std::string>>();
      } else {
        entries.push_back(parse_entry(path, name, json));
      }
    }
  } catch (const nlohmann::json::exception& problem) {
    fail_in(path, "its header is not that of a .safetensors file: {}", json_problem(problem));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  uint64_t expected = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != expected) {
      fail_in(path, "array '{}' begins at byte {}, expected {}: arrays overlap or leave gaps",
              entry.name, entry.begin, expected);
    }
    expected = entry.end;
  }
  if (expected != data_bytes) {
    fail_in(path,
            "holds {} bytes of arrays, but its header announces {}: the file is truncated or "
            "damaged",
            data_bytes, expected);
  }
  return entries;
}

}  // namespace

void write_tensors(const fs::path& path, const std::vector<TensorView>& tensors,
                   const std::map<std::string, std::string>& metadata) {
  const std::string header = make_header(tensors, metadata);
  const uint64_t length = header.size();
  OutputFile file(path);
  file.write({reinterpret_cast<const char*>(&length), kLengthBytes});
  file.write(header);
  for (const TensorView& tensor : tensors) {
    file.write(as_bytes(tensor.values));
  }
  file.commit();
}

TensorFile read_tensors(const fs::path& path) {
  require_readable_file(path);
  const uint64_t file_bytes = fs::file_size(path);
  std::ifstream stream(path, std::ios::binary);
  uint64_t length = 0;
  if (file_bytes < kLengthBytes || !stream.read(reinterpret_cast<char*>(&length), kLengthBytes)) {
    fail_in(path, "has {} bytes, too few for a .safetensors file", file_bytes);
  }
  if (length > kMaxHeaderBytes || length > file_bytes - kLengthBytes) {
    fail_in(path, "announces a header of {} bytes, but has {} bytes in all", length, file_bytes);
  }
  std::string text(length, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(length));
  TensorFile file;
  for (const Entry& entry : parse_header(path, text, file_bytes - kLengthBytes - length, file)) {
    Tensor& tensor = file.tensors[entry.name];
    tensor.shape = entry.shape;
    tensor.values.resize((entry.end - entry.begin) / sizeof(float));
    stream.read(reinterpret_cast<char*>(tensor.values.data()),
                static_cast<std::streamsize>(entry.end - entry.begin));
  }
  if (!stream) {
    fail_in(path, "cannot be read to its end");
  }
  return file;
}

}  // namespace disenlink::detail
