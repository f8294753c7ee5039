// How many threads the library uses. Results are the same for any number.
#pragma once

namespace disenlink {

// Cores this process may run on (its affinity mask).
int usable_cores();

// Starts as usable_cores().
int num_threads();

// Throws UsageError below 1.
void set_num_threads(int count);

}  // namespace disenlink
