// A report document as files: the page, pictures and tables.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace disenlink::detail {

// One HTML file that needs no other and no network.
std::string report_page(const nlohmann::ordered_json& document);

// index.html, figures/ID.svg, .png and .csv, tables/ID.csv and .md.
void write_report_files(const nlohmann::ordered_json& document,
                        const std::filesystem::path& folder);

}  // namespace disenlink::detail
