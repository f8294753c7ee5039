#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/fail.h"
#include "core/input_file.h"
#include "core/text.h"
#include "data/musae_parts.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxId = std::numeric_limits<int32_t>::max() - 1;

// Receives the JSON piece by piece, so that no tree of it is built.
class FeatureListHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  FeatureListHandler(const fs::path& path, FeatureLists& lists) : path_(path), lists_(lists) {}

  bool start_object(size_t) override {
    if (is_open_) {
      fail_value("an object");
    }
    is_open_ = true;
    return true;
  }

  bool key(string_t& name) override {
    const auto node = parse_number<int64_t>(name);
    if (!node || *node < 0 || *node > kMaxId) {
      fail_in(path_, "key {} is not a node number from 0 to {}", detail::quoted(name), kMaxId);
    }
    lists_.nodes.push_back(static_cast<NodeId>(*node));
    return true;
  }

  bool start_array(size_t) override {
    if (!is_open_ || in_list_) {
      fail_value("a list");
    }
    in_list_ = true;
    return true;
  }

  bool end_array() override {
    in_list_ = false;
    lists_.offsets.push_back(static_cast<int64_t>(lists_.features.size()));
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (!in_list_ || value > static_cast<number_unsigned_t>(kMaxId)) {
      fail_value(std::to_string(value));
    }
    lists_.features.push_back(static_cast<int32_t>(value));
    return true;
  }

  bool end_object() override { return true; }
  bool null() override { fail_value("null"); }
  bool boolean(bool value) override { fail_value(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { fail_value(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { fail_value(text); }
  bool string(string_t& text) override { fail_value("the text " + detail::quoted(text)); }
  bool binary(binary_t&) override { fail_value("binary data"); }

  // The position counts the bytes read so far, so the last of them is where it went wrong.
  bool parse_error(size_t position, const std::string& token,
                   const nlohmann::detail::exception&) override {
    fail_at_offset(path_, static_cast<int64_t>(position) - 1, "not valid JSON near {}",
                   detail::quoted(token));
  }

 private:
  [[noreturn]] void fail_value(const std::string& found) const {
    if (!is_open_) {
      fail_in(path_, "found {}, expected an object of node numbers and feature lists", found);
    }
    fail_in(path_, "node '{}': found {}, expected {}",
            lists_.nodes.empty() ? -1 : lists_.nodes.back(), found,
            in_list_ ? fmt::format("feature ids from 0 to {} only", kMaxId)
                     : std::string("a list of feature ids"));
  }

  const fs::path& path_;
  FeatureLists& lists_;
  bool is_open_ = false;
  bool in_list_ = false;
};

void check_distinct(const fs::path& path, std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  const auto repeated = std::adjacent_find(nodes.begin(), nodes.end());
  if (repeated != nodes.end()) {
    fail_in(path, "node '{}' is given twice", *repeated);
  }
}

}  // namespace

FeatureLists read_feature_lists(const fs::path& path, const ReadOptions& options) {
  FeatureLists lists;
  const std::string content = read_whole_file(path, options.max_inflated_bytes);
  FeatureListHandler handler(path, lists);
  nlohmann::json::sax_parse(content, &handler);
  check_distinct(path, lists.nodes);
  return lists;
}

}  // namespace disenlink::detail
