// Counting what a split gives away.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "disenlink/split.h"

namespace disenlink {

// Rows of the later part whose pair is also in the earlier part.
struct PartOverlap {
  std::string_view earlier;
  std::string_view later;
  int64_t same_direction = 0;
  int64_t reversed = 0;            // only in the other direction
  int64_t repeated_negatives = 0;  // in either direction
};

struct PartAudit {
  std::string_view part;
  int64_t positives = 0;
  int64_t negatives = 0;
  int64_t visible_positives = 0;  // pair is in the message graph; 0 for the training part
  int64_t learnt_positives = 0;   // others, from which the scored model was learnt or chosen
  int64_t negatives_that_are_links = 0;
  int64_t duplicate_positives = 0;  // rows whose pair came before, in either direction
  int64_t duplicate_negatives = 0;
  int64_t self_positives = 0;
  int64_t self_negatives = 0;
};

struct SplitAudit {
  std::array<PartAudit, 3> parts;       // train, valid, test
  std::array<PartOverlap, 3> overlaps;  // train-valid, train-test, valid-test

  // Share of test positives that the model can look up or has learnt.
  double leaked_share() const;

  // A pair in two parts, a visible or learnt evaluation link, a negative that is a link, or a
  // negative in two parts. Duplicates within a part and self pairs distort a score but give nothing
  // away.
  bool leaks() const;

  // What was found, in plain sentences; one sentence when nothing was.
  std::vector<std::string> findings() const;
};

// Links are those of the graph, or, without one, the positives of all parts. `learnt_on` is the
// split that a model was trained on which is scored on another one: its training and validation
// links give away test links, its training links also validation links.
SplitAudit audit_split(const EdgeSplit& split, const Adjacency* links = nullptr,
                       const EdgeSplit* learnt_on = nullptr);

}  // namespace disenlink
