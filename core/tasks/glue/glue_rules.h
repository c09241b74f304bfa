// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/word_table.h"

namespace fathom {

// The tasks of GLUE without WNLI; Table: a table of the user's own, its columns named in the options.
enum class GlueKind { Cola, Sst2, Mrpc, Qqp, Stsb, Mnli, Qnli, Rte, Table };
inline constexpr EnumWord<GlueKind> kGlueKinds[] = {{GlueKind::Cola, "cola", "CoLA"},
                                                    {GlueKind::Sst2, "sst2", "SST-2"},
                                                    {GlueKind::Mrpc, "mrpc", "MRPC"},
                                                    {GlueKind::Qqp, "qqp", "QQP"},
                                                    {GlueKind::Stsb, "stsb", "STS-B"},
                                                    {GlueKind::Mnli, "mnli", "MNLI"},
                                                    {GlueKind::Qnli, "qnli", "QNLI"},
                                                    {GlueKind::Rte, "rte", "RTE"},
                                                    {GlueKind::Table, "tsv", "A table of one's own"}};

inline constexpr int kNoColumn = -1, kLastColumn = -2;

// Columns of the cells in a file of one sort, from 0.
struct GlueColumns {
  bool header = true;
  int first = 0, second = kNoColumn, label = kNoColumn;
};

// Files and columns of a task (docs/fine_tuning.md §3; transformers, data/processors/glue.py).
struct GlueRule {
  GlueColumns labelled, test;        // training and validation files; test files, which have no labels
  std::vector<std::string> labels;   // classes in their order; empty: a number
  bool number = false;               // labels are numbers
  double least = 0, most = 0;        // what the benchmark takes of them; both 0: anything
  bool skipsShortRows = false;       // QQP: a row with missing cells is passed over and counted
  std::vector<std::string> metrics;  // ids of glue_metrics.h; the first one chooses checkpoints
  std::string validationFile, mismatchedFile, testFile, testMismatchedFile;  // beside the training file
  std::string submission, mismatchedSubmission;                              // names the benchmark asks for
};
GlueRule glueRule(GlueKind kind);

}  // namespace fathom
