// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_rules.h"

namespace fathom {

namespace {

GlueRule pairRule(int first, int second, int label, std::vector<std::string> labels) {
  GlueRule rule;
  rule.labelled = {true, first, second, label};
  rule.test = {true, first, second, kNoColumn};
  rule.labels = std::move(labels);
  rule.metrics = {"accuracy"};
  rule.validationFile = "dev.tsv";
  rule.testFile = "test.tsv";
  return rule;
}

GlueRule named(GlueRule rule, const char* submission) {
  rule.submission = submission;
  return rule;
}

GlueRule colaRule() {
  GlueRule rule = pairRule(3, kNoColumn, 1, {"0", "1"});
  rule.labelled.header = false;
  rule.test.first = 1;
  rule.metrics = {"matthews"};
  return rule;
}

GlueRule sst2Rule() {
  GlueRule rule = pairRule(0, kNoColumn, 1, {"0", "1"});
  rule.test.first = 1;
  return rule;
}

GlueRule qqpRule() {
  GlueRule rule = pairRule(3, 4, 5, {"0", "1"});
  rule.test.first = 1;
  rule.test.second = 2;
  rule.skipsShortRows = true;
  rule.metrics = {"accuracy", "f1"};
  return rule;
}

GlueRule mrpcRule() {
  GlueRule rule = pairRule(3, 4, 0, {"0", "1"});
  rule.metrics = {"accuracy", "f1"};
  return rule;
}

GlueRule stsbRule() {
  GlueRule rule = pairRule(7, 8, kLastColumn, {});
  rule.number = true;
  rule.most = 5;  // the benchmark's baselines cut what they submit
  rule.metrics = {"pearson", "spearman"};
  return rule;
}

GlueRule mnliRule() {
  GlueRule rule = pairRule(8, 9, kLastColumn, {"contradiction", "entailment", "neutral"});
  rule.validationFile = "dev_matched.tsv";
  rule.mismatchedFile = "dev_mismatched.tsv";
  rule.testFile = "test_matched.tsv";
  rule.testMismatchedFile = "test_mismatched.tsv";
  rule.mismatchedSubmission = "MNLI-mm.tsv";
  return rule;
}

}  // namespace

GlueRule glueRule(GlueKind kind) {
  switch (kind) {
    case GlueKind::Cola:
      return named(colaRule(), "CoLA.tsv");
    case GlueKind::Sst2:
      return named(sst2Rule(), "SST-2.tsv");
    case GlueKind::Mrpc:
      return named(mrpcRule(), "MRPC.tsv");
    case GlueKind::Qqp:
      return named(qqpRule(), "QQP.tsv");
    case GlueKind::Stsb:
      return named(stsbRule(), "STS-B.tsv");
    case GlueKind::Mnli:
      return named(mnliRule(), "MNLI-m.tsv");
    case GlueKind::Qnli:
      return named(pairRule(1, 2, kLastColumn, {"entailment", "not_entailment"}), "QNLI.tsv");
    case GlueKind::Rte:
      return named(pairRule(1, 2, kLastColumn, {"entailment", "not_entailment"}), "RTE.tsv");
    case GlueKind::Table:
      break;
  }
  return named(pairRule(0, kNoColumn, kLastColumn, {}), "predictions.tsv");
}

}  // namespace fathom
