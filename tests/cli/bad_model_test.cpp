// Faults around a trained model: one line that says what and where, and nothing is lost.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "cli/trained_model.h"

namespace disenlink::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string with_header(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof(length)) + header + data;
}

class BadModelTest : public TrainedModelTest {
 protected:
  // `train` that must fail without leaving a folder.
  std::string train_fault(const Words& more, int exit_code = 2) {
    std::string text = failure(Words{"train", "--out", "new"} + more, exit_code);
    EXPECT_FALSE(fs::exists(folder_.path() / "new")) << text;
    return text;
  }

  // What `predict` says about model m with these bytes as its file.
  std::string model_fault(const std::string& bytes, int exit_code = 1) {
    folder_.write("m/model.safetensors", bytes);
    std::string text = failure({"predict", "m", "--top", "3"}, exit_code);
    EXPECT_THAT(text, HasSubstr("m/model.safetensors: "));
    return text;
  }

  // The same after a change to the header of the good file.
  std::string header_fault(const std::function<void(json&)>& change, int exit_code = 1) {
    uint64_t length = 0;
    std::memcpy(&length, model_.data(), sizeof(length));
    json header = json::parse(model_.substr(sizeof(length), length));
    change(header);
    return model_fault(with_header(header.dump(), model_.substr(sizeof(length) + length)),
                       exit_code);
  }

  const std::string model_ = content("m/model.safetensors");
};

TEST_F(BadModelTest, SettingsThatCannotWork) {
  const auto fault = [&](const std::string& option, const std::string& value) {
    return train_fault({"--dataset", "g", option, value});
  };
  EXPECT_THAT(fault("--factors", "0"),
              HasSubstr("--factors: '0' given, expected a whole number from 1 to 1024"));
  EXPECT_THAT(fault("--hidden", "0"), HasSubstr("--hidden: '0' given"));
  EXPECT_THAT(fault("--lr", "nan"), HasSubstr("--lr: 'nan' given"));
  EXPECT_THAT(fault("--beta", "0"),
              HasSubstr("--beta: '0' given, expected a number above 0 and at most 1"));
  EXPECT_THAT(fault("--beta", "1.5"), HasSubstr("--beta: '1.5' given"));
  EXPECT_THAT(fault("--temperature", "0"),
              HasSubstr("--temperature: '0' given, expected a number above 0"));
  EXPECT_THAT(fault("--temperature", "-1"), HasSubstr("--temperature: '-1' given"));
  EXPECT_THAT(fault("--test-share", "0.99"),
              HasSubstr("test share 0.99 given, expected both above 0 and less than 1 together"));
}

TEST_F(BadModelTest, UnknownValuesListTheKnownOnes) {
  const auto fault = [&](const std::string& option, const std::string& value) {
    return train_fault({"--dataset", "g", option, value});
  };
  EXPECT_THAT(fault("--loss", "l1"), HasSubstr("expected one of: bce, mse"));
  EXPECT_THAT(fault("--variant", "half"),
              HasSubstr("one of: full, no-importance, no-selection, plain-score"));
  EXPECT_THAT(fault("--preset", "best"), HasSubstr("expected one of: default, paper, published"));
  EXPECT_THAT(fault("--model", "aa"), HasSubstr("aa does not learn"));
  EXPECT_THAT(failure({"train", "--dataset", "g"}, 2), HasSubstr("no folder given"));
}

TEST_F(BadModelTest, GraphsWithoutFeatures) {
  EXPECT_THAT(train_fault({"--edges", "people/friends.csv"}, 1),
              HasSubstr("needs node features, and this graph has none"));
  folder_.write("friends.csv", content("people/friends.csv") + "person-1,zoe\n");
  EXPECT_THAT(train_fault({"--edges", "friends.csv", "--nodes", "people/people.csv"}, 1),
              AllOf(HasSubstr("friends.csv:182: "), HasSubstr("'zoe'")));
}

TEST_F(BadModelTest, FoldersWithoutAModel) {
  for (const Words& verb :
       {Words{"predict", "g", "--top", "3"}, Words{"explain", "g", "1", "2"},
        Words{"embed", "g", "--out", "v"}, Words{"analyze", "g"}, Words{"eval", "g"}}) {
    EXPECT_THAT(failure(verb), HasSubstr("g: holds no trained model (model.safetensors)"));
  }
  EXPECT_THAT(failure({"predict", "absent", "--top", "3"}), HasSubstr("absent: "));
  EXPECT_THAT(failure({"predict", "--top", "3"}, 2), HasSubstr("no model given"));
}

TEST_F(BadModelTest, AGraphThatHasChanged) {
  output(small_train(kPeople, "own"));
  folder_.write("people/friends.csv", content("people/friends.csv") + "person-0,person-30\n");
  EXPECT_THAT(
      failure({"predict", "own", "--top", "3"}),
      AllOf(HasSubstr("own/model.safetensors: was trained on graph 'friends' with fingerprint"),
            HasSubstr("but 'friends' has")));
  fs::remove_all(folder_.path() / "people");
  EXPECT_THAT(failure({"predict", "own", "--top", "3"}),
              HasSubstr("people/people.csv: no such file"));
}

TEST_F(BadModelTest, WeightsThatGiveNoScores) {
  const auto with_weights = [&](float value) {
    std::string bytes = model_;
    for (size_t at = bytes.size() - 2000; at < bytes.size(); at += sizeof(value)) {
      std::memcpy(bytes.data() + at, &value, sizeof(value));
    }
    return bytes;
  };
  EXPECT_THAT(model_fault(with_weights(std::nanf(""))),
              HasSubstr("holds values that are not finite numbers"));
  folder_.write("m/model.safetensors", with_weights(1e38F));
  folder_.write("pairs.csv", "1,2\n");
  for (const Words& verb :
       {Words{"predict", "m", "--top", "3"}, Words{"predict", "m", "--node", "3"},
        Words{"predict", "m", "--pairs", "pairs.csv"}, Words{"explain", "m", "1", "2"}}) {
    EXPECT_THAT(failure(verb), HasSubstr("the model gives scores that are not numbers"));
  }
  EXPECT_THAT(failure({"embed", "m", "--out", "v"}), HasSubstr("holds values that are not finite"));
}

TEST_F(BadModelTest, TruncatedModels) {
  for (const size_t kept :
       {size_t{0}, size_t{5}, size_t{500}, model_.size() / 2 + 700, model_.size() - 1}) {
    model_fault(model_.substr(0, kept));
  }
  EXPECT_THAT(model_fault(model_ + "more"), HasSubstr("truncated or damaged"));
}

TEST_F(BadModelTest, HostileHeaders) {
  std::string long_header = model_;
  const uint64_t absurd = uint64_t{1} << 60;
  std::memcpy(long_header.data(), &absurd, sizeof(absurd));
  EXPECT_THAT(model_fault(long_header), HasSubstr("announces a header of 1152921504606846976"));
  EXPECT_THAT(model_fault(with_header("{nonsense", "")), HasSubstr("its header is not that of"));
  EXPECT_THAT(model_fault(with_header("[1, 2]", "")), HasSubstr("its header is not that of"));
  EXPECT_THAT(header_fault([](json& h) { h["b1"]["data_offsets"] = h["b2"]["data_offsets"]; }),
              HasSubstr("does not fill its bytes"));
  EXPECT_THAT(header_fault([](json& h) {
                h["b1"]["data_offsets"] = {4, 4 + 48 * 4};
              }),
              HasSubstr("overlap or leave gaps"));
  EXPECT_THAT(header_fault([](json& h) {
                const auto begin = h["b2"]["data_offsets"][0].get<uint64_t>();
                h["b2"]["shape"] = {1000, 1000};
                h["b2"]["data_offsets"][1] = begin + 4'000'000;
              }),
              HasSubstr("its header announces"));
  EXPECT_THAT(header_fault([](json& h) { h["w1"]["dtype"] = "F64"; }),
              HasSubstr("array 'w1' is of type \"F64\", expected F32"));
  EXPECT_THAT(header_fault([](json& h) { std::swap(h["w1"]["shape"][0], h["w1"]["shape"][1]); }),
              HasSubstr("array 'w1' does not fit the model and its graph"));
  EXPECT_THAT(header_fault([](json& h) {
                h["c1"] = h["b1"];
                h.erase("b1");
              }),
              HasSubstr("has no array 'b1'"));
}

TEST_F(BadModelTest, HostileDescriptions) {
  EXPECT_THAT(header_fault([](json& h) { h.erase("__metadata__"); }),
              HasSubstr("is a 'foreign' file, expected 'disenlink model 1'"));
  EXPECT_THAT(header_fault([](json& h) { h["__metadata__"]["format"] = "disenlink model 9"; }),
              HasSubstr("it may come from another version"));
  EXPECT_THAT(header_fault([](json& h) { h["__metadata__"]["options"] = "{"; }),
              HasSubstr("its options are damaged"));
  const auto with_option = [](const char* name, const json& value) {
    return [name, value](json& h) {
      json options = json::parse(h["__metadata__"]["options"].get<std::string>());
      options[name] = value;
      h["__metadata__"]["options"] = options.dump();
    };
  };
  EXPECT_THAT(header_fault(with_option("model", "aa")), HasSubstr("'aa' is no model"));
  EXPECT_THAT(header_fault(with_option("factors", 4)), HasSubstr("does not fit the model"));
  EXPECT_THAT(header_fault(with_option("factors", json()), 2), HasSubstr("'null' given"));
  EXPECT_THAT(header_fault(with_option("colour", "red"), 2), HasSubstr("unknown option 'colour'"));
}

TEST_F(BadModelTest, SplitsThatAreDamaged) {
  const std::string links = content("m/split/train_pos.txt");
  folder_.write("m/split/train_pos.txt", links + "3\t700\n");
  EXPECT_THAT(failure({"predict", "m", "--top", "3"}),
              HasSubstr("m/split/train_pos.txt:426: node 700 is out of range"));
  fs::remove(folder_.path() / "m/split/train_pos.txt");
  EXPECT_THAT(failure({"predict", "m", "--top", "3"}),
              HasSubstr("m/split/train_pos.txt: no such file"));
  fs::remove_all(folder_.path() / "m/split");
  EXPECT_THAT(failure({"eval", "m"}), HasSubstr("m/split: no such folder"));
  EXPECT_THAT(failure({"eval", "pm", "--split", "absent"}), HasSubstr("absent: no such folder"));
}

TEST_F(BadModelTest, PairsOfUnknownNodes) {
  folder_.write("numbers.csv", "1,2\n3,120\n");
  EXPECT_THAT(failure({"predict", "m", "--pairs", "numbers.csv"}),
              HasSubstr("numbers.csv:2: node 120 is out of range, expected 0 to 119"));
  folder_.write("names.csv", "person-1,person-2\nperson-3,Person-31\n");
  EXPECT_THAT(failure({"predict", "pm", "--pairs", "names.csv"}),
              HasSubstr("names.csv:2: unknown node 'Person-31' (did you mean 'person-31'?)"));
  EXPECT_THAT(failure({"predict", "pm", "--node", "person-600"}),
              HasSubstr("unknown node 'person-600' (did you mean 'person-0'?)"));
  EXPECT_THAT(failure({"predict", "m", "--pairs", "absent.csv"}),
              HasSubstr("absent.csv: no such file"));
  folder_.write("empty.csv", "");
  EXPECT_THAT(failure({"predict", "m", "--pairs", "empty.csv"}), HasSubstr("empty.csv: is empty"));
}

// Whatever goes wrong, the model that was there gives the scores that it gave.
class BadPlaceTest : public TrainedModelTest {
 protected:
  void SetUp() override { before_ = json_output({"eval", "m"}).at("mean"); }
  void TearDown() override {
    here_ = {.folder = folder_.path()};
    fs::permissions(folder_.path() / "m", fs::perms::all);
    EXPECT_EQ(json_output({"eval", "m"}).at("mean"), before_);
    EXPECT_THAT(names_in(folder_.path() / "m"),
                ElementsAre("model.safetensors", "record.json", "split"));
  }

  json before_;
};

TEST_F(BadPlaceTest, FoldersThatMayNotBeWritten) {
  here_.as_nobody = true;
  fs::permissions(folder_.path() / "m",
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                      fs::perms::others_exec,
                  fs::perm_options::replace);
  for (const Words& verb : {small_train({"--dataset", "g"}, "m", {"--force", "--seed", "2"}),
                            small_train({"--dataset", "g"}, "m/new"),
                            small_train({"--dataset", "g"}, "new", {"--epoch-log", "m/log"}),
                            Words{"predict", "m", "--top", "3", "--out", "m/links.csv"},
                            Words{"embed", "m", "--out", "m/vectors"},
                            Words{"analyze", "m", "--heatmap", "m/map.png"}}) {
    EXPECT_THAT(failure(verb), AllOf(HasSubstr("m"), HasSubstr("Permission denied")));
  }
}

TEST_F(BadPlaceTest, AFullDisk) {
  for (const long limit : {1000L, 4000L, 6000L}) {  // the model has 5 KB, the split up to 20
    here_.file_size_limit = limit;
    EXPECT_THAT(failure(small_train({"--dataset", "g"}, "m", {"--force", "--seed", "2"})),
                HasSubstr("cannot write: File too large; nothing was changed"))
        << limit;
  }
  here_.file_size_limit = 1000;
  EXPECT_THAT(failure({"predict", "m", "--top", "1000", "--out", "links.csv"}),
              HasSubstr("links.csv: cannot write: File too large"));
  EXPECT_THAT(failure({"embed", "m", "--out", "v"}), HasSubstr("cannot write: File too large"));
  EXPECT_THAT(failure({"analyze", "m", "--heatmap", "map.png"}),
              HasSubstr("map.png: cannot write: File too large"));
  EXPECT_THAT(names_in(folder_.path()), ElementsAre("g", "m", "people", "pm"));
}

TEST_F(BadPlaceTest, AFolderInWhichAnotherIsAtWork) {
  const int folder = open((folder_.path() / "m").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(folder, LOCK_EX), 0);
  EXPECT_THAT(failure(small_train({"--dataset", "g"}, "m", {"--force"})),
              HasSubstr("m: another process is at work in this folder"));
  close(folder);
}

TEST_F(BadPlaceTest, NamesThatNoRecordCanHold) {
  fs::copy(folder_.path() / "g", folder_.path() / "g\xe9", fs::copy_options::recursive);
  EXPECT_THAT(failure(small_train({"--dataset", "g\xe9"}, "new"), 2),
              HasSubstr("is no text in UTF-8, so no run record can hold it"));
}

TEST_F(BadPlaceTest, FilesWhereFoldersAreExpected) {
  folder_.write("file", "x");
  EXPECT_THAT(failure(small_train({"--dataset", "g"}, "file")),
              HasSubstr("file: is a file, expected a folder"));
  EXPECT_THAT(failure({"embed", "m", "--out", "file"}), HasSubstr("file: is a file"));
  EXPECT_THAT(failure({"predict", "m", "--top", "3", "--out", "g"}), HasSubstr("g: is a folder"));
  EXPECT_EQ(content("file"), "x");
}

}  // namespace
}  // namespace disenlink::testing
