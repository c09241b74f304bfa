// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json/json.h"
#include "core/review/review_kind.h"

namespace fathom {

// Words [first, second) of a page, tags among them; negative: none.
using PageWords = std::pair<std::int64_t, std::int64_t>;
// An answer to one of the Natural Questions.
struct PageAnswer {
  PageWords whole{-1, -1};       // the long answer
  std::vector<PageWords> parts;  // short answers
  std::string yesNo = "NONE";    // YES, NO, NONE
  double wholeScore = 0, partScore = 0;
};

// A record of a foreign file of predictions. Which example it is for: the id or the index that it says, else
// its place in the file.
struct ImportedPrediction {
  std::string id;                     // "" = it says none
  std::optional<std::int64_t> index;  // of the example, when it says one
  std::optional<std::int64_t>
      row;  // a set of this program: its place in the data file, where that is another
  std::optional<std::string> text;   // the answer as words
  std::optional<double> number;      // the answer as a number
  std::vector<double> scores;        // of labels or options, in the order of `names` or of the gold file
  std::vector<std::string> names;    // of the scores, where the file names them
  std::vector<std::string> phrases;  // a list of texts, the best first
  double nullScore = kNaN;           // SQuAD: odds of "no answer"
  std::vector<std::pair<std::string, std::int64_t>> facts;  // titles and sentences that support it
  std::optional<PageAnswer> page;                           // words of a page
  std::optional<std::string> reference;  // a set of this program: the right answer it was told
  std::int64_t line = 0;                 // 1-based line or number of the record
};

// The first line of a prediction set of this program.
bool isPredictionSet(std::string_view bytes);

struct ImportedFile {
  std::vector<ImportedPrediction> records;
  bool named = false;  // records say their example by id or index
  bool isSet = false;  // a prediction set of this program
  std::vector<Phrase> notes;
};

// Told by its content: NumPy (.npy: integers, numbers or a row of scores each); JSON that is an object id ->
// answer, or a list, or HotpotQA's {"answer": {id: text}, "sp": {id: [[title, sentence], …]}}, or Natural
// Questions' {"predictions": [{"example_id", "long_answer", "short_answers", …}, …]}; JSON lines
// with "prediction" (a prediction set of this program, or any of the usual names); a table with tabs and the
// columns index and prediction, with or without a heading; else one answer a line. All but NumPy may be
// packed (gzip, zstd). Data errors name file, line and value: NUL bytes, text that is not UTF-8, records
// without an answer, more than 5 million of them.
Result<ImportedFile> parseImportedPredictions(std::string_view bytes, const std::string& path,
                                              bool linesAreTexts);

// Bytes of a file, unpacked; at most 256 MB.
Result<std::string> readUnpacked(const std::string& path);
// The first MiB of them at most: to see what it is.
Result<std::string> readHead(const std::string& path);
// Lines without their ends (LF or CRLF), BOM taken off, as long as the text; at most 10 million. A data error
// naming file, line and byte for NUL bytes and what is not UTF-8.
Result<std::vector<std::string_view>> textLines(std::string_view bytes, const std::string& path);
// Cells of a line of a table, at most 4,096.
Result<std::vector<std::string_view>> cellsOf(std::string_view line, const std::string& path,
                                              std::int64_t number);

// {"id": number, ...}, SQuAD's file of null odds.
Result<std::map<std::string, double, std::less<>>> readNullOdds(const std::string& path);

}  // namespace fathom
