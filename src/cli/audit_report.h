// An audit as people read it.
#pragma once

#include <string>

#include "disenlink/audit.h"

namespace disenlink::cli {

// Counts of each part, the findings, and the verdict.
std::string audit_text(const SplitAudit& audit);

// One line for a split that leaks.
std::string leak_text(const SplitAudit& audit);

}  // namespace disenlink::cli
