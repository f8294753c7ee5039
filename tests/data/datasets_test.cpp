#include "disenlink/datasets.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

#include "dataset_index.h"
#include "disenlink/generate.h"
#include "disenlink/statistics.h"
#include "test_files.h"

namespace disenlink {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using testing::error_of;
using ::testing::HasSubstr;
using testing::index_rows;
using testing::IndexRow;
using ::testing::Not;
using ::testing::SizeIs;

// Sets DISENLINK_DATA (or removes it) and puts it back.
class DataVariable {
 public:
  explicit DataVariable(const char* value) {
    if (const char* old = std::getenv("DISENLINK_DATA")) {
      old_ = old;
    }
    set(value);
  }
  ~DataVariable() { set(old_ ? old_->c_str() : nullptr); }

 private:
  static void set(const char* value) {
    if (value != nullptr) {
      setenv("DISENLINK_DATA", value, 1);
    } else {
      unsetenv("DISENLINK_DATA");
    }
  }
  std::optional<std::string> old_;
};

TEST(Datasets, TableHoldsThePapersThirteen) {
  std::set<std::string_view> titles;
  for (const Dataset& dataset : datasets()) {
    if (dataset.group == "paper") {
      titles.insert(dataset.title);
    }
  }
  EXPECT_THAT(titles, SizeIs(13));
  EXPECT_EQ(find_dataset("squirrel").paper->edges, 216933);
  EXPECT_EQ(find_dataset("arxiv-year").paper->nodes, 55104);
  EXPECT_THAT(find_dataset("arxiv-year").samples, SizeIs(10));
}

TEST(Datasets, NamesAreDistinctAndFormatsKnown) {
  std::set<std::string_view> names;
  std::set<std::string_view> formats{""};
  for (const FileFormat& format : file_formats()) {
    formats.insert(format.name);
  }
  for (const Dataset& dataset : datasets()) {
    EXPECT_TRUE(names.insert(dataset.name).second) << dataset.name;
    EXPECT_THAT(formats, Contains(dataset.format)) << dataset.name;
    for (const std::string_view sample : dataset.samples) {
      EXPECT_EQ(find_dataset(sample).name, sample);
    }
  }
}

TEST(Datasets, UnknownNameListsTheKnownAndTheNearest) {
  EXPECT_THROW(find_dataset("cameleon"), UsageError);
  EXPECT_THAT(error_of([] { load_dataset("cameleon"); }),
              AllOf(HasSubstr("unknown dataset 'cameleon'"), HasSubstr("did you mean 'chameleon'?"),
                    HasSubstr("cora, citeseer, photo"), HasSubstr("example"),
                    Not(HasSubstr("arxiv-year/year0"))));
}

TEST(Datasets, ExampleNeedsNoFiles) {
  const DataVariable absent(nullptr);
  EXPECT_EQ(load_dataset("example").fingerprint(), generate_graph().fingerprint());
}

TEST(Datasets, SeveralGraphsAskForOne) {
  EXPECT_THAT(error_of([] { load_dataset("arxiv-year"); }),
              AllOf(HasSubstr("10 separate graphs"),
                    HasSubstr("name one of arxiv-year/year0 to arxiv-year/year9")));
}

TEST(Datasets, AbsentDataTellsWhatWorks) {
  const testing::TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { load_dataset("cora", folder.path()); }),
              AllOf(HasSubstr((folder.path() / "cora").string()), HasSubstr("--data"),
                    HasSubstr("DISENLINK_DATA"), HasSubstr("'example'"), HasSubstr("path")));
}

TEST(Datasets, ChosenFolderMustExist) {
  EXPECT_THAT(error_of([] { data_folder("/no/such/folder"); }),
              AllOf(HasSubstr("/no/such/folder: is no folder"), HasSubstr("--data")));
  const DataVariable variable("/nor/this/one");
  EXPECT_THAT(error_of([] { data_folder(); }),
              AllOf(HasSubstr("/nor/this/one"), HasSubstr("DISENLINK_DATA")));
  const testing::TemporaryFolder folder;
  EXPECT_EQ(data_folder(folder.path()), folder.path());
}

TEST(Datasets, DefaultFolder) {
  const DataVariable absent(nullptr);
  EXPECT_EQ(data_folder(), "../shared/data");
}

TEST(Datasets, APathIsReadAsAFile) {
  const testing::TemporaryFolder folder;
  const auto path = folder.write("friends.txt", "ann bob\nbob eve\n");
  EXPECT_EQ(load_dataset(path.string()).num_nodes(), 3);
  EXPECT_THAT(error_of([] { load_dataset("no/such/file.csv"); }),
              AllOf(HasSubstr("no/such/file.csv: no such file or folder"), HasSubstr("cora")));
}

// ---- the real data, against the numbers that were measured on it --------------------------------

// As the index has it: several graphs are added up.
GraphStatistics measure_dataset(const std::string& name) {
  const Dataset& dataset = find_dataset(name);
  if (dataset.samples.empty()) {
    return measure(load_dataset(name, testing::data_folder()));
  }
  std::vector<GraphStatistics> samples;
  samples.reserve(dataset.samples.size());
  for (const std::string_view sample : dataset.samples) {
    samples.push_back(measure(load_dataset(sample, testing::data_folder())));
  }
  return sum_of(samples);
}

void expect_equal(const IndexRow& row, const GraphStatistics& statistics) {
  const auto expect_count = [&](const std::string& column, std::optional<int64_t> value) {
    EXPECT_EQ(row.at(column), value ? std::to_string(*value) : "") << column;
  };
  expect_count("nodes", statistics.nodes);
  expect_count("raw_edge_rows", statistics.raw_edge_rows);
  expect_count("distinct_directed_edges", statistics.distinct_directed_edges);
  expect_count("undirected_unique_edges", statistics.undirected_unique_edges);
  expect_count("self_loops", statistics.self_loops);
  expect_count("isolated_nodes", statistics.isolated_nodes);
  expect_count("max_degree", statistics.max_degree);
  expect_count("features", statistics.features);
  expect_count("feature_nnz", statistics.feature_nnz);
  expect_count("zero_feature_rows", statistics.zero_feature_rows);
  expect_count("classes", statistics.classes);
  expect_count("unlabelled", statistics.unlabelled);
  constexpr double kRounding = 0.5e-4 + 1e-9;
  EXPECT_NEAR(std::stod(row.at("reciprocated_fraction")), statistics.reciprocated_fraction,
              kRounding);
  ASSERT_EQ(row.at("edge_homophily").empty(), !statistics.edge_homophily.has_value());
  if (statistics.edge_homophily) {
    EXPECT_NEAR(std::stod(row.at("edge_homophily")), *statistics.edge_homophily, kRounding);
  }
}

TEST(RealDatasets, AgreeWithTheMeasuredNumbers) {
  DISENLINK_REQUIRE_DATA();
  const std::vector<IndexRow> rows = index_rows();
  ASSERT_GT(rows.size(), 30);
  std::set<std::string> measured;
  for (const IndexRow& row : rows) {
    const std::string name = row.at("dataset");
    SCOPED_TRACE(name);
    measured.insert(name);
    EXPECT_EQ(row.at("group"), find_dataset(name).group);
    expect_equal(row, measure_dataset(name));
  }
  for (const Dataset& dataset : datasets()) {
    EXPECT_TRUE(dataset.group == "generated" || measured.contains(std::string(dataset.name)))
        << dataset.name;
  }
}

TEST(RealDatasets, CarryTheirNameAndPublishedArcs) {
  DISENLINK_REQUIRE_DATA();
  const Graph twitch = load_dataset("twitch-tw", testing::data_folder());
  EXPECT_EQ(twitch.name(), "twitch-tw");
  EXPECT_EQ(twitch.published_arcs(), ArcForm::kWithReverse);
}

TEST(RealDatasets, FaultyCornellIsToldFromTexasAndCornell) {
  DISENLINK_REQUIRE_DATA();
  const auto sentences = [](std::string_view name) {
    const Graph graph = load_dataset(name, testing::data_folder());
    return oddities(graph, measure(graph));
  };
  EXPECT_THAT(sentences("cornell-faulty"), Contains(HasSubstr("faulty Cornell")));
  EXPECT_THAT(sentences("texas"), Not(Contains(HasSubstr("faulty Cornell"))));
  EXPECT_THAT(sentences("cornell"), Not(Contains(HasSubstr("faulty Cornell"))));
}

TEST(RealDatasets, DuplicatesAreFoundWhereTheyAreReported) {
  DISENLINK_REQUIRE_DATA();
  EXPECT_GT(measure(load_dataset("chameleon", testing::data_folder())).duplicate_nodes, 100);
}

}  // namespace
}  // namespace disenlink
