// Damaged and hostile .npy and zip files.
#include <gmock/gmock.h>
#include <zlib.h>

#include <algorithm>
#include <span>

#include "data/numpy.h"
#include "data/numpy_files.h"
#include "data/zip_archive.h"
#include "mutate.h"

namespace disenlink::detail {
namespace {

using ::testing::AllOf;
using testing::error_of;
using testing::expect_survives_mutations;
using testing::fixture;
using ::testing::HasSubstr;
using testing::npy;
using testing::npy_with_header;
using testing::slurp;
using testing::TemporaryFolder;
using testing::write_zip;

constexpr int kVariants = 2000;

ReadOptions limited_to(int64_t max_inflated_bytes) {
  ReadOptions options;
  options.max_inflated_bytes = max_inflated_bytes;
  return options;
}

std::string open_error(const std::filesystem::path& path, std::string_view entry) {
  return error_of([&] {
    const ZipArchive archive(path, kDefaultMaxInflatedBytes);
    const auto source = archive.open(entry);
    std::string bytes(1 << 16, '\0');
    while (source->read(bytes) > 0) {
    }
  });
}

// Overwrites a 32-bit number in every local (+at_local) and central (+at_central) header.
std::string with_sizes(std::string bytes, size_t at_local, size_t at_central, uint32_t value) {
  const auto patch = [&](std::string_view mark, size_t offset) {
    for (size_t at = bytes.find(mark); at != std::string::npos; at = bytes.find(mark, at + 4)) {
      bytes.replace(at + offset, 4, std::string(reinterpret_cast<const char*>(&value), 4));
    }
  };
  patch("PK\x03\x04", at_local);
  patch("PK\x01\x02", at_central);
  return bytes;
}
constexpr size_t kLocalCrc = 14, kCentralCrc = 16;
constexpr size_t kLocalPacked = 18, kCentralPacked = 20;
constexpr size_t kLocalSize = 22, kCentralSize = 24;

// Feeds libzip a .npy table of a gigabyte of zeros without ever holding it.
struct ZeroTable {
  std::string header =
      npy_with_header("{'descr': '|u1', 'fortran_order': False, 'shape': (32768, 32768), }");
  uint64_t size = header.size() + (uint64_t{1} << 30);
  uint64_t position = 0;

  static zip_int64_t serve(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& table = *static_cast<ZeroTable*>(state);
    switch (command) {
      case ZIP_SOURCE_OPEN:
        table.position = 0;
        return 0;
      case ZIP_SOURCE_READ:
        return table.read({static_cast<char*>(data), length});
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                              -1);
      case ZIP_SOURCE_STAT:
        zip_stat_init(static_cast<zip_stat_t*>(data));
        return sizeof(zip_stat_t);
      default:
        return 0;
    }
  }

  zip_int64_t read(std::span<char> buffer) {
    const auto count = std::min<uint64_t>(buffer.size(), size - position);
    std::fill_n(buffer.begin(), count, '\0');
    if (position < header.size()) {
      std::copy_n(header.begin() + static_cast<std::ptrdiff_t>(position),
                  std::min<uint64_t>(count, header.size() - position), buffer.begin());
    }
    position += count;
    return static_cast<zip_int64_t>(count);
  }
};

TEST(HostileZip, IsStoppedByTheLimitBeforeUnpacking) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "bomb.zip";
  ZeroTable table;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  zip_file_add(archive, "x_adj.npy", zip_source_function(archive, &ZeroTable::serve, &table), 0);
  zip_set_file_compression(archive, 0, ZIP_CM_DEFLATE, 1);
  ASSERT_EQ(zip_close(archive), 0) << zip_strerror(archive);
  EXPECT_LT(std::filesystem::file_size(path), 6'000'000);
  EXPECT_THAT(error_of([&] { read_npy_zip(path, limited_to(1 << 20)); }),
              AllOf(HasSubstr("entry 'x_adj.npy'"), HasSubstr("more than the limit of 1048576")));
}

TEST(HostileZip, MayNotUnpackToMoreThanItAnnounces) {
  const TemporaryFolder folder;
  const auto path = write_zip(folder, "x.zip", {{"a.npy", std::string(100'000, 'a')}});
  const std::string bytes = slurp(path);
  const auto lying = folder.write("lying.zip", with_sizes(bytes, kLocalSize, kCentralSize, 50));
  EXPECT_THAT(open_error(lying, "a.npy"),
              AllOf(HasSubstr("lying.zip: entry 'a.npy'"), HasSubstr("more than the 50 bytes")));
  const auto absurd =
      folder.write("absurd.zip", with_sizes(bytes, kLocalSize, kCentralSize, 0x7fffffff));
  EXPECT_THAT(open_error(absurd, "a.npy"), HasSubstr("more than its"));
  const auto more = folder.write("more.zip", with_sizes(bytes, kLocalSize, kCentralSize, 100'001));
  EXPECT_THAT(open_error(more, "a.npy"), HasSubstr("but announces 100001"));
  const auto beyond =
      folder.write("beyond.zip", with_sizes(bytes, kLocalPacked, kCentralPacked, 0x7fffffff));
  EXPECT_THAT(open_error(beyond, "a.npy"), HasSubstr("announces 2147483647 packed bytes"));
}

TEST(HostileZip, ChecksumsAreVerified) {
  const TemporaryFolder folder;
  for (const zip_int32_t method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    const auto path = write_zip(folder, "x.zip", {{"a.npy", std::string(1000, 'a')}}, method);
    const auto wrong =
        folder.write("wrong.zip", with_sizes(slurp(path), kLocalCrc, kCentralCrc, 0x12345678));
    EXPECT_THAT(open_error(wrong, "a.npy"), HasSubstr("CRC"));
  }
  const auto stored = write_zip(folder, "e.npz",
                                {{"edges.npy", npy<int8_t>("|i1", "(1, 2)", {0, 1})},
                                 {"label.npy", npy<int8_t>("|i1", "(2,)", {0, 1})}},
                                ZIP_CM_STORE);
  const auto wrong =
      folder.write("wrong.npz", with_sizes(slurp(stored), kLocalCrc, kCentralCrc, 0x12345678));
  EXPECT_THAT(error_of([&] { read_npz_graph(wrong, {}); }), HasSubstr("CRC"));
}

TEST(HostileZip, NamesMissingEncryptedAndRepeatedEntries) {
  const TemporaryFolder folder;
  const auto path = write_zip(folder, "x.zip", {{"a.npy", "a"}, {"b.npy", "b"}});
  EXPECT_THAT(open_error(path, "c.npy"),
              HasSubstr("has no entry 'c.npy'; there are 'a.npy', 'b.npy'"));
  const auto locked = write_zip(folder, "locked.zip", {{"a.npy", "a"}}, ZIP_CM_DEFLATE, "secret");
  EXPECT_THAT(open_error(locked, "a.npy"), HasSubstr("is encrypted"));
  std::string twice = slurp(path);
  for (size_t at = twice.find("b.npy"); at != std::string::npos; at = twice.find("b.npy")) {
    twice[at] = 'a';
  }
  EXPECT_THAT(open_error(folder.write("twice.zip", twice), "a.npy"),
              HasSubstr("more than one entry"));
}

TEST(HostileZip, TruncatedArchivesAreRefusedAtEveryLength) {
  const TemporaryFolder folder;
  const std::string bytes = slurp(fixture("graph_deflated.npz"));
  for (size_t length = 1; length < bytes.size(); length += 7) {
    const auto path = folder.write("cut.npz", bytes.substr(0, length));
    EXPECT_THAT(error_of([&] { read_npz_graph(path, {}); }), HasSubstr("cut.npz"));
  }
}

TEST(HostileNpy, GzippedTablesObeyTheLimit) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.npy.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  const std::string header = npy_with_header(
      "{'descr': '|u1', 'fortran_order': False, 'shape': (2000000000, 2000000000), }");
  gzwrite(file, header.data(), static_cast<unsigned>(header.size()));
  const std::string zeros(8 << 20, '\0');
  gzwrite(file, zeros.data(), static_cast<unsigned>(zeros.size()));
  gzclose(file);
  EXPECT_THAT(error_of([&] { read_features(path, limited_to(4 << 20)); }),
              HasSubstr("the limit for packed input"));
  EXPECT_THAT(error_of([&] { read_features(path, {}); }),
              HasSubstr("ends after 8388608 of 4000000000000000000 values"));
}

TEST(Mutations, OfNpyFiles) {
  const TemporaryFolder folder;
  for (const char* name : {"version1.npy", "version3.npy", "fortran_sparse.npy", "objects.npy"}) {
    expect_survives_mutations(folder, name, slurp(fixture(name)), kVariants,
                              [&] { read_features(folder.path() / name, {}); });
  }
}

TEST(Mutations, OfSparseFeatures) {
  const TemporaryFolder folder;
  expect_survives_mutations(folder, "csr.npz", slurp(fixture("csr.npz")), kVariants,
                            [&] { read_features(folder.path() / "csr.npz", {}); });
  const auto stored = write_zip(folder, "stored.npz",
                                {{"indices.npy", npy<int32_t>("<i4", "(3,)", {0, 1, 2})},
                                 {"indptr.npy", npy<int32_t>("<i4", "(3,)", {0, 1, 3})},
                                 {"format.npy", npy<uint32_t>("<U3", "()", {'c', 's', 'r'})},
                                 {"shape.npy", npy<int64_t>("<i8", "(2,)", {2, 3})},
                                 {"data.npy", npy<float>("<f4", "(3,)", {1, 2, 3})}},
                                ZIP_CM_STORE);
  ASSERT_EQ(read_features(stored, {}).num_nonzeros(), 3);
  expect_survives_mutations(folder, "stored.npz", slurp(stored), kVariants,
                            [&] { read_features(stored, {}); });
}

TEST(Mutations, OfNpzGraphs) {
  const TemporaryFolder folder;
  for (const char* name : {"graph_stored.npz", "graph_deflated.npz"}) {
    const auto path = folder.path() / name;
    expect_survives_mutations(folder, name, slurp(fixture(name)), kVariants, [&] {
      is_npz_graph(path);
      read_npz_graph(path, {});
    });
  }
}

TEST(Mutations, OfNpyZips) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "dense.zip";
  expect_survives_mutations(folder, "dense.zip", slurp(fixture("dense.zip")), kVariants, [&] {
    is_npy_zip(path);
    read_npy_zip(path, {});
  });
}

// Checksums shield what is inside an archive from damage, not from intent.
TEST(Mutations, OfArraysInsideAnIntactArchive) {
  const TemporaryFolder folder;
  const std::string features = npy<float>("<f4", "(2, 1)", {1, 2});
  const std::string edges = npy<int64_t>("<i8", "(2, 2)", {0, 1, 1, 1});
  Random random(7);
  for (int i = 0; i < kVariants; ++i) {
    const auto path = write_zip(folder, "x.npz",
                                {{"edges.npy", testing::mutated(edges, random)},
                                 {"features.npy", testing::mutated(features, random)}});
    try {
      read_npz_graph(path, {});
    } catch (const Error& error) {
      ASSERT_THAT(error.what(), HasSubstr("x.npz"));
    }
  }
}

}  // namespace
}  // namespace disenlink::detail
