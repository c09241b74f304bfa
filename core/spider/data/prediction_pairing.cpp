// SPDX-License-Identifier: Apache-2.0
// Pairs predictions with gold queries: by the index that the file gives, else by position.
#include <algorithm>
#include <array>
#include <limits>

#include "core/base/files/atomic_file.h"
#include "core/base/text/utf8.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/data/text_lines.h"
#include "core/spider/official/sql_parser.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxPairingBytes = std::size_t{256} << 20;

// Words that no query ends with: what follows the TAB is a part of it even when a database is called so.
constexpr std::array<std::string_view, 26> kOpenEnds = {
    "select", "distinct", "from",      "join",    "as", "on",     "where", "and",    "or",
    "not",    "in",       "like",      "between", "by", "group",  "order", "having", "limit",
    "union",  "except",   "intersect", "all",     "is", "exists", "inner", "left"};

bool endsOpen(std::string_view sql) {
  if (sql.empty()) return false;
  if (std::string_view(",.=<>!+-/(|").find(sql.back()) != std::string_view::npos) return true;
  const auto blank = sql.find_last_of(" \t\r\n(),");
  const std::string word = asciiLower(sql.substr(blank == std::string_view::npos ? 0 : blank + 1));
  return std::find(kOpenEnds.begin(), kOpenEnds.end(), word) != kOpenEnds.end();
}

// A prediction as read once it is known which words are databases.
struct ReadLine {
  std::string sql, dbId;
  bool tabs = false;  // TABs that are part of the SQL
};

ReadLine readLine(const PredictionLine& line, PredictionFormat format, const SpiderDatabaseIds& known,
                  PredictionPairing pairing) {
  ReadLine out{line.sql, line.dbId, false};
  if (format != PredictionFormat::Lines) return out;
  if (const auto tab = line.sql.rfind('\t'); tab != std::string::npos) {
    const std::string last = std::string(strip(std::string_view(line.sql).substr(tab + 1)));
    const std::string rest = std::string(strip(std::string_view(line.sql).substr(0, tab)));
    if (known.count(last) > 0 && !endsOpen(rest)) {
      out.dbId = last;
      out.sql = rest;
    } else {
      out.sql = std::string(strip(out.sql));
    }
    out.tabs = out.sql.find('\t') != std::string::npos;
  }
  // The official script knows no database here: it takes the first field of the stripped line.
  if (pairing == PredictionPairing::Official) out.sql = splitTabs(strip(line.sql))[0];
  return out;
}

// Names that say a position; the other index names may be numbers of questions.
bool saysPosition(const PredictionFile& file) {
  return file.indexAsked || file.indexColumn == "index" || file.indexColumn == "example";
}

Phrase inFile(const PredictionFile& file, const PredictionLine& line) {
  const bool records = file.format != PredictionFormat::Lines;
  return (records ? Phrase::tr("record %1") : Phrase::tr("line %1"))(line.line);
}

using Order = std::vector<const PredictionLine*>;

// Why the indices are no positions among `count` examples; empty: they are, counted from `base`.
Phrase indexProblem(const PredictionFile& file, std::size_t count, std::int64_t& base) {
  const std::string name = "\"" + file.indexColumn + "\"";
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max(), highest = -1;
  for (const auto& line : file.lines) {
    if (!line.index) return Phrase::tr("%1 has no whole number as %2")(inFile(file, line), name);
    lowest = std::min(lowest, *line.index);
    highest = std::max(highest, *line.index);
  }
  const auto last = static_cast<std::int64_t>(count) - 1;
  base = lowest == 1 && highest == last + 1 && file.lines.size() == count ? 1 : 0;
  std::vector<const PredictionLine*> taken(count, nullptr);
  for (const auto& line : file.lines) {
    const std::int64_t at = *line.index - base;
    if (at < 0 || at > last) {
      return Phrase::tr("%1 has %2 %3, but the examples are 0 to %4")(inFile(file, line), name, *line.index,
                                                                      last);
    }
    auto& slot = taken[static_cast<std::size_t>(at)];
    if (slot != nullptr) {
      return Phrase::tr("%1 has %2 %3, as %4 has")(inFile(file, line), name, *line.index,
                                                   inFile(file, *slot));
    }
    slot = &line;
  }
  return {};
}

// Places the predictions by the file's index. False: it has none that counts.
Result<bool> orderByIndex(const PredictionFile& file, std::size_t count, Order& order,
                          std::vector<Phrase>& notes) {
  if (file.indexColumn.empty()) return false;
  const std::string name = "\"" + file.indexColumn + "\"";
  std::int64_t base = 0;
  if (const Phrase problem = indexProblem(file, count, base); !problem.empty()) {
    const bool none = std::none_of(file.lines.begin(), file.lines.end(),
                                   [](const auto& line) { return line.index.has_value(); });
    if (saysPosition(file) && !none)
      return dataError(
          problem, Phrase::tr("predictions of another split? Without %1 the order of the file counts")(name));
    notes.push_back(Phrase::tr("%1 is no position (%2): the order of the file counts")(name, problem));
    return false;
  }
  order.assign(count, nullptr);
  bool inOrder = true;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const auto at = static_cast<std::size_t>(*file.lines[i].index - base);
    order[at] = &file.lines[i];
    inOrder = inOrder && at == i;
  }
  if (!inOrder)
    notes.push_back(
        Phrase::tr("the order of the file is not that of the examples: %1 places the predictions")(name));
  if (base == 1) notes.push_back(Phrase::tr("%1 counts from 1")(name));
  if (const auto missing = std::count(order.begin(), order.end(), nullptr); missing > 0)
    notes.push_back(missingNote(missing, count));
  return true;
}

// By position. Only a text file has blank lines that may stand for nothing; a record keeps its place.
Result<Order> orderByPosition(const PredictionFile& file, std::size_t count, PredictionPairing pairing,
                              std::vector<Phrase>& notes) {
  Order all, written;
  for (const auto& line : file.lines) {
    all.push_back(&line);
    if (!line.blank) written.push_back(&line);
  }
  if (file.format != PredictionFormat::Lines) written = all;
  if (pairing == PredictionPairing::Official) {
    if (written.size() != all.size())
      notes.emplace_back(
          Phrase::tr("blank lines are left out, and what follows moves up, as in the official script"));
  } else {
    if (written.size() != count && all.size() == count) {
      notes.emplace_back(Phrase::tr("blank lines are taken as empty predictions"));
      written = all;
    } else if (written.size() != all.size()) {
      notes.emplace_back(Phrase::tr("blank lines are left out"));
    }
    if (written.size() != count) {
      return dataError(Phrase::tr("%1 predictions for %2 gold queries")(written.size(), count),
                       Phrase::tr("predictions of another split, or lines lost?"));
    }
  }
  if (written.size() != count) {
    notes.push_back(Phrase::tr(
        "%1 predictions for %2 gold queries: what is left over is ignored, as the official script does")(
        written.size(), count));
  }
  return written;
}

// Predictions for other databases than gold: a few are named; when most of all predictions are, it is
// another split.
Status checkDatabases(const std::vector<GoldLine>& gold, const PredictionFile& file, const Order& order,
                      const std::vector<ReadLine>& read, std::vector<Phrase>& notes) {
  std::size_t differ = 0, foreign = 0;
  Phrase first, firstForeign;
  for (std::size_t i = 0; i < std::min(gold.size(), order.size()); ++i) {
    if (order[i] == nullptr) continue;
    if (!read[i].dbId.empty() && read[i].dbId != gold[i].dbId && ++differ == 1) {
      first = Phrase::tr("%1 is for \"%2\", gold is for \"%3\"")(inFile(file, *order[i]), read[i].dbId,
                                                                 gold[i].dbId);
    }
    // One word after a TAB on most lines is a database, too, though nobody knows it.
    if (file.format != PredictionFormat::Lines || !read[i].dbId.empty()) continue;
    const auto tab = order[i]->sql.rfind('\t');
    if (tab == std::string::npos) continue;
    const std::string last = std::string(strip(std::string_view(order[i]->sql).substr(tab + 1)));
    if (!last.empty() && last.find_first_of(" \t,;()'\"=<>*") == std::string::npos && ++foreign == 1)
      firstForeign = Phrase::tr("%1 is for \"%2\"")(inFile(file, *order[i]), last);
  }
  if (foreign * 2 > order.size()) {
    return dataError(
        Phrase::tr("%1 of %2 predictions name a database that neither gold nor the schemas know; %3")(
            foreign, order.size(), firstForeign),
        Phrase::tr("predictions of another split?"));
  }
  if (differ == 0) return {};
  const Phrase text =
      Phrase::tr("%1 of %2 predictions name another database than gold; %3")(differ, order.size(), first);
  if (differ * 2 > order.size()) return dataError(text, Phrase::tr("predictions of another split?"));
  notes.push_back(text);
  return {};
}

void noteTabs(const std::vector<ReadLine>& read, PredictionPairing pairing, std::vector<Phrase>& notes) {
  const auto tabs = std::count_if(read.begin(), read.end(), [](const auto& line) { return line.tabs; });
  if (tabs == 0) return;
  notes.push_back((tabs == 1 ? Phrase::tr("%1 prediction has TABs inside the SQL: %2")
                             : Phrase::tr("%1 predictions have TABs inside the SQL: %2"))(
      tabs, pairing == PredictionPairing::Official
                ? Phrase(Phrase::tr("read up to the first one, as the official script does"))
                : Phrase(Phrase::tr("taken whole, while the official script reads up to the first one"))));
}

}  // namespace

Phrase missingNote(std::int64_t missing, std::size_t examples) {
  return Phrase::tr("%1 of %2 examples have no prediction: they count as wrong")(missing, examples);
}

SpiderDatabaseIds databasesOf(const std::vector<GoldLine>& gold) {
  SpiderDatabaseIds ids;
  for (const GoldLine& line : gold) ids.insert(line.dbId);
  return ids;
}

Result<PairedPredictions> pairPredictions(const std::vector<GoldLine>& gold,
                                          const PredictionFile& predictions, PredictionPairing pairing,
                                          const SpiderDatabaseIds& known) {
  PairedPredictions out;
  Order order;
  FATHOM_TRY(const bool indexed, orderByIndex(predictions, gold.size(), order, out.notes));
  if (!indexed) {
    FATHOM_TRY(order, orderByPosition(predictions, gold.size(), pairing, out.notes));
  }
  SpiderDatabaseIds databases = databasesOf(gold);
  databases.insert(known.begin(), known.end());
  std::vector<ReadLine> read(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != nullptr) read[i] = readLine(*order[i], predictions.format, databases, pairing);
  const Status fits = checkDatabases(gold, predictions, order, read, out.notes);
  if (!fits && pairing == PredictionPairing::Careful) return fits.error();
  if (!fits) out.notes.push_back(fits.error().messagePhrase());
  noteTabs(read, pairing, out.notes);
  for (std::size_t i = 0; i < std::min(gold.size(), order.size()); ++i)
    out.pairs.push_back({gold[i].dbId, gold[i].sql, std::move(read[i].sql)});
  for (std::size_t i = 0; i < out.pairs.size(); ++i) {
    const std::int64_t none = order[i] == nullptr ? -1 : static_cast<std::int64_t>(i);
    out.numbers.push_back(order[i] != nullptr && order[i]->number >= 0 ? order[i]->number : none);
  }
  return out;
}

Result<PairedPredictions> parsePredictions(std::string_view bytes, const std::string& path,
                                           const PredictionOptions& options,
                                           const std::vector<GoldLine>& gold, const SpiderDatabaseIds& known,
                                           PredictionPairing pairing) {
  FATHOM_TRY(const PredictionFile file, parsePredictionText(bytes, path, options));
  auto paired = pairPredictions(gold, file, pairing, known);
  if (!paired) return dataErrorAt(path, 0, paired.error().messagePhrase(), paired.error().hintPhrase());
  paired->notes.insert(paired->notes.begin(), file.notes.begin(), file.notes.end());
  return paired;
}

Result<PairedPredictions> readPredictions(const std::string& path, const PredictionOptions& options,
                                          const std::vector<GoldLine>& gold, const SpiderDatabaseIds& known,
                                          PredictionPairing pairing) {
  FATHOM_TRY(const std::string bytes, readFile(path, kMaxPairingBytes));
  return parsePredictions(bytes, path, options, gold, known, pairing);
}

}  // namespace fathom
