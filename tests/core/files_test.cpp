#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

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

TEST(OutputFile, WritesThroughPipesAndLinks) {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_whole_file(pipe, "through");
  char received[16] = {};
  EXPECT_EQ(read(reader, received, sizeof(received)), 7);
  EXPECT_STREQ(received, "through");
  close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));

  const auto file = folder.write("file", "old");
  std::filesystem::create_symlink("file", folder.path() / "link");
  write_whole_file(folder.path() / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(slurp(file), "new");
}

TEST(OutputFolder, RefusesAndReplaces) {
  const TemporaryFolder folder;
  folder.write("out/sub/kept.txt", "old");
  const auto place = folder.path() / "out";
  EXPECT_THAT(error_of([&] { OutputFolder(place, false, {"sub/*.txt"}); }),
              HasSubstr("already holds files"));
  EXPECT_THAT(error_of([&] { OutputFolder(place, true, {"*.csv"}); }),
              HasSubstr("out: holds 'sub/kept.txt', which is no part of what would replace it"));
  OutputFolder out(place, true, {"sub/*.txt"});
  write_whole_file(out.staging() / "fresh", "new");
  EXPECT_TRUE(std::filesystem::exists(place / "sub/kept.txt"));
  out.commit();
  EXPECT_FALSE(std::filesystem::exists(place / "sub"));
  EXPECT_EQ(slurp(place / "fresh"), "new");
}

TEST(LineReader, RefusesLinesThatEndWithACarriageReturnAlone) {
  const TemporaryFolder folder;
  LineReader reader(folder.write("lines", "a,b\rb,c\r"));
  std::string_view line;
  EXPECT_THAT(error_of([&] { reader.next(line); }),
              HasSubstr("lines:1: has a carriage return within a line"));
}

}  // namespace
}  // namespace disenlink::detail
