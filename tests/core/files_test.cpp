#include <gmock/gmock.h>

#include "core/input_file.h"
#include "core/output_file.h"
#include "test_files.h"

namespace disenlink::detail {
namespace {

using ::testing::EndsWith;
using testing::error_of;
using ::testing::HasSubstr;
using testing::slurp;
using testing::TemporaryFolder;

TEST(LineReader, GivesLinesOfEveryEnding) {
  const TemporaryFolder folder;
  LineReader reader(folder.write("lines",
                                 "\xef\xbb\xbf"
                                 "one\ntwo\r\n\nlast"));
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
  }
  EXPECT_THAT(lines, ::testing::ElementsAre("one", "two", "", "last"));
  EXPECT_EQ(reader.line_number(), 4);
}

TEST(LineReader, JoinsLinesAcrossChunks) {
  const TemporaryFolder folder;
  const std::string longer(700'000, 'x');
  LineReader reader(folder.write("lines", "a\n" + longer + "\nb\n"));
  std::string_view line;
  ASSERT_TRUE(reader.next(line));
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, longer);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "b");
  EXPECT_FALSE(reader.next(line));
}

TEST(InputFile, SaysWhatIsWrongWithThePath) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { InputFile file(folder.path() / "absent"); }),
              EndsWith("absent: no such file"));
  EXPECT_THAT(error_of([&] { InputFile file(folder.path()); }),
              HasSubstr("is a folder, expected a file"));
  EXPECT_THAT(error_of([&] { InputFile file(folder.write("nothing", "")); }),
              EndsWith("nothing: is empty"));
}

TEST(OutputFile, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  { OutputFile(folder.path() / "sub" / "file").write("half"); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "sub"));
}

TEST(OutputFile, ReplacesOnlyOnCommit) {
  const TemporaryFolder folder;
  const auto path = folder.write("file", "old");
  OutputFile file(path);
  file.write("new");
  EXPECT_EQ(slurp(path), "old");
  file.commit();
  EXPECT_EQ(slurp(path), "new");
}

TEST(OutputFolder, RefusesAndReplaces) {
  const TemporaryFolder folder;
  folder.write("out/kept", "old");
  EXPECT_THAT(error_of([&] { OutputFolder(folder.path() / "out", false); }),
              HasSubstr("already holds files"));
  OutputFolder out(folder.path() / "out", true);
  write_whole_file(out.staging() / "fresh", "new");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / "kept"));
  out.commit();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out" / "kept"));
  EXPECT_EQ(slurp(folder.path() / "out" / "fresh"), "new");
}

}  // namespace
}  // namespace disenlink::detail
