#include "data/pickle.h"

#include <gmock/gmock.h>

#include "data/pickle_numpy.h"
#include "mutate.h"

namespace disenlink::detail {
namespace {

using namespace std::string_literals;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr int64_t kLimit = int64_t{1} << 30;

class PickleTest : public ::testing::Test {
 protected:
  // The opcodes between the protocol mark and the end mark.
  Pickle read(const std::string& opcodes) {
    return Pickle::read(folder_.write("ind.x", "\x80\x02"s + opcodes + "."), kLimit);
  }
  std::string error(const std::string& opcodes) {
    return error_of([&] { read(opcodes); });
  }

  TemporaryFolder folder_;
};

TEST_F(PickleTest, ReadsNumbersTextsAndContainers) {
  const Pickle pickle = read("(NK\x07M\x01\x02J\xfe\xff\xff\xff\x8a\x02\x00\x80\x88"s +
                             "G\x3f\xf8\x00\x00\x00\x00\x00\x00"s + "X\x02\x00\x00\x00hi]t"s);
  const auto items = pickle.items(pickle.root());
  ASSERT_EQ(items.size(), 9);
  EXPECT_TRUE(items[0].is(PickleKind::kNone));
  EXPECT_EQ(items[1].payload, 7);
  EXPECT_EQ(items[2].payload, 0x201);
  EXPECT_EQ(items[3].payload, -2);
  EXPECT_EQ(items[4].payload, -32768);
  EXPECT_TRUE(items[5].is(PickleKind::kBool));
  EXPECT_EQ(items[6].real(), 1.5);
  EXPECT_EQ(pickle.string(items[7]), "hi");
  EXPECT_TRUE(items[8].is(PickleKind::kList));
}

TEST_F(PickleTest, RefusesEveryNameButItsOwn) {
  EXPECT_THAT(error("cos\nsystem\nU\x02ls\x85R"s),
              HasSubstr("ind.x: at byte 2: asks for os.system, which this reader refuses"));
  EXPECT_THAT(error("c__builtin__\neval\n)R"), HasSubstr("asks for __builtin__.eval, which"));
  EXPECT_THAT(error("cnumpy\nload\n"), HasSubstr("asks for numpy.load, which"));
  EXPECT_THAT(error("\x8c\x02os\x8c\x06system\x93"s), HasSubstr("asks for os.system, which"));
  // INST, OBJ, PERSID and EXT1 would reach code in other ways.
  EXPECT_THAT(error("(ios\nsystem\n"), HasSubstr("at byte 3: pickle opcode 0x69"));
  EXPECT_THAT(error("(cnumpy\nndarray\no"), HasSubstr("pickle opcode 0x6f"));
  EXPECT_THAT(error("P1\n"), HasSubstr("pickle opcode 0x50"));
  EXPECT_THAT(error("\x82\x01"), HasSubstr("pickle opcode 0x82"));
}

TEST_F(PickleTest, RefusesOtherFilesAndProtocols) {
  const auto error_for = [&](const std::string& bytes) {
    return error_of([&] { Pickle::read(folder_.write("ind.x", bytes), kLimit); });
  };
  EXPECT_THAT(error_for("(lp0\n."), HasSubstr("begins with byte 0x28, expected a Python pickle"));
  EXPECT_THAT(error_for("\x80\x05N."), HasSubstr("pickle protocol 5, expected 2 to 4"));
  EXPECT_THAT(error_for("\x80\x02N.N."), HasSubstr("at byte 4: 2 bytes after the end"));
  EXPECT_THAT(error_for("\x80\x02N"), HasSubstr("cut short or damaged"));
  EXPECT_THAT(error_for("\x80"), HasSubstr("cut short or damaged"));
}

TEST_F(PickleTest, AnnouncedLengthsAreCheckedBeforeUse) {
  EXPECT_THAT(error("T\xff\xff\xff\x7f"), HasSubstr("announces 2147483647 bytes, the file has 1"));
  EXPECT_THAT(error("T\xff\xff\xff\xff"), HasSubstr("announces -1 bytes"));
  EXPECT_THAT(error("\x8e\xff\xff\xff\xff\xff\xff\xff\x7f"), HasSubstr("cut short or damaged"));
  EXPECT_THAT(error("\x95\xff\xff\xff\xff\xff\xff\xff\xff"), HasSubstr("a frame of 18446744"));
  EXPECT_THAT(error("\x8a\xff"), HasSubstr("an integer of 255 bytes"));
}

TEST_F(PickleTest, StackFaultsAreNamed) {
  EXPECT_THAT(error(""), HasSubstr("takes a value from an empty stack"));
  EXPECT_THAT(error("NN"), HasSubstr("ends with 1 values left over"));
  EXPECT_THAT(error("t"), HasSubstr("ends a group that never began"));
  // Values before the mark of an open group are out of reach.
  EXPECT_THAT(error("]K\x01(a"s), HasSubstr("at byte 6: takes a value from an empty stack"));
  EXPECT_THAT(error("NN(\x86t"s), HasSubstr("at byte 5: takes a value from an empty stack"));
  EXPECT_THAT(error("K\x01K\x02"s + "a"), HasSubstr("found the number 1, expected a list"));
  EXPECT_THAT(error("}(Nu"), HasSubstr("a dict gets 1 keys and values"));
  EXPECT_THAT(error("]K\x01K\x02s"s), HasSubstr("found a list of 0, expected a dict"));
  EXPECT_THAT(error("NNb"), HasSubstr("found None, expected an object"));
  EXPECT_THAT(error("N)R"), HasSubstr("found None, expected a name to call"));
}

TEST_F(PickleTest, AbsurdMemoPlacesCostNothing) {
  EXPECT_EQ(read("K\x05r\xff\xff\xff\xff"s).root().payload, 5);
  EXPECT_THAT(error("j\xff\xff\xff\xff"), HasSubstr("remembered value 4294967295"));
}

TEST_F(PickleTest, DeepNestingNeitherOverflowsNorTakesLong) {
  constexpr int kDepth = 300000;
  const Pickle tuples = read("N" + std::string(kDepth, '\x85'));
  EXPECT_EQ(tuples.items(tuples.root()).size(), 1);
  const Pickle lists = read(std::string(kDepth, ']') + std::string(kDepth - 1, 'a'));
  EXPECT_EQ(lists.items(lists.root()).size(), 1);
  EXPECT_THAT(error(std::string(kDepth, '(')), HasSubstr("takes a value from an empty stack"));
}

TEST_F(PickleTest, SharedAndSelfContainingValuesAreHarmless) {
  // Every tuple holds the one before twice: 2^200 leaves when unfolded.
  std::string doubling = "N";
  for (int i = 0; i < 200; ++i) {
    doubling += "q"s + static_cast<char>(i) + "h"s + static_cast<char>(i) + "\x86";
  }
  const Pickle shared = read(doubling);
  EXPECT_EQ(shared.items(shared.root()).size(), 2);
  const Pickle self = read("]q\x01h\x01"s + "a");
  EXPECT_EQ(self.items(self.root())[0].payload, self.root().payload);
  EXPECT_THAT(error_of([&] { pickled_array(self, self.root()); }),
              HasSubstr("found a list of 1, expected a numpy array"));
}

std::string array_opcodes(const std::string& type, const std::string& order,
                          const std::string& shape, const std::string& data,
                          const std::string& by_column = "\x89") {
  const auto text = [](const std::string& value) {
    return "U"s + static_cast<char>(value.size()) + value;
  };
  return "cnumpy._core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\1b\x87R(K\1("s + shape +
         "tcnumpy\ndtype\n" + text(type) + "\x89\x88\x87R(K\3"s + text(order) +
         "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"s + by_column + text(data) + "tb";
}

class PickledArrayTest : public PickleTest {
 protected:
  PickledArray array(const std::string& opcodes) {
    const Pickle pickle = read(opcodes);
    return pickled_array(pickle, pickle.root());
  }
  std::string array_error(const std::string& opcodes) {
    return error_of([&] { array(opcodes); });
  }
};

TEST_F(PickledArrayTest, ReadsTypesOrdersAndLayouts) {
  using ::testing::ElementsAre;
  EXPECT_THAT(array(array_opcodes("i2", "<", "K\2"s, "\1\0\xff\xff"s)).values, ElementsAre(1, -1));
  EXPECT_THAT(array(array_opcodes("i2", ">", "K\2"s, "\0\1\xff\xfe"s)).values, ElementsAre(1, -2));
  EXPECT_THAT(array(array_opcodes("b1", "|", "K\2"s, "\1\0"s)).values, ElementsAre(1, 0));
  EXPECT_THAT(array(array_opcodes("f4", "<", "K\1"s, "\0\0\xc0\x3f"s)).values, ElementsAre(1.5));
  const std::string table = array_opcodes("u1", "|", "K\2K\3"s, "\1\2\3\4\5\6"s);
  EXPECT_THAT(array(table).values, ElementsAre(1, 2, 3, 4, 5, 6));
  const std::string by_column = array_opcodes("u1", "|", "K\2K\3"s, "\1\2\3\4\5\6"s, "\x88");
  EXPECT_THAT(array(by_column).values, ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST_F(PickledArrayTest, RejectsWhatDoesNotFit) {
  EXPECT_THAT(array_error(array_opcodes("i4", "<", "K\2"s, "\1\0\0\0"s)),
              HasSubstr("4 bytes for an array of 2 elements of 4 bytes"));
  EXPECT_THAT(array_error(array_opcodes("O8", "|", "K\1"s, "12345678")),
              HasSubstr("array elements of type 'O8'"));
  EXPECT_THAT(array_error(array_opcodes("f4", "<", "K\1"s, "\0\0\xc0\x7f"s)),
              HasSubstr("element 0 of the array is nan"));
  EXPECT_THAT(array_error(array_opcodes("i1", "|", "J\xff\xff\xff\xff"s, "")),
              HasSubstr("an array of size -1"));
  EXPECT_THAT(array_error(array_opcodes("i1", "|", "J\xff\xff\xff\x7fJ\xff\xff\xff\x7f"s, "")),
              HasSubstr("0 bytes for an array of 4611686014132420609 elements"));
  EXPECT_THAT(array_error(array_opcodes("i1", "|", "K\1K\1K\1"s, "\1")),
              HasSubstr("expected one or two sizes"));
}

TEST_F(PickledArrayTest, SurvivesMutations) {
  const std::string bytes = "\x80\x02"s + array_opcodes("u1", "|", "K\2K\2"s, "\1\2\3\4"s) + ".";
  expect_survives_mutations(folder_, "ind.y", bytes, 3000, [&] {
    const Pickle pickle = Pickle::read(folder_.path() / "ind.y", kLimit);
    pickled_array(pickle, pickle.root());
  });
}

}  // namespace
}  // namespace disenlink::detail
