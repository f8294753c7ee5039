#include "data/pickle.h"

#include "core/input_file.h"
#include "core/text.h"
#include "data/pickle_machine.h"

namespace disenlink::detail {
namespace {

bool has_items(PickleValue value) {
  return value.is(PickleKind::kTuple) || value.is(PickleKind::kList) ||
         value.is(PickleKind::kDict) || value.is(PickleKind::kObject);
}

}  // namespace

Pickle Pickle::read(const std::filesystem::path& path, int64_t max_inflated_bytes) {
  Pickle pickle;
  pickle.path_ = path;
  pickle.content_ = read_whole_file(path, max_inflated_bytes);
  PickleMachine(pickle).run();
  return pickle;
}

std::span<const PickleValue> Pickle::items(PickleValue container) const {
  return has_items(container) ? std::span<const PickleValue>(containers_[container.payload].items)
                              : std::span<const PickleValue>();
}

std::string_view Pickle::string(PickleValue text) const {
  if (!text.is_string()) {
    return {};
  }
  const Text& place = texts_[text.payload];
  return std::string_view(content_).substr(place.begin, place.length);
}

std::optional<PickleValue> Pickle::find(PickleValue dict, std::string_view key) const {
  const auto entries = items(dict);
  for (size_t i = 0; dict.is(PickleKind::kDict) && i + 1 < entries.size(); i += 2) {
    if (entries[i].is_string() && string(entries[i]) == key) {
      return entries[i + 1];
    }
  }
  return std::nullopt;
}

bool Pickle::is_object_of(PickleValue value, PickleGlobal made_by) const {
  return value.is(PickleKind::kObject) && items(value)[0].payload == static_cast<int64_t>(made_by);
}

int64_t Pickle::offset(PickleValue value) const {
  if (has_items(value)) {
    return containers_[value.payload].offset;
  }
  return value.is_string() ? texts_[value.payload].begin : 0;
}

std::string Pickle::describe(PickleValue value) const {
  switch (value.kind) {
    case PickleKind::kNone:
      return "None";
    case PickleKind::kBool:
      return value.payload != 0 ? "True" : "False";
    case PickleKind::kInteger:
      return fmt::format("the number {}", value.payload);
    case PickleKind::kReal:
      return fmt::format("the number {}", value.real());
    case PickleKind::kText:
    case PickleKind::kBytes:
      return fmt::format("the text {}", quoted(string(value)));
    case PickleKind::kTuple:
      return fmt::format("a tuple of {}", items(value).size());
    case PickleKind::kList:
      return fmt::format("a list of {}", items(value).size());
    case PickleKind::kDict:
      return fmt::format("a dict of {}", items(value).size() / 2);
    case PickleKind::kGlobal:
      return std::string(pickle_global_name(static_cast<PickleGlobal>(value.payload)));
    case PickleKind::kObject:
      return "an object made by " + describe(items(value)[0]);
  }
  return "nothing";
}

}  // namespace disenlink::detail
