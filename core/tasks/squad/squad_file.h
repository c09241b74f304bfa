// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/task.h"

namespace fathom {

struct SquadAnswer {
  std::string text;
  std::int64_t start = 0;  // code points of the passage before it
};

struct SquadQuestion {
  std::string id, question;
  std::vector<SquadAnswer> answers;  // empty: it has none in the passage
  bool impossible = false;
  std::int64_t passage = 0;
  std::int64_t row = 0;  // among all questions of the file, from 0
};

struct SquadFile {
  std::vector<std::string> passages;
  std::vector<std::int64_t> articles;  // of each passage
  std::vector<SquadQuestion> questions;
  std::int64_t left = 0;            // questions that are left out (skipBad)
  std::string firstLeft;            // why the first one was
  std::int64_t unanswered = 0;      // questions with neither answer nor is_impossible: a test file
  std::string firstUnanswered;      // its id
  std::int64_t emptyQuestions = 0;  // questions without a word
  std::string firstEmptyQuestion;   // its id
  bool impossible = false;          // some question has no answer: version 2.0
  DataHash hash;
};

// SQuAD's questions, version 1.1 or 2.0, in any layout of core/text/answers/squad_document.h. Data errors
// name file, question id and value: a missing member, an id that comes twice, an answer without place; with
// `skipBad` such questions are left out and counted.
Result<SquadFile> readSquadFile(const std::string& path, bool skipBad);

}  // namespace fathom
