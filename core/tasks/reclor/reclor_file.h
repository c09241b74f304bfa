// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/task.h"

namespace fathom {

struct ReclorQuestion {
  std::string context, question, id;
  std::vector<std::string> answers;
  std::int64_t label = -1;  // -1: none
  std::int64_t row = 0;     // among all questions of the file, from 0
  bool operator==(const ReclorQuestion&) const = default;
};

struct ReclorFile {
  std::vector<ReclorQuestion> questions;
  std::int64_t left = 0;         // questions that are left out (skipBad)
  std::int64_t emptyTexts = 0;   // questions with an empty context, question or answer
  std::int64_t underscores = 0;  // questions whose answers are put in their place
  std::string firstLeft;         // why the first one was
  DataHash hash;
};

// ReClor's JSON: a list of {"context", "question", "answers", "label", "id_string"}. Data errors name file,
// question and value: a missing member, fewer than two answers, a label outside of them, an id that comes
// twice; with `skipBad` such questions are left out and counted.
Result<ReclorFile> readReclorFile(const std::string& path, bool skipBad);
// One of them; errors say what is wrong.
Result<ReclorQuestion> reclorQuestion(const Json& json);

// The text of an answer (docs/fine_tuning.md §6): it takes the place of every underscore of the question, or
// stands behind it and a blank. Nothing is trimmed.
std::string answerText(std::string_view question, std::string_view answer);

// "A" … "Z", "AA", "AB", … of an answer.
std::string answerLetter(std::int64_t answer);

}  // namespace fathom
