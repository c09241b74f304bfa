// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/squad_options.h"

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"

namespace fathom {

namespace {

enum class SquadVersion { First, Second };
constexpr EnumWord<SquadVersion> kSquadVersions[] = {
    {SquadVersion::First, "1.1", "1.1: every question has an answer"},
    {SquadVersion::Second, "2.0", "2.0: some have none"}};

std::vector<OptionField> rowFields() {
  return {
      integerField("squad.max_length", "Longest row with a passage",
                   "Pieces of question and window, marks included.", 384)
          .between(8, 1 << 16)
          .unit("tokens"),
      integerField("squad.stride", "Step of the windows",
                   "A passage that is too long is read in windows that begin this far apart.", 128)
          .between(1, 1 << 16)
          .unit("tokens"),
      integerField("squad.max_query", "Longest question", "Pieces of it; the end of longer ones is cut.", 64)
          .between(1, 1 << 12)
          .unit("tokens"),
      positionsField("squad.positions", "Places an answer may begin at",
                     "The released code pads every row to its full length and has padding in the softmax.",
                     true)};
}

std::vector<OptionField> answerFields() {
  return {choiceField("squad.version", "Version of SQuAD",
                      "Whether questions may be without an answer, and by which rules answers are scored.",
                      choicesOf(kSquadVersions)),
          integerField("squad.n_best", "Best places",
                       "Starts and ends of a window that are looked at, and "
                       "answers that are kept.",
                       20)
              .between(1, 1000),
          integerField("squad.max_answer", "Longest answer", "Pieces of it.", 30)
              .between(1, 1 << 12)
              .unit("tokens"),
          realField("squad.null_threshold", "Threshold of no answer",
                    "The question is left without an answer where the null score exceeds that of the best "
                    "text by more; the scores of a validation name the best threshold.",
                    0.0)
              .when("squad.version", {"2.0"})};
}

}  // namespace

std::vector<OptionField> squadOptionFields() {
  return joinedFields(
      {encodedTextFields(), fromPaper("BERT, run_squad", joinedFields({inGroup("Batches", rowFields()),
                                                                       inGroup("Data", answerFields())}))});
}

Result<SquadOptions> squadOptionsFrom(const OptionValues& values, bool inputOnly) {
  if (!inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  SquadOptions options;
  options.data = encodedTextOptions(values);
  options.layout = {values.integer("squad.max_length"), values.integer("squad.stride"),
                    values.integer("squad.max_query")};
  options.padsAll = countsPadding(values, "squad.positions");
  SquadDecoding& decoding = options.decoding;
  decoding.version2 = valueOf(kSquadVersions, values.text("squad.version")) == SquadVersion::Second;
  decoding.nBest = values.integer("squad.n_best");
  decoding.maxAnswer = values.integer("squad.max_answer");
  decoding.threshold = decoding.version2 ? values.real("squad.null_threshold") : 0;
  constexpr std::int64_t kMarks = 4;
  if (options.layout.maxLength <= options.layout.maxQuery + kMarks)
    return aboutKey(
        "squad.max_length",
        usageError(Phrase::tr("squad.max_length=%1 leaves no room for a passage behind a question "
                              "of %2 pieces")(options.layout.maxLength, options.layout.maxQuery),
                   Phrase::tr("raise it, or lower squad.max_query")));
  return options;
}

}  // namespace fathom
