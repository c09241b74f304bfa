// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/long_text/long_layout.h"

namespace fathom {

using WordRange = std::pair<std::int64_t, std::int64_t>;  // [begin, end) of a page's words

struct NqAnnotation {
  std::optional<WordRange> longAnswer;
  std::vector<WordRange> shortAnswers;
  std::string yesNo = "NONE";  // YES, NO, NONE
};

// A page: its words in order, HTML tags among them as <...>; the top-level candidates of a long answer.
struct NqRecord {
  std::string id, question;
  std::vector<std::string> words;
  std::vector<WordRange> candidates;
  std::vector<NqAnnotation> annotations;
};
// A line of the simplified layout (document_text, long_answer_candidates) or of the original one
// (document_tokens with their tags): both as released, candidates that lie in others left out. Data errors
// name `place` and the field.
Result<NqRecord> nqRecord(const Json& json, const std::string& place, bool answered = true);

// The files of a part: a file, or those of a folder whose names end with .jsonl or .jsonl.gz, in order (the
// benchmark's training part comes as fifty of them).
Result<std::vector<std::string>> nqFiles(const std::string& path);

bool isHtmlTag(const std::string& word);

enum class NqAnswer : std::int32_t { Null, Yes, No, Long, Short };

struct NqLimits {
  std::int64_t longLength = 4096, globalLength = 230, stride = 1024, questionLength = 32;
};

// What a page is asked for, cut into pieces once; windows are laid when they are needed.
struct NqPage {
  std::vector<std::int32_t> question;    // pieces, cut
  std::vector<std::int32_t> ids, words;  // pieces without tags, and the words that they are in
  std::vector<WordRange> candidates;
  // Of the first annotation: first and last word of the long answer, without tags, and of the first short
  // one; -1: none.
  WordRange longAnswer{-1, -1}, shortAnswer{-1, -1};
  NqAnswer type = NqAnswer::Null;
  bool cutQuestion = false;
};
NqPage nqPage(const NqRecord& record, const LongPieces& pieces, const NqLimits& limits);
std::int64_t nqWindowCount(const NqPage& page, const NqLimits& limits);
// Long tokens of a window.
std::int64_t nqWindowLength(const NqPage& page, std::int64_t window, const NqLimits& limits);

// Global tokens that a window asks for; more than there are: the last one goes on.
std::int64_t nqGlobals(const NqPage& page, std::int64_t window, const NqLimits& limits);

// Places of the answers' ends among the long tokens of a window; 0: not in it.
struct NqTargets {
  std::int64_t shortStart = 0, shortEnd = 0, longStart = 0, longEnd = 0;
  NqAnswer type = NqAnswer::Null;
};
NqTargets nqTargets(const NqPage& page, std::int64_t window, const NqLimits& limits);

struct NqWindow : NqTargets {
  LongLayout layout;  // `word` counts the page's words
  std::int64_t start = 0, pieces = 0;
};

// [CLS] question [SEP] pieces [SEP] in windows that begin at 0, stride, 2 stride, … (docs/long_inputs.md §4).
// Targets are those of the first annotation.
NqWindow layNqWindow(const NqPage& page, std::int64_t window, const LongPieces& pieces,
                     const NqLimits& limits);

}  // namespace fathom
