#include "cli/epoch_log.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/fail.h"

namespace disenlink::cli {
namespace {

namespace fs = std::filesystem;

std::string lines_up_to(int64_t last_epoch, const std::string& path) {
  std::string kept;
  if (last_epoch == 0 || !fs::is_regular_file(path)) {
    return kept;
  }
  std::ifstream old(path);
  for (std::string line; std::getline(old, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    const bool is_kept = json.is_object() && json.contains("epoch") && json["epoch"].is_number() &&
                         json["epoch"] <= last_epoch;
    kept += is_kept ? line + "\n" : "";
  }
  return kept;
}

}  // namespace

EpochLog::EpochLog(const std::string& path, int64_t epochs_kept) {
  if (path.empty()) {
    return;
  }
  const std::string kept = lines_up_to(epochs_kept, path);
  std::error_code shows_when_opened;
  fs::create_directories(fs::absolute(path).parent_path(), shows_when_opened);
  stream_.open(path, std::ios::trunc);
  stream_ << kept << std::flush;
  if (!stream_) {
    detail::fail_in(path, "cannot write the log of epochs: {}", std::strerror(errno));
  }
}

void EpochLog::add(const EpochReport& report) {
  if (stream_.is_open()) {
    stream_ << nlohmann::ordered_json{{"epoch", report.epoch},
                                      {"loss", report.loss},
                                      {"valid_auc", report.valid_auc},
                                      {"best_auc", report.best_auc},
                                      {"best_epoch", report.best_epoch},
                                      {"clipped", report.clipped},
                                      {"learning_rate", report.learning_rate},
                                      {"seconds", report.seconds}}
            << std::endl;
  }
}

}  // namespace disenlink::cli
