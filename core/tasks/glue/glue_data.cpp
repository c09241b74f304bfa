// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/text/lines_of.h"
#include "core/tasks/data_set.h"
#include "core/tasks/glue/glue_rules.h"

namespace fathom {

namespace {

// The first line of a task's train.tsv, as far as it tells the task from others; CoLA's has no heading.
struct GlueHeading {
  GlueKind kind;
  std::string_view begins;
};
constexpr std::array<GlueHeading, 7> kHeadings = {
    {{GlueKind::Mrpc, "Quality\t#1 ID\t#2 ID\t"},
     {GlueKind::Sst2, "sentence\tlabel"},
     {GlueKind::Qqp, "id\tqid1\tqid2\tquestion1\tquestion2\t"},
     {GlueKind::Stsb, "index\tgenre\tfilename\tyear\told_index\t"},
     {GlueKind::Mnli, "index\tpromptID\tpairID\tgenre\t"},
     {GlueKind::Qnli, "index\tquestion\tsentence\tlabel"},
     {GlueKind::Rte, "index\tsentence1\tsentence2\tlabel"}}};

// Source, 0 or 1, nothing or "*", a sentence.
bool isColaLine(std::string_view line) {
  std::array<std::string_view, 4> cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t tab = line.find('\t');
    if ((tab == std::string_view::npos) != (i + 1 == cells.size())) return false;
    cells[i] = line.substr(0, tab);
    if (tab != std::string_view::npos) line.remove_prefix(tab + 1);
  }
  return (cells[1] == "0" || cells[1] == "1") && (cells[2].empty() || cells[2] == "*") && !cells[3].empty();
}

std::optional<GlueKind> glueKindOf(const std::string& train) {
  const std::string text = DataPlace::beginning(train);
  std::string_view line;
  (void)LinesOf(text).next(line);
  for (const GlueHeading& heading : kHeadings)
    if (line.starts_with(heading.begins)) return heading.kind;
  return isColaLine(line) ? std::optional(GlueKind::Cola) : std::nullopt;
}

std::optional<FoundDataSet> findGlue(const DataPlace& place) {
  const std::string train = place.file({"train.tsv"});
  const auto kind = train.empty() ? std::nullopt : glueKindOf(train);
  if (!kind) return {};
  const GlueRule rule = glueRule(*kind);
  const auto named = [&place](const std::string& name) { return place.file({name}); };
  const std::string validation = named(rule.validationFile), test = named(rule.testFile);
  if (!place.pointsInto({train, validation, test, named(rule.mismatchedFile)})) return {};
  FoundDataSet found;
  found.options["glue.task"] = wordOf(kGlueKinds, *kind);
  found.take("data.train", train);
  found.take("data.validation", validation,
             {{},
              Phrase::tr("The validation file: a part of the training file is kept apart"),
              Phrase::tr("it is in the archive of the GLUE task"),
              false});
  found.take("data.test", test);
  if (!rule.mismatchedFile.empty()) found.take("glue.mismatched", named(rule.mismatchedFile));
  if (!rule.testMismatchedFile.empty()) found.take("glue.test_mismatched", named(rule.testMismatchedFile));
  found.vocabulary = "text.vocabulary";
  return found;
}

}  // namespace

DataSetKind glueDataEntry() {
  return {.id = "glue",
          .title = "GLUE",
          .task = "glue",
          .preset = "glue_quick",
          .source = Phrase::tr("The tasks of GLUE are at https://gluebenchmark.com/tasks."),
          .find = findGlue};
}

}  // namespace fathom
