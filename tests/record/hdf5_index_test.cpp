/// An index with sizes that do not fit, whose checksums are right all the same. User document: docs/guide/security.md.
#include <filum/record/hdf5_file.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>

namespace filum::record {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Jenkins' lookup3.
std::uint32_t checksum(const std::string& text) {
  std::string bytes = text;
  bytes.resize((text.size() + 11) / 12 * 12);
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(text.size()), b = a, c = a;
  for (std::size_t at = 0; at < bytes.size(); at += 12) {
    std::uint32_t words[3];
    std::memcpy(words, bytes.data() + at, sizeof words);
    a += words[0], b += words[1], c += words[2];
    if (at + 12 < text.size()) {
      a -= c, a ^= std::rotl(c, 4), c += b, b -= a, b ^= std::rotl(a, 6), a += c;
      c -= b, c ^= std::rotl(b, 8), b += a, a -= c, a ^= std::rotl(c, 16), c += b;
      b -= a, b ^= std::rotl(a, 19), a += c, c -= b, c ^= std::rotl(b, 4), b += a;
    } else {
      c ^= b, c -= std::rotl(b, 14), a ^= c, a -= std::rotl(c, 11), b ^= a, b -= std::rotl(a, 25);
      c ^= b, c -= std::rotl(b, 16), a ^= c, a -= std::rotl(c, 4), b ^= a, b -= std::rotl(a, 14);
      c ^= b, c -= std::rotl(b, 24);
    }
  }
  return c;
}

/// A file with a text and a series, in which one block of the index is changed.
class ForgedIndex : public testing::Test {
 protected:
  ForgedIndex() : path_(fs::temp_directory_path() / ("filum-" + std::to_string(getpid()) + "index.h5")) {
    fs::remove(path_);
    Hdf5File file(path_, Hdf5File::Mode::create);
    file.set_attribute("/", "facts", "some words");
    const double values[] = {1, 2, 3, 4};
    file.write_frames(file.make_series("x", {}, 2), 0, 4, values);
    file.close();
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    bytes_ = all.str();
  }
  ~ForgedIndex() override { fs::remove(path_); }

  /// Puts bytes at a distance from the first place of a text, within a block that begins with `mark` and is this long
  /// without its checksum.
  void forge(const std::string& mark, std::size_t length, const std::string& text, int distance,
             const std::string& bytes) {
    const std::size_t at = bytes_.find(text);
    ASSERT_NE(at, std::string::npos);
    const std::size_t begin = bytes_.rfind(mark, at);
    ASSERT_NE(begin, std::string::npos);
    const std::uint32_t before = checksum(bytes_.substr(begin, length));
    ASSERT_EQ(std::memcmp(bytes_.data() + begin + length, &before, sizeof before), 0) << "not where it is expected";
    bytes_.replace(at + static_cast<std::size_t>(distance), bytes.size(), bytes);
    const std::uint32_t after = checksum(bytes_.substr(begin, length));
    std::memcpy(bytes_.data() + begin + length, &after, sizeof after);
  }
  std::string refusal() {
    std::ofstream(path_, std::ios::binary) << bytes_;
    try {
      const Hdf5File file(path_, Hdf5File::Mode::read);
      file.text_attribute("/", "facts");
      file.read("x");
      return {};
    } catch (const FileTrouble& trouble) {
      return trouble.what();
    }
  }
  /// Length of an object header or its continuation, without the checksum.
  std::size_t header_with(const std::string& text, std::string& mark) {
    const std::size_t at = bytes_.find(text), header = bytes_.rfind("OHDR", at), rest = bytes_.rfind("OCHK", at);
    mark = rest != std::string::npos && (header == std::string::npos || rest > header) ? "OCHK" : "OHDR";
    const std::size_t begin = mark == "OCHK" ? rest : header;
    for (std::size_t length = at - begin; length < 2000; ++length) {
      const std::uint32_t sum = checksum(bytes_.substr(begin, length));
      if (std::memcmp(bytes_.data() + begin + length, &sum, sizeof sum) == 0) return length;
    }
    return 0;
  }
  void forge_header(const std::string& text, int distance, const std::string& bytes) {
    std::string mark;
    const std::size_t length = header_with(text, mark);
    forge(mark, length, text, distance, bytes);
  }

  fs::path path_;
  std::string bytes_;
};

TEST_F(ForgedIndex, IsReadWhereNothingWasChanged) { EXPECT_EQ(refusal(), ""); }

/// An attribute: version, flags, lengths of name, type and shape, encoding, name.
TEST_F(ForgedIndex, IsRefusedWhereANameIsLongerThanItsMessage) {
  forge_header("facts", -7, std::string("\xff\x7f", 2));
  EXPECT_THAT(refusal(), HasSubstr("its index is damaged"));
}

TEST_F(ForgedIndex, IsRefusedWhereAMessageIsLongerThanItsBlock) {
  forge_header("facts", -12, std::string("\xff\xff", 2));
  EXPECT_THAT(refusal(), HasSubstr("its index is damaged"));
}

/// After the name: 20 bytes of type, 4 of shape, then length, place and number of the text in its heap.
TEST_F(ForgedIndex, IsRefusedWhereATextIsNotInItsHeap) {
  forge_header("facts", 6 + 20 + 4 + 12, std::string("\x77\x00\x00\x00", 4));
  EXPECT_THAT(refusal(), HasSubstr("its index is damaged"));
}

/// The list of the blocks of a series; the highest number stands behind 12 bytes and four numbers.
TEST_F(ForgedIndex, IsRefusedWhereASeriesHasMoreBlocksThanFitIntoTheFile) {
  forge("EAHD", 12 + 6 * 8 + 8, "EAHD", 12 + 4 * 8, std::string("\x00\x00\x00\x10", 4));
  EXPECT_THAT(refusal(), HasSubstr("index"));
}

}  // namespace
}  // namespace filum::record
