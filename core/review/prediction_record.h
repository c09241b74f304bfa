// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/review/imported_predictions.h"

namespace fathom {

// One record of a foreign file of predictions, by the names that people give its members. Data errors say
// what is wrong with the value; file and line are the caller's.

inline constexpr std::size_t kMostScores = 4096;

// A text, a number, a list of scores or of texts; an object with its example, answer, scores, facts.
Status readPredictionRecord(const Json& value, ImportedPrediction& record);
// A line of a prediction set of this program, which numbers what its task kept of the data; the file's own
// id, or its place there ("row"), stands beside that number where they differ. `reference`: the member with
// the right answer.
Status readSetLine(const Json& value, const std::string& reference, ImportedPrediction& record);

Status readPredictedAnswer(const Json& value, ImportedPrediction& record);
// [[title, sentence], …]
Status readSupportingFacts(const Json& value, ImportedPrediction& record);
// A text, and the number that it may be.
void setAnswerText(ImportedPrediction& record, std::string text);

// True if columns and members of this name hold answers, or say an example.
bool isAnswerKey(std::string_view word);
bool isExampleKey(std::string_view word);
// True if the object says an example and its answer.
bool answersAnExample(const Json& object);

}  // namespace fathom
