#include "data/npy_header.h"

#include <cctype>
#include <optional>
#include <string_view>

#include "core/fail.h"
#include "core/text.h"
#include "data/endian.h"

namespace disenlink::detail {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr int64_t kMaxHeaderBytes = int64_t{1} << 20;
constexpr int64_t kMaxDimensions = 32;

std::string read_exactly(ByteSource& source, size_t count) {
  std::string bytes(count, '\0');
  const size_t got = source.read(bytes);
  if (got != count) {
    fail_in(source.label(), "ends within its .npy header");
  }
  return bytes;
}

// As in '<f4': the byte order, what it is, and its length.
bool is_known_type(char order, char kind, int64_t length) {
  constexpr int64_t kLongestText = int64_t{1} << 32;
  if (std::string_view("<>|=").find(order) == std::string_view::npos) {
    return false;
  }
  const bool is_wide = length == 2 || length == 4 || length == 8;
  switch (kind) {
    case 'b':
      return length == 1;
    case 'i':
    case 'u':
      return length == 1 || is_wide;
    case 'f':
      return is_wide;
    case 'S':
    case 'U':
      return length <= kLongestText;
    default:
      return false;
  }
}

// A strict reader of the one Python literal that numpy writes:
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class DictParser {
 public:
  DictParser(std::string_view text, const std::string& label, int64_t offset)
      : text_(text), label_(label), offset_(offset) {}

  NpyHeader parse();

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) const {
    fail_at_offset(label_, offset_ + static_cast<int64_t>(at_), ".npy header: {}",
                   fmt::format(text, std::forward<Args>(args)...));
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
      ++at_;
    }
  }
  bool accept(char letter) {
    skip_blanks();
    const bool found = at_ < text_.size() && text_[at_] == letter;
    at_ += found ? 1 : 0;
    return found;
  }
  void expect(char letter) {
    if (!accept(letter)) {
      refuse("expected '{}', found {}", letter, quoted(text_.substr(at_, 8)));
    }
  }
  bool accept_word(std::string_view word) {
    skip_blanks();
    const bool found = text_.substr(at_).starts_with(word);
    at_ += found ? word.size() : 0;
    return found;
  }

  std::string_view parse_string();
  bool parse_bool();
  int64_t parse_length();
  std::vector<int64_t> parse_shape();
  void parse_entry();
  void parse_type();

  std::string_view text_;
  const std::string& label_;
  int64_t offset_;
  size_t at_ = 0;
  NpyHeader header_;
  bool has_type_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

std::string_view DictParser::parse_string() {
  const char quote = accept('"') ? '"' : '\'';
  if (quote == '\'') {
    expect(quote);
  }
  const size_t end = text_.find(quote, at_);
  if (end == std::string_view::npos) {
    refuse("a text without end");
  }
  const std::string_view result = text_.substr(at_, end - at_);
  at_ = end + 1;
  return result;
}

bool DictParser::parse_bool() {
  if (accept_word("True")) {
    return true;
  }
  if (!accept_word("False")) {
    refuse("expected True or False, found {}", quoted(text_.substr(at_, 8)));
  }
  return false;
}

int64_t DictParser::parse_length() {
  skip_blanks();
  size_t end = at_;
  while (end < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[end])) != 0)) {
    ++end;
  }
  const std::optional<int64_t> length = parse_number<int64_t>(text_.substr(at_, end - at_));
  if (!length) {
    refuse("expected the length of a dimension, found {}", quoted(text_.substr(at_, 24)));
  }
  at_ = end;
  accept('L');  // Python 2
  return *length;
}

std::vector<int64_t> DictParser::parse_shape() {
  std::vector<int64_t> shape;
  expect('(');
  while (!accept(')')) {
    if (static_cast<int64_t>(shape.size()) == kMaxDimensions) {
      refuse("more than {} dimensions", kMaxDimensions);
    }
    shape.push_back(parse_length());
    if (!accept(',')) {
      expect(')');
      break;
    }
  }
  return shape;
}

void DictParser::parse_type() {
  if (accept('[')) {
    refuse("structured arrays are not supported, expected one number type");
  }
  const std::string_view type = parse_string();
  if (type.find('O') != std::string_view::npos) {
    refuse("array of Python objects; pickled objects are never loaded");
  }
  const int64_t length = type.size() < 3 ? 0 : parse_number<int64_t>(type.substr(2)).value_or(0);
  if (length <= 0 || !is_known_type(type[0], type[1], length)) {
    refuse(
        "type {} is not supported, expected bool, or 1 to 8 byte integers, or 2 to 8 byte floats",
        quoted(type));
  }
  header_.kind = type[1];
  header_.item_bytes = header_.kind == 'U' ? length * 4 : length;
  header_.swapped = type[0] == (kLittleEndianHost ? '>' : '<');
}

void DictParser::parse_entry() {
  const std::string_view key = parse_string();
  expect(':');
  const auto once = [&](bool& seen) {
    if (seen) {
      refuse("{} is given twice", quoted(key));
    }
    seen = true;
  };
  if (key == "descr") {
    once(has_type_);
    parse_type();
  } else if (key == "fortran_order") {
    once(has_order_);
    header_.fortran_order = parse_bool();
  } else if (key == "shape") {
    once(has_shape_);
    header_.shape = parse_shape();
  } else {
    refuse("unknown key {}", quoted(key));
  }
}

NpyHeader DictParser::parse() {
  expect('{');
  while (!accept('}')) {
    parse_entry();
    if (!accept(',')) {
      expect('}');
      break;
    }
  }
  skip_blanks();
  if (at_ != text_.size()) {
    refuse("expected its end, found {}", quoted(text_.substr(at_, 8)));
  }
  if (!has_type_ || !has_order_ || !has_shape_) {
    refuse("expected the keys 'descr', 'fortran_order' and 'shape'");
  }
  return header_;
}

// Length of the dictionary that follows.
int64_t read_length(ByteSource& source, int64_t& offset) {
  const std::string start = read_exactly(source, kMagic.size() + 2);
  if (!start.starts_with(kMagic)) {
    fail_in(source.label(), "is no .npy array: it begins with {}", detail::quoted(start));
  }
  const int major = static_cast<unsigned char>(start[kMagic.size()]);
  const int minor = static_cast<unsigned char>(start[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    fail_in(source.label(), ".npy version {}.{} is not known, expected 1.0, 2.0 or 3.0", major,
            minor);
  }
  const bool swapped = !kLittleEndianHost;
  const size_t width = major == 1 ? 2 : 4;
  const std::string length = read_exactly(source, width);
  offset = static_cast<int64_t>(start.size() + width);
  return major == 1 ? load_number<uint16_t>(length.data(), swapped)
                    : load_number<uint32_t>(length.data(), swapped);
}

void check_size(NpyHeader& header, const ByteSource& source, int64_t header_bytes) {
  int64_t items = 1;
  int64_t bytes = 0;
  bool overflow = false;
  for (const int64_t length : header.shape) {
    overflow = overflow || __builtin_mul_overflow(items, length, &items);
  }
  overflow = overflow || __builtin_mul_overflow(items, header.item_bytes, &bytes) ||
             __builtin_add_overflow(bytes, header_bytes, &bytes);
  if (overflow) {
    fail_in(source.label(), "announces {} values, more than any file can hold",
            header.shape_text());
  }
  if (source.size() && *source.size() != bytes) {
    fail_in(source.label(), "announces {} values of {} bytes each, so {} bytes, but has {}",
            header.shape_text(), header.item_bytes, bytes, *source.size());
  }
  header.num_items = items;
}

}  // namespace

std::string NpyHeader::shape_text() const {
  std::string text;
  for (const int64_t length : shape) {
    text += fmt::format("{}{}", text.empty() ? "" : " x ", length);
  }
  return shape.empty() ? "single" : text;
}

NpyHeader read_npy_header(ByteSource& source) {
  int64_t offset = 0;
  const int64_t length = read_length(source, offset);
  if (length > kMaxHeaderBytes) {
    fail_in(source.label(), ".npy header of {} bytes, expected at most {}", length,
            kMaxHeaderBytes);
  }
  const std::string text = read_exactly(source, static_cast<size_t>(length));
  NpyHeader header = DictParser(text, source.label(), offset).parse();
  check_size(header, source, offset + length);
  return header;
}

}  // namespace disenlink::detail
