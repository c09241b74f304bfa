// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command.h"
#include "core/execution/spider_execution.h"
#include "core/review/judged_review.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

// Fields that the Spider commands share: --gold, --predictions, --tables, --databases and the column chooser;
// --preset and --judgements; --workers and --seconds; --csv with what a row is.
std::vector<OptionField> spiderFields(bool manyPredictions);
OptionField presetField();
std::vector<OptionField> categoryFields();
std::vector<OptionField> executionFields();
OptionField questionsField();
// --csv; `help` says what a row is.
OptionField rowsFileField(const char* help = "Where to write one row per example.");

// The sources that the fields name.
SpiderSources spiderSources(const CommandContext& context);
// Reads, scores and categorises; says the notes. Databases are looked at, not opened.
Result<SpiderReview> loadSpiderReview(const CommandContext& context, Progress& progress,
                                      const StopToken& stop);

// A review with everything that decides a category: the preset, executed queries where --databases is given,
// people where --judgements names a project.
struct CategorisedReview {
  SpiderReview review;
  std::vector<std::vector<ErrorCategory>> categories;    // [model][example], people first
  std::vector<std::vector<ExecutionOutcome>> execution;  // [model][example], empty without databases
  std::vector<int> byHand;                               // per model: examples that people decided
  std::optional<JudgedReview> people;                    // none without --judgements
  std::string sandbox;                                   // layers that were active
};
Result<CategorisedReview> categorisedReview(const CommandContext& context, Progress& progress,
                                            const StopToken& stop);

// Executes every model's queries into `execution` and categorises anew with what came out and what the
// databases declare.
Status addExecution(SpiderReview& review, SqlRunPool& pool, const ExecutionOptions& options,
                    std::vector<std::vector<ExecutionOutcome>>& execution, Progress& progress,
                    const StopToken& stop);

// Puts "false_negative", "column", "sketch" and "both" into an object.
void addCategoryCounts(const CategoryCounts& counts, Json& json);

Result<std::unique_ptr<SqlRunPool>> startSqlRun(const CommandContext& context);

// Databases of these pairs that are missing or no SQLite files, in words.
std::vector<std::string> databaseNotes(const std::string& folder, const std::vector<GoldLine>& gold);
// The databases of gold that are executed, of those that lie in their folders.
SuiteDatabases suiteOf(const std::string& folder, const std::vector<GoldLine>& gold);

// Every count of executed results by its name, into `json` ("executed", "databases") and as a table. Of
// several models the text has a line each.
struct ExecutedModel {
  std::string name;  // "" = there is one
  const std::vector<ExecutionOutcome>& outcomes;
};
void addExecutedCounts(const std::vector<ExecutionOutcome>& outcomes, bool withGoldValues, Json& json);
std::string executedText(const std::vector<ExecutedModel>& models, bool withGoldValues);
Json suiteJson(const SuiteDatabases& suite);

// Threads for work without a device: all cores, at most 8.
int spiderThreads();
std::string percentText(double share);  // "77.1"
// The same of a part of a whole, in JSON as a number of points; a share of nothing is "-", and null.
std::string partText(double part, double whole);
Json partJson(double part, double whole);
Json spiderNotes(const SpiderReview& review);
// Replaces `path` by rows of CSV.
Status writeCsv(const std::string& path, const std::vector<std::vector<std::string>>& rows);

}  // namespace fathom
