#include "data/edge_list.h"

#include "core/fail.h"
#include "core/text.h"
#include "data/delimited.h"
#include "data/edge_list_format.h"
#include "data/id_numbering.h"
#include "data/integer_rows.h"

namespace disenlink::detail {
namespace {

namespace fs = std::filesystem;

void check_row(const RowReader& reader, const EdgeListFormat& format,
               const std::vector<std::string_view>& fields) {
  const auto found = static_cast<int64_t>(fields.size());
  if (found != format.num_columns) {
    fail_at_line(reader.path(), reader.line_number(),
                 "row has {} field{}, expected {} as in line {}", found, found == 1 ? "" : "s",
                 format.num_columns, format.first_line);
  }
  if (fields[0].empty() || fields[1].empty()) {
    fail_at_line(reader.path(), reader.line_number(), "the {} of the two node ids is missing",
                 fields[0].empty() ? "first" : "second");
  }
}

// Calls visit(source, target, line) for every link row; returns the number of comments after the
// first.
template <typename Visit>
int64_t for_each_row(const fs::path& path, const EdgeListFormat& format, const ReadOptions& options,
                     Visit&& visit) {
  RowReader reader(path, format.separator, CommentLines::kSkipped, options.max_inflated_bytes);
  std::vector<std::string_view> fields;
  if (format.has_header) {
    reader.next(fields);
  }
  int64_t early_comments = -1;
  while (reader.next(fields)) {
    early_comments = early_comments < 0 ? reader.num_comments() : early_comments;
    check_row(reader, format, fields);
    visit(fields[0], fields[1], reader.line_number());
  }
  return reader.num_comments() - early_comments;
}

// Tells files of words, where -5 is a name like any other, from files of integers with a fault.
class OddIdFinder {
 public:
  void look_at(std::string_view id, int64_t line) {
    if (is_integer_id(id)) {
      return;
    }
    if (!looks_numeric(id)) {
      has_words_ = true;
    } else if (line_ == 0) {
      line_ = line;
      id_ = id;
    }
  }

  bool has_words() const { return has_words_; }

  void fail_unless_words(const fs::path& path) const {
    if (line_ != 0 && !has_words_) {
      fail_at_line(path, line_, "node id {}: expected an integer from 0 to 2^63 - 1 as in the rest",
                   detail::quoted(id_));
    }
  }

 private:
  bool has_words_ = false;
  int64_t line_ = 0;
  std::string id_;
};

NodeNames names_of(const NumberedIds& numbered) {
  if (numbered.ids.empty()) {
    return NodeNames::numbered(numbered.num_nodes);
  }
  std::vector<std::string> names;
  names.reserve(numbered.ids.size());
  for (const int64_t id : numbered.ids) {
    names.push_back(std::to_string(id));
  }
  return NodeNames::from_list(std::move(names));
}

void add_notes(const EdgeListFormat& format, int64_t late_comments, EdgeList& list) {
  if (format.num_columns > 2) {
    list.notes.push_back(fmt::format(
        "rows have {} columns: the first two are taken as the ends of a link, the others are not "
        "used",
        format.num_columns));
  }
  if (late_comments > 0) {
    list.notes.push_back(fmt::format(
        "{} line{} between the links begin{} with # or % and {} skipped as {}", late_comments,
        late_comments == 1 ? "" : "s", late_comments == 1 ? "s" : "",
        late_comments == 1 ? "was" : "were", late_comments == 1 ? "a comment" : "comments"));
  }
}

template <typename Pair>
EdgeList finish_integers(const fs::path& path, const EdgeListFormat& format,
                         IntegerRows<Pair> rows) {
  EdgeList list;
  add_notes(format, rows.late_comments, list);
  NumberedIds numbered = number_integer_ids(path, std::move(rows));
  list.num_nodes = numbered.num_nodes;
  list.names = names_of(numbered);
  list.arcs = std::move(numbered.arcs);
  return list;
}

// Links between words that all turned out to be integers.
IntegerRows<WidePair> integer_rows(const std::vector<NodePair>& arcs,
                                   const WordNumbering& numbering, int64_t late_comments) {
  std::vector<int64_t> ids;
  ids.reserve(numbering.size());
  for (int32_t number = 0; number < numbering.size(); ++number) {
    ids.push_back(parse_number<int64_t>(numbering.word(number)).value());
  }
  IntegerRows<WidePair> result;
  result.late_comments = late_comments;
  for (const NodePair arc : arcs) {
    result.rows.push_back({ids[arc.source], ids[arc.target]});
  }
  return result;
}

// Row by row, for all that read_integer_rows does not take: words, faults, and very long lines.
EdgeList read_words(const fs::path& path, const EdgeListFormat& format,
                    const ReadOptions& options) {
  EdgeList list;
  WordNumbering numbering;
  OddIdFinder odd;
  const int64_t late_comments = for_each_row(
      path, format, options, [&](std::string_view source, std::string_view target, int64_t line) {
        odd.look_at(source, line);
        odd.look_at(target, line);
        // Not in one expression: the source must get its number first.
        const NodeId from = numbering.number(source);
        const NodeId to = numbering.number(target);
        list.arcs.push_back({from, to});
      });
  odd.fail_unless_words(path);
  if (!odd.has_words()) {
    return finish_integers(path, format, integer_rows(list.arcs, numbering, late_comments));
  }
  add_notes(format, late_comments, list);
  if (format.has_header) {
    list.notes.push_back(fmt::format("the first row ({}, {}) is taken as the header",
                                     detail::quoted(format.header[0]),
                                     detail::quoted(format.header[1])));
  }
  list.num_nodes = numbering.size();
  list.names = NodeNames::from_list(std::move(numbering).take_words());
  return list;
}

std::vector<NodePair> read_row_numbers(const fs::path& path, const NodeNames& names,
                                       const EdgeListFormat& format, const ReadOptions& options) {
  auto rows = read_integer_rows<NodePair>(path, format, options);
  if (rows && rows->largest < names.size()) {
    return std::move(rows->rows);
  }
  // Something is wrong; row by row tells where.
  for_each_row(path, format, options,
               [&](std::string_view source, std::string_view target, int64_t line) {
                 for (const std::string_view id : {source, target}) {
                   if (is_integer_id(id) && !names.find(id)) {
                     fail_at_line(path, line, "node {} is out of range, expected 0 to {}", id,
                                  names.size() - 1);
                   }
                   if (!is_digits(id) || !names.find(id)) {
                     fail_at_line(path, line, "node id {}: expected an integer from 0 to {}",
                                  quoted(id), names.size() - 1);
                   }
                 }
               });
  fail_in(path, "changed while it was read");
}

std::vector<NodePair> read_known_words(const fs::path& path, const NodeNames& names,
                                       const EdgeListFormat& format, const ReadOptions& options) {
  WordNumbering known;
  for (int64_t node = 0; node < names.size(); ++node) {
    known.number(names.name(node));
  }
  const auto require = [&](std::string_view id, int64_t line) {
    const int32_t node = known.find(id);
    if (node < 0) {
      try {
        names.require(id);
      } catch (const Error& error) {
        fail_at_line(path, line, "{}", error.what());
      }
    }
    return node;
  };
  std::vector<NodePair> arcs;
  for_each_row(path, format, options,
               [&](std::string_view source, std::string_view target, int64_t line) {
                 arcs.push_back({require(source, line), require(target, line)});
               });
  return arcs;
}

}  // namespace

EdgeList read_edge_list(const fs::path& path, const ReadOptions& options, FirstRow first_row) {
  require_regular_file(path);
  EdgeListFormat format = recognise_edge_list(path, options);
  format.has_header = format.has_header && first_row == FirstRow::kMayBeHeader;
  if (auto rows = read_integer_rows<NodePair>(path, format, options)) {
    return finish_integers(path, format, std::move(*rows));
  }
  if (auto rows = read_integer_rows<WidePair>(path, format, options)) {
    return finish_integers(path, format, std::move(*rows));
  }
  return read_words(path, format, options);
}

std::vector<NodePair> read_edge_list(const fs::path& path, const NodeNames& names,
                                     const ReadOptions& options) {
  require_regular_file(path);
  EdgeListFormat format = recognise_edge_list(path, options);
  if (names.find(format.header[0]) && names.find(format.header[1])) {
    format.has_header = false;
  }
  return names.is_numbered() ? read_row_numbers(path, names, format, options)
                             : read_known_words(path, names, format, options);
}

}  // namespace disenlink::detail
