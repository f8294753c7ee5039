// What all benchmark programs share: arguments, the JSON record, errors.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace disenlink::bench {

// Calls the reader of each "--name value"; --threads is known to all programs.
using ArgumentReaders = std::map<std::string, std::function<void(const std::string&)>>;
void parse_arguments(int count, char** arguments, ArgumentReaders readers);

int64_t positive(const std::string& text);

// Nothing where the path is empty.
void write_record(const std::filesystem::path& path, const nlohmann::json& record);

// The program's exit code; an exception becomes one line on the error stream.
int run_program(const std::function<void()>& body);

}  // namespace disenlink::bench
