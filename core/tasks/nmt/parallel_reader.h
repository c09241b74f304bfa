// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/lines/line_reader.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/tasks/task.h"
#include "core/tasks/text_column.h"

namespace fathom {

struct ParallelFiles {
  enum class Format { Tsv, TwoFiles };
  Format format = Format::Tsv;
  std::string path;                                 // the table, or the file of source sentences
  std::string targetPath;                           // the file of target sentences (TwoFiles)
  bool header = false;                              // the first line of each file is no data
  std::int64_t sourceColumn = 1, targetColumn = 2;  // 1-based (Tsv)
  bool skipBadLines = false;                        // false: the first bad line is an error
  std::int64_t maxLineBytes = LineReader::kDefaultLineBytes;
  std::int64_t maxPairs = 0;  // read no more than this, 0 = all
};

enum class BadLine { MissingTab, TooLong, InvalidUtf8, NulByte, EmptySide };
inline constexpr std::size_t kBadLineKinds = 5;

// Lines that were left out, with the reason: nothing is skipped silently.
struct SkippedLines {
  struct Kind {
    std::int64_t count = 0;
    std::vector<std::int64_t> firstLines;  // at most 5
  };
  std::array<Kind, kBadLineKinds> kinds;
  std::int64_t total() const;
  Json toJson() const;  // {"missing_tab": {"count": 2, "first_lines": [3, 7]}, ...}, only kinds that occur
};

struct ParallelText {
  TextColumn source, target;        // without white space at the ends
  std::vector<std::int64_t> lines;  // line of each pair in its file, 1-based
  SkippedLines skipped;
  std::int64_t linesRead = 0;    // with header and skipped ones
  std::vector<DataHash> hashes;  // role = `role` and, for two files, `role` + ".target"
  std::int64_t size() const { return source.size(); }
};

// Reads all pairs. Data errors name file and line: missing, empty, binary, wrongly encoded file, a line
// without the asked column, an empty side, an over-long line, two files of unequal length (never skipped:
// every later pair would be wrong), no pair at all.
Result<ParallelText> readParallel(const ParallelFiles& files, const std::string& role,
                                  Progress* progress = nullptr, const StopToken& stop = {});

}  // namespace fathom
