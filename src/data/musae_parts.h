// The two MUSAE files other than the edge list.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "disenlink/graph.h"
#include "disenlink/read.h"

namespace disenlink::detail {

// In the order of the file; lists may repeat an id.
struct FeatureLists {
  std::vector<NodeId> nodes;        // distinct
  std::vector<int64_t> offsets{0};  // (nodes + 1)
  std::vector<int32_t> features;    // not negative
};

FeatureLists read_feature_lists(const std::filesystem::path& path, const ReadOptions& options);

struct TargetTable {
  std::vector<NodeId> nodes;  // distinct
  std::vector<int32_t> labels;
  std::vector<std::string> notes;
};

// Twitch: `new_id` and `mature`; Wikipedia: `id` and `target`, monthly traffic that becomes a class
// by quantiles; GitHub: `id` and `ml_target`.
TargetTable read_target_table(const std::filesystem::path& path, const ReadOptions& options);

// Class of each value: how many of the quantiles 0.2, 0.4, 0.6, 0.8 and 1.0 are not above it.
std::vector<int32_t> quantile_classes(const std::vector<double>& values);

}  // namespace disenlink::detail
