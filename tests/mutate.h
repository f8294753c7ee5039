// Damaged variants of a valid file. Whatever the bytes, a reader may only succeed or throw Error.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "disenlink/error.h"
#include "disenlink/random.h"
#include "test_files.h"

namespace disenlink::testing {

inline std::string mutated(std::string bytes, Random& random) {
  const auto position = [&] { return static_cast<size_t>(random.below(bytes.size() + 1)); };
  for (uint64_t round = 1 + random.below(3); round > 0 && !bytes.empty(); --round) {
    const size_t at = std::min(position(), bytes.size() - 1);
    const size_t length = std::min<size_t>(1 + random.below(16), bytes.size() - at);
    switch (random.below(7)) {
      case 0:  // one bit
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        break;
      case 1:  // one byte
        bytes[at] = static_cast<char>(random.below(256));
        break;
      case 2:  // cut short
        bytes.resize(at);
        break;
      case 3:  // something is missing
        bytes.erase(at, length);
        break;
      case 4:  // something is there twice
        bytes.insert(position(), bytes.substr(at, length));
        break;
      case 5:  // an extreme number in binary
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length,
                    random.below(2) == 0 ? '\xff' : '\x7f');
        break;
      default:  // an extreme or senseless token in text
        static constexpr const char* kTokens[] = {
            "-1", "99999999999999999999", "nan", ",", "\n", "\"", "1e400", "[", "", "\t"};
        bytes.insert(position(), kTokens[random.below(std::size(kTokens))]);
    }
  }
  return bytes;
}

// Feeds `count` damaged variants of `bytes`, written as folder/name, to read(). Other files of the
// folder stay as they are.
template <typename Read>
void expect_survives_mutations(const TemporaryFolder& folder, const std::string& name,
                               const std::string& bytes, int count, Read&& read) {
  Random random(1, name);
  int accepted = 0;
  for (int i = 0; i < count; ++i) {
    const std::string variant = mutated(bytes, random);
    folder.write(name, variant);
    try {
      read();
      ++accepted;
    } catch (const Error& error) {
      ASSERT_NE(std::string(error.what()), "") << "variant " << i << " of " << name;
    } catch (const std::exception& error) {
      FAIL() << "variant " << i << " of " << name << " escaped as: " << error.what();
    }
  }
  folder.write(name, bytes);
  EXPECT_LT(accepted, count) << "no variant of " << name << " was ever rejected";
}

}  // namespace disenlink::testing
