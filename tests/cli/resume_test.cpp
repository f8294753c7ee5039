// Training that is stopped or killed, and goes on.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <random>

#include "cli/trained_model.h"

namespace disenlink::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kEpochs = 100;

int count_lines(const fs::path& path) {
  const std::string text = slurp(path);
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

// A run of a hundred epochs, and what it leaves when nobody disturbs it.
class ResumeTest : public TrainedModelTest {
 protected:
  static void SetUpTestSuite() {
    TrainedModelTest::SetUpTestSuite();
    whole_run = std::make_unique<TemporaryFolder>();
    const RunOptions here = {.folder = whole_run->path()};
    output_of({"data", "generate", "g", "--nodes", "300", "--links", "2000", "--quiet"}, here);
    output_of(long_train("whole", {"--quiet"}), here);
  }
  static void TearDownTestSuite() {
    whole_run.reset();
    TrainedModelTest::TearDownTestSuite();
  }

  static Words long_train(const std::string& out, const Words& more) {
    return Words{"train",
                 "--dataset",
                 (whole_run->path() / "g").string(),
                 "--out",
                 out,
                 "--epochs",
                 std::to_string(kEpochs),
                 "--lr",
                 "0.005",
                 "--hidden",
                 "32",
                 "--epoch-log",
                 "log"} +
           more;
  }

  // Sends the signal once so many epochs are in the log.
  ProgramResult disturb(const Words& arguments, int signal, int epochs) {
    return run_program(arguments,
                       {.folder = folder_.path(), .signal = signal, .signal_when = [this, epochs] {
                          return count_lines(folder_.path() / "log") >= epochs;
                        }});
  }

  void expect_undisturbed(const std::string& model) const {
    EXPECT_EQ(content(model + "/model.safetensors"),
              slurp(whole_run->path() / "whole/model.safetensors"));
    EXPECT_EQ(content(model + "/split/test_pos.txt"),
              slurp(whole_run->path() / "whole/split/test_pos.txt"));
    const json record = json::parse(content(model + "/record.json"));
    const json whole = json::parse(slurp(whole_run->path() / "whole/record.json"));
    for (const char* key : {"test", "valid", "curve", "best_epoch", "epochs", "options"}) {
      EXPECT_EQ(record.at(key), whole.at(key)) << key;
    }
  }

  static inline std::unique_ptr<TemporaryFolder> whole_run;
};

TEST_F(ResumeTest, AfterASignalItGoesOnToTheSameBits) {
  for (const auto& [signal, threads] : {std::pair(SIGINT, "1"), std::pair(SIGTERM, "2")}) {
    const std::string out = threads;
    fs::remove(folder_.path() / "log");
    const ProgramResult stopped = disturb(long_train(out, {"--threads", threads}), signal, 40);
    EXPECT_EQ(stopped.exit_code, 1);
    EXPECT_THAT(stopped.errors, AllOf(HasSubstr("--resume"), HasSubstr("disenlink: interrupted")));
    EXPECT_THAT(names_in(folder_.path() / out), ElementsAre("checkpoint.safetensors"));
    EXPECT_THAT(failure(long_train(out, {})), HasSubstr("holds an interrupted run"));
    output(long_train(out, {"--resume"}));
    expect_undisturbed(out);
    EXPECT_THAT(names_in(folder_.path() / out),
                ElementsAre("model.safetensors", "record.json", "split"));
    EXPECT_EQ(count_lines(folder_.path() / "log"), kEpochs) << "an epoch is logged once";
  }
}

TEST_F(ResumeTest, KilledAtAnyMomentItGoesOnToTheSameBits) {
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<int> more(0, 15);
  const fs::path checkpoint = folder_.path() / "out/checkpoint.safetensors";
  const Words often = {"--checkpoint-seconds", "0"};
  for (int epochs = more(random); epochs < 70; epochs += 10 + more(random)) {
    const Words resume = fs::exists(checkpoint) ? Words{"--resume"} : Words{};
    const ProgramResult killed = disturb(long_train("out", often + resume), SIGKILL, epochs);
    EXPECT_EQ(killed.exit_code, -1) << killed.errors;
    for (const std::string& name :
         fs::exists(folder_.path() / "out") ? names_in(folder_.path() / "out") : Words{}) {
      EXPECT_TRUE(name == "checkpoint.safetensors" || name.find(".tmp-") != std::string::npos)
          << name << " after a kill in epoch " << epochs;
    }
  }
  ASSERT_TRUE(fs::exists(checkpoint));
  output(long_train("out", {"--resume"}));
  expect_undisturbed("out");
}

TEST_F(ResumeTest, KilledBesideAGoodModelItLeavesThatModel) {
  const json before = json_output({"eval", "m"});
  disturb(long_train("m", {"--force", "--checkpoint-seconds", "0"}), SIGKILL, 30);
  EXPECT_EQ(json_output({"eval", "m"}).at("mean"), before.at("mean"));
  EXPECT_THAT(failure(long_train("m", {"--resume"})), HasSubstr("--force"));
  output(long_train("m", {"--resume", "--force"}));
  expect_undisturbed("m");
}

// `eval --resume` keeps its checkpoint beside the record that is being made.
class EvalResumeTest : public ResumeTest {
 protected:
  static Words evaluate(const std::string& out, const Words& more = {}) {
    return Words{"eval",     "--model", "disenlink", "--dataset", "g",        "--out", out,
                 "--hidden", "32",      "--lr",      "0.005",     "--epochs", "150",   "--resume"} +
           more;
  }

  // Stops when the checkpoint of this file name is there: after an epoch or some.
  void stop_at(const std::string& checkpoint, const std::string& out) {
    const ProgramResult stopped = run_program(
        evaluate(out, {"--runs", "2", "--checkpoint-seconds", "0"}),
        {.folder = folder_.path(), .signal = SIGTERM, .signal_when = [this, checkpoint] {
           return fs::exists(folder_.path() / checkpoint);
         }});
    EXPECT_EQ(stopped.exit_code, 1);
    EXPECT_THAT(stopped.errors, HasSubstr("disenlink: interrupted"));
  }
};

TEST_F(EvalResumeTest, GoesOnToTheSameScores) {
  const std::string second = "cut/disenlink-g-strict-seed2";
  stop_at(second + ".checkpoint.safetensors", "cut");
  EXPECT_THAT(names_in(folder_.path() / "cut"),
              ElementsAre("disenlink-g-strict-seed1.json",
                          "disenlink-g-strict-seed2.checkpoint.safetensors"));
  EXPECT_THAT(failure(evaluate("cut", {"--seed", "2", "--beta", "0.25"})),
              HasSubstr("belongs to a run with other options: beta 0.5 there, 0.25 here"));
  EXPECT_THAT(run_program(evaluate("cut", {"--seed", "2"}), {.folder = folder_.path()}).errors,
              HasSubstr("seed 2: going on after epoch"));
  EXPECT_THAT(names_in(folder_.path() / "cut"),
              ElementsAre("disenlink-g-strict-seed1.json", "disenlink-g-strict-seed2.json"));
  output(evaluate("whole", {"--seed", "2"}));
  const json record = json::parse(content(second + ".json"));
  const json whole = json::parse(content("whole/disenlink-g-strict-seed2.json"));
  for (const char* key : {"test", "valid", "curve", "best_epoch", "epochs", "options"}) {
    EXPECT_EQ(record.at(key), whole.at(key)) << key;
  }
}

class ResumeFaultTest : public ResumeTest {
 protected:
  void SetUp() override {
    disturb(long_train("out", {}), SIGINT, 5);
    state_ = content("out/checkpoint.safetensors");
    ASSERT_FALSE(state_.empty());
  }

  std::string resume_with(const std::string& bytes) {
    folder_.write("out/checkpoint.safetensors", bytes);
    std::string text = failure(long_train("out", {"--resume"}));
    EXPECT_EQ(content("out/checkpoint.safetensors"), bytes);
    return text;
  }

  std::string state_;
};

TEST_F(ResumeFaultTest, OfAnotherRunIsRefused) {
  EXPECT_THAT(failure(Words{"train", "--dataset", "g", "--out", "out", "--resume"}),
              AllOf(HasSubstr("out/checkpoint.safetensors"), HasSubstr("another graph")));
  EXPECT_THAT(failure(long_train("out", {"--resume", "--beta", "0.25"})),
              HasSubstr("out/checkpoint.safetensors: belongs to a run with other options: "
                        "beta 0.5 there, 0.25 here"));
  EXPECT_EQ(content("out/checkpoint.safetensors"), state_);
  EXPECT_THAT(failure(long_train("nowhere", {"--resume"})),
              HasSubstr("nowhere/checkpoint.safetensors: there is no interrupted run"));
}

TEST_F(ResumeFaultTest, DamagedIsRefused) {
  EXPECT_THAT(resume_with(state_.substr(0, state_.size() - 100)), HasSubstr("truncated"));
  EXPECT_THAT(resume_with(state_.substr(0, 200)), HasSubstr("announces a header of"));
  EXPECT_THAT(resume_with(""), HasSubstr("is empty"));
  EXPECT_THAT(resume_with(content("m/model.safetensors")),
              HasSubstr("is a 'disenlink model 1' file, expected 'disenlink training state 3'"));
  // Arrays of another size than the model's: as many values, differently divided.
  std::string swapped = state_;
  const std::string names = R"([\"w1\",\"b1\")";
  const size_t place = swapped.find(names);
  ASSERT_NE(place, std::string::npos);
  swapped.replace(place, names.size(), R"([\"b1\",\"w1\")");
  EXPECT_THAT(resume_with(swapped), HasSubstr("does not fit the model and its graph"));
}

}  // namespace
}  // namespace disenlink::testing
