// What is known of a dataset and measured on it, beside the paper's Table 1.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "disenlink/datasets.h"
#include "disenlink/statistics.h"

namespace disenlink::cli {

// A dataset of several samples is their sum.
GraphStatistics measure_dataset(const Dataset& dataset, const std::filesystem::path& folder);

// "exact", or where the paper and the files differ.
std::string comparison(const PaperStatistics& paper, const GraphStatistics& facts);

nlohmann::ordered_json to_json(const Dataset& dataset);
nlohmann::ordered_json to_json(const Dataset& dataset, const GraphStatistics& facts);

}  // namespace disenlink::cli
