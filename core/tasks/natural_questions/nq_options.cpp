// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/natural_questions/nq_options.h"

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/tasks/long_text/long_text_task.h"

namespace fathom {

namespace {

constexpr const char* kNqTask = "natural_questions";

enum class NqLongAnswers { Candidate, Words };
constexpr EnumWord<NqLongAnswers> kNqLongAnswers[] = {
    {NqLongAnswers::Candidate, "candidate", "The candidate that shares most words"},
    {NqLongAnswers::Words, "words", "The words as they were found"}};

std::vector<OptionField> windowFields() {
  return {
      integerField("natural_questions.stride", "Step of the windows of a page",
                   "A page that is too long is read in windows that begin this far apart.", 1024)
          .between(1, 1 << 16)
          .unit("tokens"),
      integerField("natural_questions.max_question", "Longest question about a page",
                   "Pieces of it; the end of longer ones is cut.", 32)
          .between(1, 1 << 12)
          .unit("tokens"),
      realField("natural_questions.null_share", "Share of windows without an answer",
                "Of the training windows that hold no answer only this share is learned from; which, is "
                "drawn from the run's seed.",
                1.0)
          .between(0, 1),
      positionsField("natural_questions.positions", "Places of a window an answer may begin at",
                     "The released code pads every window to its full length and has padding in the softmax.",
                     false)};
}

std::vector<OptionField> nqAnswerFields() {
  return {integerField("natural_questions.max_short", "Longest short answer",
                       "Its last word stands fewer words than this behind its first.", 32)
              .between(1, 1 << 12)
              .unit("words"),
          integerField("natural_questions.n_best", "Best places of a window",
                       "Begins and ends of a window that are looked at.", 50)
              .between(1, 4096),
          choiceField("natural_questions.long_answers", "Long answers",
                      "What is predicted as the long answer. The benchmark counts it as right where it is a "
                      "candidate.",
                      choicesOf(kNqLongAnswers))};
}

}  // namespace

std::vector<OptionField> nqOptionFields() {
  return joinedFields(
      {encodedRecordFields(),
       fromPaper("ETC §4.2",
                 joinedFields({longLengthFields(kNqTask, {4096, 230}, "Natural Questions"),
                               inGroup("Batches", windowFields()), inGroup("Data", nqAnswerFields())}))});
}

Result<NqOptions> nqOptionsFrom(const OptionValues& values, bool inputOnly) {
  if (!inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  NqOptions options;
  options.data = encodedTextOptions(values);
  const LongLengths lengths = longLengths(values, kNqTask);
  options.limits = {lengths.longs, lengths.globals, values.integer("natural_questions.stride"),
                    values.integer("natural_questions.max_question")};
  options.nullShare = values.real("natural_questions.null_share");
  options.padsAll = countsPadding(values, "natural_questions.positions");
  options.decoding.maxShort = values.integer("natural_questions.max_short");
  options.decoding.top = values.integer("natural_questions.n_best");
  options.decoding.candidates =
      valueOf(kNqLongAnswers, values.text("natural_questions.long_answers")) == NqLongAnswers::Candidate;
  constexpr std::int64_t kMarks = 3;
  const std::int64_t question = std::min(options.limits.questionLength, options.limits.globalLength - kMarks);
  if (options.limits.longLength <= question + kMarks)
    return aboutKey(
        "natural_questions.max_length",
        usageError(
            Phrase::tr("natural_questions.max_length=%1 leaves no room for a page behind a question of "
                       "%2 pieces")(options.limits.longLength, question),
            Phrase::tr("raise it, or lower natural_questions.max_question")));
  return options;
}

}  // namespace fathom
