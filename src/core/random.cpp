#include "disenlink/random.h"

#include <bit>
#include <cmath>

namespace disenlink {
namespace {

uint64_t splitmix64(uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

// FNV-1a: only has to tell a handful of purposes apart.
uint64_t hash(std::string_view text) {
  uint64_t value = 0xcbf29ce484222325ULL;
  for (const char letter : text) {
    value = (value ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  }
  return value;
}

}  // namespace

Random::Random(uint64_t seed) noexcept {
  for (uint64_t& word : state_) {
    word = splitmix64(seed);
  }
}

Random::Random(uint64_t seed, std::string_view purpose) noexcept
    : Random(splitmix64(seed) ^ hash(purpose)) {}

uint64_t Random::next() noexcept {
  const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

uint64_t Random::below(uint64_t bound) noexcept {
  // Multiply-shift with rejection of the few draws that would favour small results.
  using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * bound;
  if (static_cast<uint64_t>(product) < bound) {
    const uint64_t threshold = (0 - bound) % bound;
    while (static_cast<uint64_t>(product) < threshold) {
      product = static_cast<Wide>(next()) * bound;
    }
  }
  return static_cast<uint64_t>(product >> 64);
}

double Random::uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Random::normal() noexcept {
  double first = 0;
  double second = 0;
  double squared = 0;
  do {
    first = 2 * uniform() - 1;
    second = 2 * uniform() - 1;
    squared = first * first + second * second;
  } while (squared >= 1 || squared == 0);
  return first * std::sqrt(-2 * std::log(squared) / squared);
}

}  // namespace disenlink
