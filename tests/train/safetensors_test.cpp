#include "train/safetensors.h"

#include <gmock/gmock.h>

#include "mutate.h"
#include "test_files.h"

namespace disenlink::detail {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using testing::slurp;
using testing::TemporaryFolder;

void write_small(const std::filesystem::path& path) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};
  const std::vector<float> b = {7};
  write_tensors(path, {{"a", {2, 3}, a}, {"b", {1}, b}}, {{"dataset", "small"}});
}

std::string with_header(const std::string& header, size_t data_bytes) {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header +
         std::string(data_bytes, '\0');
}

TEST(Safetensors, RoundTrip) {
  const TemporaryFolder folder;
  write_small(folder.path() / "m.safetensors");
  const TensorFile file = read_tensors(folder.path() / "m.safetensors");
  EXPECT_EQ(file.metadata.at("dataset"), "small");
  EXPECT_THAT(file.tensors.at("a").shape, ElementsAre(2, 3));
  EXPECT_THAT(file.tensors.at("a").values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(file.tensors.at("b").values, ElementsAre(7));
}

TEST(Safetensors, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& bytes) {
    const auto path = folder.write("bad", bytes);
    return error_of([&] { read_tensors(path); });
  };
  EXPECT_THAT(error("abc"), HasSubstr("too few for a .safetensors file"));
  EXPECT_THAT(error(std::string(16, '\xff')), HasSubstr("announces a header of"));
  EXPECT_THAT(error(with_header("{nonsense", 0)), HasSubstr("its header is not that of"));
  EXPECT_THAT(error(with_header(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", 8)),
              HasSubstr("is of type \"F64\", expected F32"));
  EXPECT_THAT(
      error(with_header(
          R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", 4)),
      HasSubstr("absurd shape"));
  EXPECT_THAT(error(with_header(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4)),
              HasSubstr("absurd shape"));
  EXPECT_THAT(error(with_header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                                   "b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                                12)),
              HasSubstr("overlap or leave gaps"));
  EXPECT_THAT(error(with_header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4)),
              HasSubstr("truncated or damaged"));
}

TEST(Safetensors, SurvivesMutations) {
  const TemporaryFolder folder;
  write_small(folder.path() / "m.safetensors");
  testing::expect_survives_mutations(folder, "m.safetensors",
                                     slurp(folder.path() / "m.safetensors"), 3000,
                                     [&] { read_tensors(folder.path() / "m.safetensors"); });
}

}  // namespace
}  // namespace disenlink::detail
