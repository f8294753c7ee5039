// Named settings of DisenLink.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace disenlink::detail {

// "default", "paper" (the paper's formulas) and "published" (the authors' code, with its settings
// for each dataset, but for two that validation improved on).
const std::vector<std::string>& preset_names();

// Options by name, of the model and of training, that differ from the defaults for this dataset.
std::map<std::string, std::string> preset_options(std::string_view preset,
                                                  std::string_view dataset);

}  // namespace disenlink::detail
