// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_options.h"

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/path_facts.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/tasks/glue/glue_metrics.h"

namespace fathom {

namespace {

enum class LabelKind { Classes, Number };
constexpr EnumWord<LabelKind> kLabelKinds[] = {{LabelKind::Classes, "classes", "Classes"},
                                               {LabelKind::Number, "number", "A number"}};

std::vector<OptionField> glueFileFields() {
  const char* kind = "glue.task";
  return inGroup(
      "Data",
      {choiceField(kind, "GLUE task",
                   "Which columns hold texts and label, which labels there are, and what is scored. The "
                   "training file may be the task's folder as the benchmark ships it.",
                   choicesOf(kGlueKinds)),
       pathField("glue.mismatched", "Mismatched validation file",
                 "MNLI's dev_mismatched.tsv; its accuracy is reported apart.")
           .off("")
           .when(kind, {"mnli"}),
       pathField("glue.test_mismatched", "Mismatched test file", "MNLI's test_mismatched.tsv.")
           .off("")
           .when(kind, {"mnli"}),
       flagField("glue.test_labels", "The test file has labels",
                 "It then has the columns of the training file; the benchmark's own test files have none.")
           .unless("data.test", {""}),
       choiceField("glue.format", "Form of the table",
                   "Cells with tabs between them are read as they stand; in CSV quotes keep a cell together.",
                   choicesOf(kTableForms))
           .when(kind, {"tsv"}),
       flagField("glue.header", "First line holds headings", "Columns can then be named by them.", true)
           .when(kind, {"tsv"}),
       textField("glue.text", "Column of the text", "Its heading, or its number from 0.", "0")
           .when(kind, {"tsv"}),
       textField("glue.second_text", "Column of the second text",
                 "Its heading, or its number from 0; empty: there is one text.")
           .off("")
           .when(kind, {"tsv"}),
       textField("glue.label", "Column of the label", "Its heading, or its number from 0.", "1")
           .when(kind, {"tsv"}),
       choiceField("glue.label_kind", "Kind of label", "One of several classes, or a number to come near to.",
                   choicesOf(kLabelKinds))
           .when(kind, {"tsv"}),
       listField("glue.labels", "Labels in their order",
                 "Empty: those of the training file, sorted. Another one is refused.")
           .when(kind, {"tsv"})
           .when("glue.label_kind", {"classes"})});
}

// The benchmark's names inside a folder; what is not there is not read.
void takeFolder(GlueOptions& options) {
  const std::string folder = options.data.train;
  if (!folderExists(folder)) return;
  const auto inside = [&](const std::string& name) {
    return name.empty() || !fileExists(folder + "/" + name) ? std::string() : folder + "/" + name;
  };
  options.data.train = folder + "/train.tsv";
  const auto take = [&](std::string& file, const std::string& name) {
    if (file.empty()) file = inside(name);
  };
  take(options.data.validation, options.rule.validationFile);
  take(options.data.test, options.rule.testFile);
  take(options.mismatched, options.rule.mismatchedFile);
  take(options.testMismatched, options.rule.testMismatchedFile);
  if (!options.data.validation.empty()) options.data.validationShare = 0;
}

void takeOwnTable(GlueOptions& options, const OptionValues& values) {
  const LabelKind label = valueOf(kLabelKinds, values.text("glue.label_kind"));
  GlueRule& rule = options.rule;
  rule.number = label == LabelKind::Number;
  rule.labels = rule.number ? std::vector<std::string>() : values.texts("glue.labels");
  rule.metrics = glueMetricIds(rule.number);
  rule.labelled.header = rule.test.header = values.flag("glue.header");
  options.reading.form = valueOf(kTableForms, values.text("glue.format"));
  options.reading.firstName = values.text("glue.text");
  options.reading.secondName = values.text("glue.second_text");
  options.reading.labelName = values.text("glue.label");
}

}  // namespace

std::vector<OptionField> glueOptionFields() {
  return joinedFields(
      {encodedTextFields(),
       fromPaper("GLUE",
                 joinedFields({glueFileFields(),
                               inGroup("Batches", {integerField("glue.max_length", "Longest row of texts",
                                                                "Pieces of a row, marks included; longer "
                                                                "ones lose the end of their longer text.",
                                                                128)
                                                       .between(4, 1 << 16)
                                                       .unit("tokens")})}))});
}

std::vector<OptionRule> glueOptionRules() {
  return encodedTextRules();
}

Result<GlueOptions> glueOptionsFrom(const OptionValues& values, bool inputOnly) {
  if (!inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  GlueOptions options;
  options.data = encodedTextOptions(values);
  options.kind = valueOf(kGlueKinds, values.text("glue.task"));
  options.rule = glueRule(options.kind);
  if (options.kind == GlueKind::Mnli) {
    options.mismatched = values.text("glue.mismatched");
    options.testMismatched = values.text("glue.test_mismatched");
  }
  options.maxLength = values.integer("glue.max_length");
  options.testLabels = !options.data.test.empty() && values.flag("glue.test_labels");
  if (options.kind == GlueKind::Table) takeOwnTable(options, values);
  GlueReading& reading = options.reading;
  reading.columns = options.rule.labelled;
  reading.labels = options.rule.labels;
  reading.number = options.rule.number;
  reading.skipsShortRows = options.rule.skipsShortRows;
  reading.skipsBadLines = options.data.skipBadLines;
  reading.maxLineBytes = options.data.maxLineBytes;
  if (!inputOnly) takeFolder(options);
  return options;
}

}  // namespace fathom
