// disenlink explain, embed and analyze: looking into a trained model.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "cli/trained_model.h"

namespace disenlink::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSubsetOf;
using ::testing::StartsWith;

double sum_of(const json& numbers) {
  const auto values = numbers.get<std::vector<double>>();
  return std::accumulate(values.begin(), values.end(), 0.0);
}

class ExplainTest : public TrainedModelTest {
 protected:
  // logit, probability and factor as `predict` gives them.
  json predicted(const std::string& model, const std::string& source, const std::string& target) {
    folder_.write("pair.csv", source + "," + target + "\n");
    return json_output({"predict", model, "--pairs", "pair.csv"}).at(0);
  }

  std::set<std::string> training_neighbours(const std::string& model, const std::string& node) {
    std::set<std::string> found;
    std::istringstream lines(content(model + "/split/train_pos.txt"));
    for (std::string a, b; lines >> a >> b;) {
      if (a == node || b == node) {
        found.insert(a == node ? b : a);
      }
    }
    return found;
  }
};

TEST_F(ExplainTest, ContributionsAddUpToTheScore) {
  for (const auto& [model, source, target] :
       {std::tuple("pm", "person-3", "person-30"), std::tuple("m", "5", "9")}) {
    const json why = json_output({"explain", model, source, target});
    const json score = predicted(model, source, target);
    EXPECT_EQ(why.at("source"), source);
    EXPECT_EQ(why.at("target"), target);
    EXPECT_FALSE(why.at("is_link").get<bool>());
    EXPECT_NEAR(sum_of(why.at("contributions")), score.at("logit").get<double>(), 1e-5);
    EXPECT_NEAR(why.at("logit").get<double>(), score.at("logit").get<double>(), 1e-6);
    EXPECT_NEAR(why.at("probability").get<double>(), score.at("probability").get<double>(), 1e-6);
    EXPECT_NEAR(sum_of(why.at("importance")), 1, 1e-6);
    EXPECT_EQ(why.at("contributions").size(), 3);
    EXPECT_EQ(why.at("factor"), score.at("factor"));
    const auto importance = why.at("importance").get<std::vector<double>>();
    EXPECT_EQ(importance.at(why.at("factor").get<size_t>()),
              *std::max_element(importance.begin(), importance.end()));
  }
}

TEST_F(ExplainTest, NamesNeighboursAndFeatures) {
  const json why = json_output({"explain", "pm", "person-3", "person-5", "--most", "100"});
  EXPECT_TRUE(why.at("is_link").get<bool>());
  ASSERT_EQ(why.at("ends").size(), 2);
  for (const json& end : why.at("ends")) {
    const std::string node = end.at("node");
    double weights = 0;
    for (const json& carrier : end.at("carriers")) {
      EXPECT_TRUE(training_neighbours("pm", node).contains(carrier.at("node"))) << node;
      weights += carrier.at("weight").get<double>();
    }
    EXPECT_TRUE(end.at("carriers").empty() || std::abs(weights - 1) < 1e-5) << weights;
    Words features;
    double last = std::numeric_limits<double>::infinity();
    for (const json& feature : end.at("features")) {
      features.push_back(feature.at("feature"));
      const double size = std::abs(feature.at("effect").get<double>());
      EXPECT_LE(size, last) << "the largest effect comes first";
      last = size;
    }
    EXPECT_THAT(features, IsSubsetOf({"age", "town=bern", "town=oslo", "town=rome"}));
    EXPECT_FALSE(features.empty());
  }
  const json brief = json_output({"explain", "pm", "person-3", "person-5", "--most", "1"});
  EXPECT_EQ(brief.at("ends").at(0).at("features").size(), 1);
  EXPECT_EQ(brief.at("ends").at(0).at("features").at(0), why.at("ends").at(0).at("features").at(0));
}

TEST_F(ExplainTest, CarriersAreTheNeighboursOnThatFactor) {
  int fewer_than_neighbours = 0;
  for (const char* target : {"9", "17", "40", "77"}) {
    const json why = json_output({"explain", "m", "5", target, "--most", "1000"});
    for (const json& end : why.at("ends")) {
      const auto neighbours = training_neighbours("m", end.at("node"));
      fewer_than_neighbours += end.at("carriers").size() < neighbours.size() ? 1 : 0;
      double weights = 0;
      for (const json& carrier : end.at("carriers")) {
        weights += carrier.at("weight").get<double>();
      }
      EXPECT_TRUE(end.at("carriers").empty() || std::abs(weights - 1) < 1e-5) << weights;
    }
  }
  EXPECT_GT(fewer_than_neighbours, 0) << "no node has links on two factors: choose others";
}

TEST_F(ExplainTest, TextSaysTheSame) {
  const json why = json_output({"explain", "pm", "person-3", "person-5"});
  EXPECT_THAT(output({"explain", "pm", "person-3", "person-5"}),
              AllOf(StartsWith("person-3 and person-5 (linked): probability "),
                    HasSubstr("factor " + why.at("factor").dump() + " explains the pair"),
                    HasSubstr("contribution to the logit"), HasSubstr("town=")));
}

TEST_F(ExplainTest, UnknownNodes) {
  EXPECT_THAT(failure({"explain", "m", "5", "120"}),
              HasSubstr("unknown node '120': nodes are numbered 0 to 119"));
  EXPECT_THAT(failure({"explain", "pm", "person-3", "persn-44"}),
              HasSubstr("unknown node 'persn-44' (did you mean 'person-44'?)"));
  EXPECT_THAT(failure({"explain", "m", "5"}, 2), HasSubstr("two nodes are needed"));
}

class EmbedTest : public ExplainTest {
 protected:
  // A float32 array of `rows` rows; expects its shape in the header.
  std::vector<float> array(const std::string& name, const std::string& shape) {
    const std::string bytes = content(name);
    EXPECT_THAT(bytes, StartsWith("\x93NUMPY"));
    const size_t end = bytes.find('\n') + 1;
    EXPECT_THAT(bytes.substr(0, end),
                AllOf(HasSubstr("<f4"), HasSubstr("'fortran_order': False"), HasSubstr(shape)));
    std::vector<float> values((bytes.size() - end) / sizeof(float));
    std::memcpy(values.data(), bytes.data() + end, values.size() * sizeof(float));
    return values;
  }
};

TEST_F(EmbedTest, VectorsGiveTheScore) {
  output({"embed", "pm", "--what", "both", "--out", "v"});
  EXPECT_THAT(names_in(folder_.path() / "v"), ElementsAre("h.npy", "nodes.csv", "z.npy"));
  const std::vector<float> z = array("v/z.npy", "(60, 24)");
  const std::vector<float> h = array("v/h.npy", "(60, 24)");
  ASSERT_EQ(h.size(), 60 * 24);
  ASSERT_EQ(z.size(), 60 * 24);
  const std::vector<Words> names = csv_rows(content("v/nodes.csv"));
  ASSERT_EQ(names.size(), 61);
  EXPECT_THAT(names[0], ElementsAre("id"));
  EXPECT_THAT(names[1 + 3], ElementsAre("person-3"));
  const auto product = [](const std::vector<float>& rows, int a, int b, int factor) {
    const auto begin = [&](int node) { return rows.begin() + node * 24 + factor * 8; };
    return std::inner_product(begin(a), begin(a) + 8, begin(b), 0.0);
  };
  double logit = 0;
  for (int factor = 0; factor < 3; ++factor) {
    logit += std::exp(product(z, 3, 30, factor)) * product(h, 3, 30, factor);
  }
  EXPECT_NEAR(logit, predicted("pm", "person-3", "person-30").at("logit").get<double>(), 1e-4);
}

TEST_F(EmbedTest, CsvHoldsTheSameVectors) {
  output({"embed", "pm", "--out", "v"});
  output({"embed", "pm", "--as", "csv", "--out", "c"});
  EXPECT_THAT(names_in(folder_.path() / "v"), ElementsAre("h.npy", "nodes.csv"));
  EXPECT_THAT(names_in(folder_.path() / "c"), ElementsAre("h.csv"));
  const std::vector<float> h = array("v/h.npy", "(60, 24)");
  const std::vector<Words> rows = csv_rows(content("c/h.csv"));
  ASSERT_EQ(rows.size(), 61);
  EXPECT_EQ(rows[0].size(), 25);
  EXPECT_EQ(rows[0][0], "id");
  EXPECT_EQ(rows[0][1 + 8], "h1_0");
  for (int node = 0; node < 60; ++node) {
    EXPECT_EQ(rows[1 + node].at(0), "person-" + std::to_string(node));
    for (int i = 0; i < 24; ++i) {
      EXPECT_EQ(std::stof(rows[1 + node].at(1 + i)), h.at(node * 24 + i));
    }
  }
}

TEST_F(EmbedTest, ReplacesOnlyWhenTold) {
  folder_.write("v/mine", "x");
  EXPECT_THAT(failure({"embed", "m", "--out", "v"}),
              AllOf(HasSubstr("v: already holds files"), HasSubstr("--force")));
  EXPECT_THAT(names_in(folder_.path() / "v"), ElementsAre("mine"));
  EXPECT_THAT(failure({"embed", "m"}, 2), HasSubstr("no folder to write given"));
  EXPECT_THAT(failure({"embed", "m", "--out", "w", "--as", "xls"}, 2),
              HasSubstr("--as: 'xls' given, expected one of: npy, csv"));
  for (const char* not_its_own : {"v", "m", "g"}) {
    EXPECT_THAT(failure({"embed", "m", "--out", not_its_own, "--force"}),
                HasSubstr("which is no part of what would replace it; nothing was changed"));
  }
  EXPECT_THAT(names_in(folder_.path() / "v"), ElementsAre("mine"));
  EXPECT_THAT(names_in(folder_.path() / "m"),
              ElementsAre("model.safetensors", "record.json", "split"));
  fs::remove(folder_.path() / "v/mine");
  output({"embed", "m", "--out", "v", "--what", "both"});
  EXPECT_EQ(json_output({"embed", "m", "--out", "v", "--force"}).at("files"), json({"h.npy"}));
  EXPECT_THAT(names_in(folder_.path() / "v"), ElementsAre("h.npy", "nodes.csv"));
}

class AnalyzeTest : public EmbedTest {};

TEST_F(AnalyzeTest, NumbersAreInTheirRange) {
  const json found = json_output({"analyze", "m", "--heatmap", "map.png"});
  EXPECT_EQ(found.at("factors"), 3);
  EXPECT_EQ(found.at("width"), 8);
  for (const char* key : {"correlation_within", "correlation_between"}) {
    EXPECT_GT(found.at(key).get<double>(), 0) << key;
    EXPECT_LT(found.at(key).get<double>(), 1) << key;
  }
  EXPECT_NEAR(
      found.at("block_number").get<double>(),
      found.at("correlation_within").get<double>() / found.at("correlation_between").get<double>(),
      1e-9);
  EXPECT_EQ(sum_of(found.at("links")), 425) << "the training links, 85 % of 500";
  const auto dcor = found.at("distance_correlation").get<std::vector<double>>();
  ASSERT_EQ(dcor.size(), 9);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(dcor[a * 4], 1, 1e-9);
    for (int b = 0; b < 3; ++b) {
      EXPECT_NEAR(dcor[a * 3 + b], dcor[b * 3 + a], 1e-9);
      EXPECT_GE(dcor[a * 3 + b], 0);
      EXPECT_LE(dcor[a * 3 + b], 1 + 1e-9);
    }
  }
  EXPECT_GE(found.at("planted").at("nmi").get<double>(), 0);
  EXPECT_LE(found.at("planted").at("nmi").get<double>(), 1);
  EXPECT_GE(found.at("planted").at("accuracy").get<double>(), 1.0 / 3);
  EXPECT_EQ(found.at("planted").at("links"), 425);
}

TEST_F(AnalyzeTest, CorrelationIsThatOfTheColumns) {
  output({"embed", "pm", "--what", "h", "--out", "v"});
  const std::vector<float> h = array("v/h.npy", "(60, 24)");
  const auto moment = [&](int a, int b) {
    double sum_a = 0;
    double sum_b = 0;
    double products = 0;
    for (int node = 0; node < 60; ++node) {
      const double x = h[node * 24 + a];
      const double y = h[node * 24 + b];
      sum_a += x;
      sum_b += y;
      products += x * y;
    }
    return products / 60 - sum_a / 60 * sum_b / 60;
  };
  double within = 0;
  double between = 0;
  for (int a = 0; a < 24; ++a) {
    for (int b = 0; b < 24; ++b) {
      const double size = std::abs(moment(a, b)) / std::sqrt(moment(a, a) * moment(b, b));
      if (a != b) {
        (a / 8 == b / 8 ? within : between) += size;
      }
    }
  }
  const json found = json_output({"analyze", "pm"});
  EXPECT_NEAR(found.at("correlation_within").get<double>(), within / (24 * 7), 1e-4);
  EXPECT_NEAR(found.at("correlation_between").get<double>(), between / (24 * 16), 1e-4);
}

TEST_F(AnalyzeTest, LongerTrainingFindsThePlantedFactors) {
  output({"data", "generate", "clear", "--factors", "2", "--nodes", "400", "--links", "4000"});
  output({"train", "--dataset", "clear", "--out", "found", "--factors", "2", "--hidden", "64",
          "--lr", "0.01", "--epochs", "150"});
  const json planted = json_output({"analyze", "found"}).at("planted");
  EXPECT_GT(planted.at("nmi").get<double>(), 0.1) << "chance gives next to 0";
  EXPECT_GT(planted.at("accuracy").get<double>(), 0.7);
}

TEST_F(AnalyzeTest, DrawsPictures) {
  EXPECT_THAT(output({"analyze", "m", "--heatmap", "map.png"}),
              AllOf(HasSubstr("block number"), HasSubstr("planted factors")));
  EXPECT_THAT(content("map.png"), StartsWith("\x89PNG\r\n\x1a\n"));
  EXPECT_THAT(content("map.png"), HasSubstr("IEND"));
  EXPECT_THAT(output({"analyze", "pm", "--heatmap", "map.svg"}),
              ::testing::Not(HasSubstr("planted")));
  EXPECT_THAT(content("map.svg"), AllOf(StartsWith("<svg "), ::testing::EndsWith("</svg>\n")));
  EXPECT_THAT(failure({"analyze", "m", "--heatmap", "map.jpg"}, 2),
              HasSubstr("map.jpg: pictures are written as .png or .svg"));
  EXPECT_FALSE(fs::exists(folder_.path() / "map.jpg"));
}

}  // namespace
}  // namespace disenlink::testing
