#include "train/checkpoint.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/fail.h"
#include "core/finite.h"
#include "core/json_text.h"
#include "train/safetensors.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "format";
constexpr const char* kModelFormat = "disenlink model 1";
constexpr const char* kStateFormat = "disenlink training state 3";
constexpr const char* kProgress = "progress";
constexpr const char* kOrder = "parameters";

void require_format(const fs::path& path, const Metadata& metadata, const std::string& expected) {
  const auto found = metadata.find(kFormat);
  if (found == metadata.end() || found->second != expected) {
    fail_in(path, "is a '{}' file, expected '{}'; it may come from another version or program",
            found == metadata.end() ? "foreign" : found->second, expected);
  }
}

// Of two JSON objects only what differs is said.
void require_same(const fs::path& path, const std::string& key, const std::string& there,
                  const std::string& here) {
  const auto found = nlohmann::json::parse(there, nullptr, false);
  const auto expected = nlohmann::json::parse(here, nullptr, false);
  if (found.is_object() && expected.is_object()) {
    for (const auto& [name, value] : expected.items()) {
      if (found.value(name, nlohmann::json()) != value) {
        fail_in(path, "belongs to a run with other {}: {} {} there, {} here", key, name,
                found.value(name, nlohmann::json()).dump(), value.dump());
      }
    }
  }
  if (there != here) {
    fail_in(path, "belongs to a run with another {}: {} there, {} here", key,
            there.empty() ? "nothing" : there, here);
  }
}

nlohmann::json progress_of(const TrainState& state) {
  return {{"epoch", state.epoch},
          {"best_epoch", state.best_epoch},
          {"best_auc", state.best_auc},
          {"clipped", state.clipped},
          {"seconds", state.seconds},
          {"restarts", state.restarts},
          {"learning_rate", state.learning_rate},
          {"losses", state.losses},
          {"valid_aucs", state.valid_aucs},
          {"updates", state.updates}};
}

void take_progress(const nlohmann::json& json, TrainState& state) {
  json.at("epoch").get_to(state.epoch);
  json.at("best_epoch").get_to(state.best_epoch);
  json.at("best_auc").get_to(state.best_auc);
  json.at("clipped").get_to(state.clipped);
  json.at("seconds").get_to(state.seconds);
  json.at("restarts").get_to(state.restarts);
  json.at("learning_rate").get_to(state.learning_rate);
  json.at("losses").get_to(state.losses);
  json.at("valid_aucs").get_to(state.valid_aucs);
  json.at("updates").get_to(state.updates);
}

}  // namespace

void save_model(const fs::path& path, const std::vector<Parameter>& parameters,
                const Metadata& metadata) {
  std::vector<TensorView> tensors;
  tensors.reserve(parameters.size());
  for (const Parameter& parameter : parameters) {
    tensors.push_back({parameter.name, parameter.shape, parameter.values});
  }
  Metadata described = metadata;
  described[kFormat] = kModelFormat;
  write_tensors(path, tensors, described);
}

Metadata read_metadata(const fs::path& path) {
  Metadata metadata = read_tensors(path).metadata;
  require_format(path, metadata, kModelFormat);
  return metadata;
}

Metadata load_model(const fs::path& path, std::vector<Parameter> parameters) {
  const TensorFile file = read_tensors(path);
  require_format(path, file.metadata, kModelFormat);
  for (Parameter& parameter : parameters) {
    const auto found = file.tensors.find(parameter.name);
    if (found == file.tensors.end()) {
      fail_in(path, "has no array '{}'", parameter.name);
    }
    if (found->second.shape != parameter.shape) {
      fail_in(path, "array '{}' does not fit the model and its graph", parameter.name);
    }
    if (!all_finite(found->second.values)) {
      fail_in(path, "array '{}' holds values that are not finite numbers", parameter.name);
    }
    std::copy(found->second.values.begin(), found->second.values.end(), parameter.values.begin());
  }
  return file.metadata;
}

void save_state(const fs::path& path, const std::vector<Parameter>& parameters,
                const TrainState& state, Metadata metadata) {
  std::vector<TensorView> tensors;
  nlohmann::json order = nlohmann::json::array();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    order.push_back(parameter.name);
    tensors.push_back({parameter.name, parameter.shape, state.values[i]});
    tensors.push_back({parameter.name + ".mean", parameter.shape, state.means[i]});
    tensors.push_back({parameter.name + ".square", parameter.shape, state.squares[i]});
    tensors.push_back({parameter.name + ".best", parameter.shape, state.best[i]});
  }
  metadata[kFormat] = kStateFormat;
  metadata[kProgress] = progress_of(state).dump();
  metadata[kOrder] = order.dump();
  write_tensors(path, tensors, metadata);
}

TrainState load_state(const fs::path& path, const Metadata& expected) {
  TensorFile file = read_tensors(path);
  require_format(path, file.metadata, kStateFormat);
  for (const auto& [key, value] : expected) {
    require_same(path, key, file.metadata[key], value);
  }
  TrainState state;
  try {
    take_progress(nlohmann::json::parse(file.metadata[kProgress]), state);
    for (const auto& name : nlohmann::json::parse(file.metadata[kOrder])) {
      const auto base = name.get<std::string>();
      state.values.push_back(std::move(file.tensors.at(base).values));
      state.means.push_back(std::move(file.tensors.at(base + ".mean").values));
      state.squares.push_back(std::move(file.tensors.at(base + ".square").values));
      state.best.push_back(std::move(file.tensors.at(base + ".best").values));
    }
  } catch (const nlohmann::json::exception& problem) {
    fail_in(path, "its description of the run is damaged: {}", json_problem(problem));
  } catch (const std::out_of_range&) {
    fail_in(path, "an array of the run's state is missing");
  }
  return state;
}

}  // namespace disenlink::detail
