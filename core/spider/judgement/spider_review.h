// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/judgement/spider_error_category.h"
#include "core/spider/judgement/spider_slices.h"

namespace fathom {

// Everything the program knows about any number of prediction files on one gold file: what the Errors
// workspace, the comparison figures and the shell show. A value; readable from any thread while nobody
// changes it. What people decide about it is core/review.

struct SpiderPredictions {
  std::string name;  // of the system; unique within a review
  std::string path;
  PredictionOptions options;
};
// "name=path", or a path whose file (or, for pred.*, folder) gives the name.
SpiderPredictions spiderPredictions(const std::string& word);

struct SpiderSources {
  std::string gold, tables;
  std::string questions;  // Spider's JSON file of the same split, "" = none
  std::string databases;  // folder with <db_id>/<db_id>.sqlite, "" = none; only named here, never opened
  std::vector<SpiderPredictions> predictions;
  // Only examples that some file has a prediction for: a run may have predicted a part of its data.
  bool onlyPredicted = false;
  Json toJson() const;
};
// Errors name the member.
Result<SpiderSources> spiderSourcesFromJson(const Json& json);

struct SpiderReviewOptions {
  CategoryPreset preset = categoryPresets().front();
  MatchRules rules = MatchRules::Official;
  int threads = 1;
};

// One prediction set. Vectors are parallel to SpiderReview::gold.
struct SpiderModel {
  std::string name, path;
  std::string fileHash;  // SHA-256 of the file's bytes
  std::string identity;  // SHA-256 of the data set and the normalised queries: the same in any file format
  std::vector<SpiderPair> pairs;
  std::vector<std::int64_t> numbers;  // what the file calls each example, -1: it has none (PairedPredictions)
  std::vector<std::string> normalised;  // normalisedSql of the predictions: part of an override's key
  SpiderEvaluation evaluation;          // match, hardness, components, parse errors
  std::vector<CategoryVerdict> verdicts;
  std::vector<Phrase> notes;  // met while reading, in words
};

struct SpiderReview {
  std::string dataset;  // SHA-256 of the gold queries and databases in order, line ends left out
  CategoryPreset preset;
  MatchRules rules = MatchRules::Official;
  SpiderSchemas schemas;
  std::vector<GoldLine> gold;
  std::vector<std::string> questions;  // one per example, or none at all
  std::vector<SqlFeatures> features;   // of gold; all zero where the scoped parser refuses it
  std::vector<SpiderModel> models;
  std::vector<Phrase> notes;

  std::size_t examples() const { return gold.size(); }
  SpiderHardness hardness(std::size_t example) const;
  // "paper_like/1": preset and version, part of an override's key.
  std::string presetKey() const;
  // Categories by the program, [model][example].
  std::vector<std::vector<ErrorCategory>> categories() const;
};

// Reads, scores and categorises. Errors: a file that cannot be read or does not fit, named with line and what
// to do; two systems of one name; interrupted.
Result<SpiderReview> openSpiderReview(const SpiderSources& sources, const SpiderReviewOptions& options,
                                      Progress& progress, const StopToken& stop = {});

// Categorises anew: another preset, or evidence from executed queries (per model one entry per example, or
// empty), or schema facts put into review.schemas. On an error the review is as before.
Status recategorise(SpiderReview& review, const CategoryPreset& preset,
                    const std::vector<std::vector<std::optional<ExecutionEvidence>>>& execution, int threads,
                    const StopToken& stop = {});

// One pair judged by itself, for SQL that somebody edits. `dbId` must be in review.schemas.
struct JudgedSql {
  SpiderVerdict match;
  CategoryVerdict category;
};
JudgedSql judgeSql(const SpiderReview& review, const SpiderPair& pair,
                   const std::optional<ExecutionEvidence>& execution = {});

// The text two spellings of one query share: tokens with one blank between, words in lower case unless
// quoted, no final semicolon. Text that cannot be split into tokens only loses its line ends.
std::string normalisedSql(std::string_view sql);

}  // namespace fathom
