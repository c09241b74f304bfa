// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/spider_inputs.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "core/base/atomic_file.h"
#include "core/tasks/spider/text_lines.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

// "name=path", or a path whose file or folder gives the name.
void splitModel(const std::string& word, SpiderModel& model) {
  const auto equals = word.find('=');
  if (equals != std::string::npos && equals > 0 && !fs::exists(word)) {
    model.name = word.substr(0, equals);
    model.path = word.substr(equals + 1);
    return;
  }
  model.path = word;
  const fs::path path(word);
  model.name = path.stem().string();
  if (model.name == "pred" && path.has_parent_path()) model.name = path.parent_path().filename().string();
}

// A database that is missing or no SQLite file is told, not an error: exact match needs only tables.json.
void checkDatabases(const std::string& folder, SpiderInputs& inputs) {
  std::vector<std::string> seen;
  for (const auto& line : inputs.gold) {
    if (std::find(seen.begin(), seen.end(), line.dbId) != seen.end()) continue;
    seen.push_back(line.dbId);
    const std::string path = folder + "/" + line.dbId + "/" + line.dbId + ".sqlite";
    std::FILE* file = std::fopen(path.c_str(), "rb");
    char head[16] = {};
    const bool sqlite = file && std::fread(head, 1, sizeof head, file) == sizeof head &&
                        std::string_view(head, 15) == "SQLite format 3";
    if (file) std::fclose(file);
    if (!sqlite) inputs.notes.push_back(path + (file ? " is not an SQLite database" : " is missing"));
  }
}

}  // namespace

std::vector<OptionField> spiderFields(bool manyPredictions) {
  std::vector<OptionField> fields = {
      pathField("gold", QT_TRANSLATE_NOOP("Command", "Gold SQL"),
                QT_TRANSLATE_NOOP("Command",
                                  "File with the right queries: SQL, a tab, the database, one per line.")),
      pathField("tables", QT_TRANSLATE_NOOP("Command", "Schemas"),
                QT_TRANSLATE_NOOP("Command", "Spider's tables.json.")),
      pathField("databases", QT_TRANSLATE_NOOP("Command", "Databases"),
                QT_TRANSLATE_NOOP("Command",
                                  "Folder with <db_id>/<db_id>.sqlite; needed only to execute queries.")),
      textField("column", QT_TRANSLATE_NOOP("Command", "SQL column"),
                QT_TRANSLATE_NOOP(
                    "Command",
                    "Column or key that holds the predicted SQL in JSON and CSV files; empty finds it."))};
  if (manyPredictions) {
    fields.push_back(
        listField("predictions", QT_TRANSLATE_NOOP("Command", "Predictions"),
                  QT_TRANSLATE_NOOP("Command", "Prediction files, each as a path or as name=path.")));
  } else {
    fields.push_back(pathField(
        "predictions", QT_TRANSLATE_NOOP("Command", "Predictions"),
        QT_TRANSLATE_NOOP(
            "Command",
            "Predicted SQL: one per line (with or without a tab and the database), JSON, JSONL or CSV.")));
  }
  return fields;
}

Result<SpiderInputs> loadSpiderInputs(const CommandContext& context, Progress& progress,
                                      const StopToken& stop, PredictionPairing pairing, MatchRules rules) {
  SpiderInputs inputs;
  FATHOM_TRY(inputs.schemas, readSpiderTables(context.options.text("tables")));
  FATHOM_TRY(inputs.gold, readGoldFile(context.options.text("gold")));
  std::vector<std::string> words;
  if (context.options.schema().find("predictions")->type == OptionType::TextList) {
    words = context.options.texts("predictions");
  } else {
    words.push_back(context.options.text("predictions"));
  }
  progress.begin("scoring predictions", "files", static_cast<double>(words.size()));
  for (const auto& word : words) {
    SpiderModel model;
    splitModel(word, model);
    PredictionOptions options;
    options.sqlColumn = context.options.text("column");
    FATHOM_TRY(const PredictionFile file, readPredictionFile(model.path, options));
    auto paired = pairPredictions(inputs.gold, file, pairing);
    if (!paired) return dataErrorAt(model.path, 0, paired.error().message, paired.error().hint);
    for (const auto& note : file.notes) inputs.notes.push_back(model.path + ": " + note);
    for (const auto& note : paired->notes) inputs.notes.push_back(model.path + ": " + note);
    model.pairs = std::move(paired->pairs);
    FATHOM_TRY(model.evaluation, evaluateSpider(model.pairs, inputs.schemas, {rules, spiderThreads()}, stop));
    for (const auto& error : model.evaluation.goldErrors)
      inputs.notes.push_back("gold is refused, not scored: " + error);
    inputs.models.push_back(std::move(model));
    progress.report(static_cast<double>(inputs.models.size()));
  }
  progress.finish();
  if (const auto folder = context.options.text("databases"); !folder.empty()) checkDatabases(folder, inputs);
  for (const auto& note : inputs.notes) context.say(note);
  return inputs;
}

int spiderThreads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 8);
}

std::string percentText(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", 100 * share);
  return text;
}

Json spiderNotes(const SpiderInputs& inputs) {
  Json notes = Json::array();
  for (const auto& note : inputs.notes) notes.push_back(note);
  return notes;
}

Status writeCsv(const std::string& path, const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + csvField(row[i]);
    text += "\n";
  }
  return writeFileAtomically(path, text);
}

}  // namespace fathom
