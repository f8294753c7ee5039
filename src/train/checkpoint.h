// A trained model, and the state of a run that may go on, as .safetensors files.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "disenlink/model.h"
#include "disenlink/train.h"

namespace disenlink::detail {

using Metadata = std::map<std::string, std::string>;

// The parameters by their names, and what is needed to use them again.
void save_model(const std::filesystem::path& path, const std::vector<Parameter>& parameters,
                const Metadata& metadata);

// Fills the model's parameters; throws Error where names or shapes differ. Returns the metadata.
Metadata load_model(const std::filesystem::path& path, std::vector<Parameter> parameters);

Metadata read_metadata(const std::filesystem::path& path);

// Values, moments and best values of every parameter, the curve and the counters.
void save_state(const std::filesystem::path& path, const std::vector<Parameter>& parameters,
                const TrainState& state, Metadata metadata);

// Throws Error where `key` in the file's metadata differs from the expected text: the state then
// belongs to another run.
TrainState load_state(const std::filesystem::path& path, const Metadata& expected);

}  // namespace disenlink::detail
