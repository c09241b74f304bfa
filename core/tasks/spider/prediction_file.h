// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tasks/spider/spider_evaluation.h"
#include "core/tasks/spider/spider_schema.h"

namespace fathom {

struct GoldLine {
  std::string sql;
  std::string dbId;
  std::int64_t line = 0;  // 1-based, in the file
};

// Gold file: SQL TAB db_id per line; blank lines are dropped, as the official script does. Errors name the
// line.
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
  std::string sql;                    // first TAB field for text files
  std::string dbId;                   // empty when the file does not say
  std::optional<std::int64_t> index;  // 0-based example, when the file says
  std::int64_t line = 0;              // 1-based line, or record number
  bool blank = false;                 // nothing on the line
};

struct PredictionFile {
  PredictionFormat format = PredictionFormat::Lines;
  std::vector<PredictionLine> lines;
  std::vector<std::string> columns;                    // names a column chooser can offer
  std::string sqlColumn, databaseColumn, indexColumn;  // what was used
  // What was met on the way, in words: byte order mark, CRLF, blank lines, invalid UTF-8.
  std::vector<std::string> notes;
};

Result<PredictionFile> readPredictionFile(const std::string& path, const PredictionOptions& options = {});
Result<PredictionFile> parsePredictionText(std::string_view text, const std::string& path,
                                           const PredictionOptions& options = {});

// How predictions meet gold lines.
enum class PredictionPairing {
  Official,  // blank lines dropped from both, then by position; what is left over is ignored
  Careful    // by index where the file has one; a blank line is an empty prediction if only that makes the
             // counts agree
};

struct PairedPredictions {
  std::vector<SpiderPair> pairs;
  // Count differences, predictions for another database (first few named), blank lines.
  std::vector<std::string> notes;
};

// Error (Careful): the counts differ, or most db_ids differ: predictions of another split.
Result<PairedPredictions> pairPredictions(const std::vector<GoldLine>& gold,
                                          const PredictionFile& predictions,
                                          PredictionPairing pairing = PredictionPairing::Careful);

}  // namespace fathom
