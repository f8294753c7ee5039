#include "program.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/fail.h"
#include "core/output_file.h"
#include "core/text.h"
#include "disenlink/threads.h"

namespace disenlink::bench {

int64_t positive(const std::string& text) {
  const auto value = detail::parse_number<int64_t>(text);
  if (!value || *value < 1) {
    detail::fail_usage("{} given, expected a positive integer", detail::quoted(text));
  }
  return *value;
}

void parse_arguments(int count, char** arguments, ArgumentReaders readers) {
  readers["--threads"] = [](const std::string& text) {
    set_num_threads(static_cast<int>(positive(text)));
  };
  for (int i = 1; i < count; i += 2) {
    const auto reader = readers.find(arguments[i]);
    if (reader == readers.end() || i + 1 == count) {
      std::string known;
      for (const auto& [name, unused] : readers) {
        known += " " + name;
      }
      detail::fail_usage("'{}' is not an argument with a value; known:{}", arguments[i], known);
    }
    reader->second(arguments[i + 1]);
  }
}

void write_record(const std::filesystem::path& path, const nlohmann::json& record) {
  if (path.empty()) {
    return;
  }
  detail::OutputFile file(path);
  file.write(record.dump(2) + "\n");
  file.commit();
}

int run_program(const std::function<void()>& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace disenlink::bench
