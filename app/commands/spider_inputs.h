// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/commands/command.h"
#include "core/tasks/spider/prediction_file.h"
#include "core/tasks/spider/spider_error_category.h"

namespace fathom {

// The fields --gold, --predictions, --tables, --databases and the column chooser, shared by the Spider
// commands.
std::vector<OptionField> spiderFields(bool manyPredictions);

struct SpiderModel {
  std::string name;  // "name" of name=path, else the file's or its folder's name
  std::string path;
  std::vector<SpiderPair> pairs;
  SpiderEvaluation evaluation;
};

struct SpiderInputs {
  SpiderSchemas schemas;
  std::vector<GoldLine> gold;
  std::vector<SpiderModel> models;
  std::vector<std::string> notes;  // what was met while reading, for people
};

// Reads everything and scores every model. Errors name file and line.
Result<SpiderInputs> loadSpiderInputs(const CommandContext& context, Progress& progress,
                                      const StopToken& stop, PredictionPairing pairing,
                                      MatchRules rules = MatchRules::Official);

// Threads for work without a device: all cores, at most 8.
int spiderThreads();
std::string percentText(double share);  // "77.1"
Json spiderNotes(const SpiderInputs& inputs);
// Replaces `path` by rows of CSV.
Status writeCsv(const std::string& path, const std::vector<std::vector<std::string>>& rows);

}  // namespace fathom
