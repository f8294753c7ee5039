#include "disenlink/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/percent.h"
#include "graph/pair_set.h"

namespace disenlink {
namespace {

using detail::pair_key;
using detail::percent;
using detail::unordered_key;

using Keys = std::vector<uint64_t>;  // ascending, may repeat

Keys sorted_keys(const std::vector<NodePair>& pairs, uint64_t (*key)(NodePair)) {
  Keys keys(pairs.size());
  std::transform(pairs.begin(), pairs.end(), keys.begin(), key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

bool contains(const Keys& keys, uint64_t key) {
  return std::binary_search(keys.begin(), keys.end(), key);
}

int64_t repetitions(Keys keys) {
  const auto distinct_end = std::unique(keys.begin(), keys.end());
  return keys.end() - distinct_end;
}

int64_t self_pairs(const std::vector<NodePair>& pairs) {
  return std::count_if(pairs.begin(), pairs.end(),
                       [](NodePair pair) { return pair.source == pair.target; });
}

// The keys of one part, sorted once and searched often.
struct PartKeys {
  Keys directed_positives;
  Keys positives;
  Keys negatives;

  explicit PartKeys(const SplitPart& part)
      : directed_positives(sorted_keys(part.positives, pair_key)),
        positives(sorted_keys(part.positives, unordered_key)),
        negatives(sorted_keys(part.negatives, unordered_key)) {}
};

PartAudit audit_part(std::string_view name, const SplitPart& part, const PartKeys& keys,
                     const std::function<bool(NodePair)>& is_link) {
  PartAudit audit;
  audit.part = name;
  audit.positives = static_cast<int64_t>(part.positives.size());
  audit.negatives = static_cast<int64_t>(part.negatives.size());
  audit.negatives_that_are_links =
      std::count_if(part.negatives.begin(), part.negatives.end(), is_link);
  audit.duplicate_positives = repetitions(keys.positives);
  audit.duplicate_negatives = repetitions(keys.negatives);
  audit.self_positives = self_pairs(part.positives);
  audit.self_negatives = self_pairs(part.negatives);
  return audit;
}

// The message graph holds no self loops, so a self pair is never visible in it.
int64_t visible_positives(const SplitPart& part, const PartKeys& train) {
  return std::count_if(part.positives.begin(), part.positives.end(), [&](NodePair pair) {
    return pair.source != pair.target && contains(train.positives, unordered_key(pair));
  });
}

// Those that are visible are counted already.
int64_t learnt_positives(const SplitPart& part, const PartKeys& train, const Keys& learnt) {
  return std::count_if(part.positives.begin(), part.positives.end(), [&](NodePair pair) {
    const uint64_t key = unordered_key(pair);
    return contains(learnt, key) && !contains(train.positives, key);
  });
}

PartOverlap audit_overlap(std::string_view earlier_name, const PartKeys& earlier,
                          std::string_view later_name, const SplitPart& later) {
  PartOverlap overlap{.earlier = earlier_name, .later = later_name};
  for (const NodePair pair : later.positives) {
    if (contains(earlier.directed_positives, pair_key(pair))) {
      ++overlap.same_direction;
    } else if (contains(earlier.positives, unordered_key(pair))) {
      ++overlap.reversed;
    }
  }
  overlap.repeated_negatives = std::count_if(
      later.negatives.begin(), later.negatives.end(),
      [&](NodePair pair) { return contains(earlier.negatives, unordered_key(pair)); });
  return overlap;
}

void describe_part(const PartAudit& part, std::vector<std::string>& findings) {
  const auto say = [&](int64_t count, int64_t of, std::string_view what) {
    if (count > 0) {
      findings.push_back(fmt::format("{} of {} {} {} ({:.1f} %).", count, of, part.part, what,
                                     percent(count, of)));
    }
  };
  say(part.visible_positives, part.positives,
      "positives are links of the training graph, so a model can look them up");
  say(part.learnt_positives, part.positives,
      "positives are links from which the model was learnt or chosen");
  say(part.negatives_that_are_links, part.negatives, "negatives are links of the graph");
  say(part.duplicate_positives, part.positives,
      "positives repeat another of that part, in either direction");
  say(part.duplicate_negatives, part.negatives,
      "negatives repeat another of that part, in either direction");
  say(part.self_positives, part.positives, "positives join a node to itself");
  say(part.self_negatives, part.negatives, "negatives join a node to itself");
}

void describe_overlap(const PartOverlap& overlap, std::vector<std::string>& findings) {
  if (overlap.same_direction + overlap.reversed > 0) {
    findings.push_back(
        fmt::format("{} {} positives are also {} positives: {} in the same direction, {} reversed.",
                    overlap.same_direction + overlap.reversed, overlap.later, overlap.earlier,
                    overlap.same_direction, overlap.reversed));
  }
  if (overlap.repeated_negatives > 0) {
    findings.push_back(fmt::format("{} {} negatives are also {} negatives.",
                                   overlap.repeated_negatives, overlap.later, overlap.earlier));
  }
}

}  // namespace

SplitAudit audit_split(const EdgeSplit& split, const Adjacency* links, const EdgeSplit* learnt_on) {
  const PartKeys train(split.train);
  const PartKeys valid(split.valid);
  const PartKeys test(split.test);
  const auto is_link = [&](NodePair pair) {
    const uint64_t key = unordered_key(pair);
    return (links != nullptr && links->contains(pair)) || contains(train.positives, key) ||
           contains(valid.positives, key) || contains(test.positives, key);
  };
  SplitAudit audit;
  audit.parts = {audit_part("train", split.train, train, is_link),
                 audit_part("valid", split.valid, valid, is_link),
                 audit_part("test", split.test, test, is_link)};
  audit.parts[1].visible_positives = visible_positives(split.valid, train);
  audit.parts[2].visible_positives = visible_positives(split.test, train);
  if (learnt_on != nullptr) {
    std::vector<NodePair> learnt = learnt_on->train.positives;
    audit.parts[1].learnt_positives =
        learnt_positives(split.valid, train, sorted_keys(learnt, unordered_key));
    learnt.insert(learnt.end(), learnt_on->valid.positives.begin(),
                  learnt_on->valid.positives.end());
    audit.parts[2].learnt_positives =
        learnt_positives(split.test, train, sorted_keys(learnt, unordered_key));
  }
  audit.overlaps = {audit_overlap("train", train, "valid", split.valid),
                    audit_overlap("train", train, "test", split.test),
                    audit_overlap("valid", valid, "test", split.test)};
  return audit;
}

double SplitAudit::leaked_share() const {
  return percent(parts[2].visible_positives + parts[2].learnt_positives, parts[2].positives) / 100;
}

bool SplitAudit::leaks() const {
  const auto part_leaks = [](const PartAudit& part) {
    return part.visible_positives > 0 || part.learnt_positives > 0 ||
           part.negatives_that_are_links > 0;
  };
  const auto overlap_leaks = [](const PartOverlap& overlap) {
    return overlap.same_direction + overlap.reversed + overlap.repeated_negatives > 0;
  };
  return std::any_of(parts.begin(), parts.end(), part_leaks) ||
         std::any_of(overlaps.begin(), overlaps.end(), overlap_leaks);
}

std::vector<std::string> SplitAudit::findings() const {
  std::vector<std::string> findings;
  for (const PartAudit& part : parts) {
    describe_part(part, findings);
  }
  for (const PartOverlap& overlap : overlaps) {
    describe_overlap(overlap, findings);
  }
  if (findings.empty()) {
    findings.emplace_back("Nothing is shared between the parts and no negative is a link.");
  }
  return findings;
}

}  // namespace disenlink
