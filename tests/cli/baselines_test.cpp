// The learned baselines as a user meets them: options by model, and every verb that has a meaning.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/trained_model.h"

namespace disenlink::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class BaselinesTest : public TrainedModelTest {
 protected:
  Words train(const std::string& model, const std::string& out, const Words& more = {}) const {
    return Words{"train", "--model", model, "--dataset", "g", "--epochs", "2", "--out", out} + more;
  }
};

TEST_F(BaselinesTest, HelpShowsTheOptionsOfTheModel) {
  EXPECT_THAT(output({"train", "--model", "gat", "--help"}),
              AllOf(HasSubstr("--heads"), HasSubstr("--message-graph"), HasSubstr("[0.005]"),
                    Not(HasSubstr("--factors"))));
  EXPECT_THAT(
      output({"train", "--help"}),
      AllOf(HasSubstr("--factors"), HasSubstr("--no-leave-one-out"), Not(HasSubstr("--heads"))));
  EXPECT_THAT(output({"eval", "--model", "cn", "--help"}), Not(HasSubstr("--lr")));
}

TEST_F(BaselinesTest, OptionsOfAnotherModelAreUnknown) {
  EXPECT_THAT(failure({"train", "--model", "vgae", "--dataset", "g", "--heads", "3"}, 2),
              HasSubstr("unknown option '--heads'"));
  EXPECT_THAT(failure({"train", "--model", "gnn", "--dataset", "g"}, 2),
              AllOf(HasSubstr("'gnn' given"), HasSubstr("factorgnn"), HasSubstr("seal")));
  EXPECT_THAT(failure(train("factorgnn", "f", {"--hidden", "10"}), 2),
              HasSubstr("expected a multiple of the 8 factors"));
}

TEST_F(BaselinesTest, TheModelMayComeFromARecord) {
  output(train("gpr-gnn", "first", {"--alpha", "0.7", "--hidden", "4"}));
  output({"train", "--config", "first/record.json", "--out", "second"});
  const json first = json::parse(content("first/record.json"));
  const json second = json::parse(content("second/record.json"));
  EXPECT_EQ(second.at("model"), "gpr-gnn");
  EXPECT_EQ(second.at("options").at("alpha"), 0.7);
  EXPECT_EQ(first.at("test"), second.at("test"));
}

TEST_F(BaselinesTest, PresetsDependOnModelAndDataset) {
  output(train("vgae", "v", {"--preset", "published"}));
  const json options = json::parse(content("v/record.json")).at("options");
  EXPECT_EQ(options.at("message-graph"), "one-direction");
  EXPECT_EQ(options.at("fresh-negatives"), false);
  EXPECT_EQ(options.at("lr"), 0.005);
}

TEST_F(BaselinesTest, WhatIsOnCanBeTurnedOff) {
  const Words small = {"--factors", "2", "--embed", "3", "--hidden", "4"};
  output(train("disenlink", "a", small + Words{"--no-leave-one-out"}));
  output(train("disenlink", "b", small + Words{"--leave-one-out=false"}));
  for (const std::string model : {"a", "b"}) {
    EXPECT_EQ(json::parse(content(model + "/record.json")).at("options").at("leave-one-out"),
              false);
  }
}

TEST_F(BaselinesTest, EveryVerbWithAMeaningWorks) {
  for (const std::string model :
       {"seal", "vgae", "argva", "gpr-gnn", "fagcn", "linkx", "gat", "disengcn", "factorgnn"}) {
    SCOPED_TRACE(model);
    output(train(model, model));
    const json record = json::parse(content(model + "/record.json"));
    EXPECT_EQ(json_output({"eval", model}).at("mean"), record.at("test"));
    EXPECT_EQ(csv_rows(output({"predict", model, "--node", "7", "--top", "3"})).size(), 4);
    EXPECT_THAT(failure({"explain", model, "1", "2"}), HasSubstr("cannot tell why"));
    EXPECT_THAT(failure({"analyze", model}), HasSubstr("has no factors"));
    if (model == "seal") {
      EXPECT_THAT(failure({"embed", model, "--out", "e"}),
                  HasSubstr("seal looks at pairs and has no vectors"));
    } else {
      output({"embed", model, "--as", "csv", "--out", model + "-vectors"});
      EXPECT_EQ(csv_rows(content(model + "-vectors/z.csv")).size(), 121);
      EXPECT_THAT(failure({"embed", model, "--what", "h", "--out", "e"}, 2),
                  HasSubstr("one kind of vectors: z"));
    }
  }
}

TEST_F(BaselinesTest, NewNodesWhereTheModelCanTakeThem) {
  folder_.write("new.csv", "id,age,town\neva,31,rome\n");
  for (const std::string model : {"gat", "linkx"}) {
    output(Words{"train", "--model", model, "--epochs", "2", "--out", model} + kPeople);
  }
  EXPECT_EQ(csv_rows(output({"predict", "gat", "--new-nodes", "new.csv", "--top", "2"})).size(), 3);
  EXPECT_THAT(failure({"predict", "linkx", "--new-nodes", "new.csv"}),
              HasSubstr("LINKX has a weight for each of its 60 training nodes"));
}

TEST_F(BaselinesTest, NeedFeaturesWhereTheyUseThem) {
  std::string links;
  for (int node = 0; node < 40; ++node) {
    links += fmt::format("{},{}\n{},{}\n", node, (node + 1) % 40, node, (node + 2) % 40);
  }
  folder_.write("links.csv", links);
  EXPECT_THAT(failure({"train", "--model", "vgae", "--edges", "links.csv", "--out", "v"}),
              HasSubstr("needs node features"));
  output({"train", "--model", "seal", "--edges", "links.csv", "--epochs", "1", "--out", "s"});
}

}  // namespace
}  // namespace disenlink::testing
