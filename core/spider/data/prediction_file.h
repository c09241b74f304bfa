// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/spider/official/spider_evaluation.h"
#include "core/spider/spider_schema.h"

namespace fathom {

struct GoldLine {
  std::string sql;
  std::string dbId;
  std::int64_t line = 0;  // 1-based, in the file; of a data set the record
};

// Gold file: SQL TAB db_id per line; blank lines are dropped, as the official script does. Errors name the
// line. A data set (dev.json, also packed by gzip) is read too: the queries of its records; and a
// prediction set of a run of ours, which holds them beside its predictions.
Result<std::vector<GoldLine>> readGoldFile(const std::string& path);
Result<std::vector<GoldLine>> parseGoldText(std::string_view text, const std::string& path);

enum class PredictionFormat { Auto, Lines, Json, JsonLines, Csv };

struct PredictionOptions {
  PredictionFormat format = PredictionFormat::Auto;  // Auto: by extension, then by the first character
  // Column chooser for JSON, JSONL and CSV; empty: the first of the usual names that is there.
  std::string sqlColumn, databaseColumn, indexColumn;
  // To ask what can be chosen: a file without any usual name is no error, its lines stay blank.
  bool anyColumns = false;
};

struct PredictionLine {
  // The whole line of a text file: whether a database stands behind its last TAB is known only to who pairs.
  std::string sql;
  std::string dbId;                   // of a record; empty when it does not say
  std::optional<std::int64_t> index;  // example, when the file says
  std::int64_t number = -1;           // what a set of ours calls the example, where `index` is its row
  std::int64_t line = 0;              // 1-based line, or record number
  bool blank = false;                 // nothing on the line
};

struct PredictionFile {
  PredictionFormat format = PredictionFormat::Lines;
  std::vector<PredictionLine> lines;
  std::vector<std::string> columns;                    // names a column chooser can offer
  std::string sqlColumn, databaseColumn, indexColumn;  // what was used
  bool indexAsked = false;                             // the options name the index column
  // Oddities met on the way, in words: byte order mark, CRLF, blank lines, invalid UTF-8.
  std::vector<Phrase> notes;
};

Result<PredictionFile> readPredictionFile(const std::string& path, const PredictionOptions& options = {});
Result<PredictionFile> parsePredictionText(std::string_view text, const std::string& path,
                                           const PredictionOptions& options = {});

using SpiderDatabaseIds = std::set<std::string, std::less<>>;
SpiderDatabaseIds databasesOf(const std::vector<GoldLine>& gold);

// Ways in which predictions meet gold lines. Both place them by the file's index where it has one, and say in
// `notes` whenever order or count is not the file's. They differ in how they take a text file.
enum class PredictionPairing {
  // Blank lines dropped, then by position, SQL up to the first TAB; what is left over is ignored. To the
  // digit
  // what the official script does.
  Official,
  // A blank line is an empty prediction if only that makes the counts agree; SQL may hold TABs: behind the
  // last one stands a database only if gold or the schemas know it.
  Careful
};

struct PairedPredictions {
  std::vector<SpiderPair> pairs;
  // The file's own number of the example of each pair, -1 where it has no prediction: in a prediction set
  // of ours the number that its details go by, else the place among the predictions.
  std::vector<std::int64_t> numbers;
  // In words: order and count that are not the file's, predictions for another database (the first one
  // named), blank lines, TABs inside SQL.
  std::vector<Phrase> notes;
};

// The note about examples that have no prediction.
Phrase missingNote(std::int64_t missing, std::size_t examples);
// `known`: databases of the data set besides those of gold, as in tables.json. Errors: an index that is given
// twice or out of range; (Careful) the counts differ, or most of all predictions are for other databases:
// another split.
Result<PairedPredictions> pairPredictions(const std::vector<GoldLine>& gold,
                                          const PredictionFile& predictions,
                                          PredictionPairing pairing = PredictionPairing::Careful,
                                          const SpiderDatabaseIds& known = {});

// The one way from a file of predictions to pairs, for every command and the window: reads, pairs, and puts
// the notes of both together. Errors name the file.
Result<PairedPredictions> readPredictions(const std::string& path, const PredictionOptions& options,
                                          const std::vector<GoldLine>& gold, const SpiderDatabaseIds& known,
                                          PredictionPairing pairing);
Result<PairedPredictions> parsePredictions(std::string_view bytes, const std::string& path,
                                           const PredictionOptions& options,
                                           const std::vector<GoldLine>& gold, const SpiderDatabaseIds& known,
                                           PredictionPairing pairing);

}  // namespace fathom
