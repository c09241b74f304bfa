// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/preset_entries.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/runs/made_data.h"
#include "app/runs/own_presets.h"
#include "core/base/options/named_files.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

// In the order of the list.
enum class PresetGroup { Mine, Quick, Sample, Admin, RealFormer, DtFixup, Others };

QString words(const char* text) {
  return QCoreApplication::translate("PresetEntries", text);
}

QString groupTitle(PresetGroup group) {
  switch (group) {
    case PresetGroup::Mine:
      return words(QT_TRANSLATE_NOOP("PresetEntries", "Mine"));
    case PresetGroup::Quick:
      return words(QT_TRANSLATE_NOOP("PresetEntries", "Quick"));
    case PresetGroup::Sample:
      return words(QT_TRANSLATE_NOOP("PresetEntries", "Sample"));
    case PresetGroup::Admin:
      return QStringLiteral("Admin");
    case PresetGroup::RealFormer:
      return QStringLiteral("RealFormer");
    case PresetGroup::DtFixup:
      return QStringLiteral("DT-Fixup");
    case PresetGroup::Others:
      break;
  }
  return words(QT_TRANSLATE_NOOP("PresetEntries", "Others"));
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// By purpose first; a study that follows several papers stands with the one that it is named after.
PresetGroup groupOf(const Preset& preset) {
  if (usesMadeData(preset.id)) return PresetGroup::Sample;
  if (preset.id.ends_with("_quick")) return PresetGroup::Quick;
  if (has(preset.id, "realformer") || preset.reference.starts_with("RealFormer"))
    return PresetGroup::RealFormer;
  if (has(preset.id, "dt_fixup") || has(preset.reference, "DT-Fixup")) return PresetGroup::DtFixup;
  if (preset.reference.starts_with("Admin") || preset.id.starts_with("iwslt14") ||
      preset.id.starts_with("wmt14"))
    return PresetGroup::Admin;
  return PresetGroup::Others;
}

double presetNumber(const Json& options, const char* key, double otherwise) {
  const auto found = options.find(key);
  return found != options.end() && found->is_number() ? found->get<double>() : otherwise;
}

// Multiplications of the whole training, to the power of ten: what two cores do in an hour is about 1e14. A
// length in epochs counts as 2000 updates.
bool runsOnAProcessor(const Preset& preset) {
  constexpr double kHour = 1e14, kUpdates = 2000;
  const Json& options = preset.options;
  const bool frozen = options.value("model.sql_sp.encoder", "") == "frozen";
  const double width =
      frozen ? presetNumber(options, "model.sql_sp.width", 64) : presetNumber(options, "model.width", 512);
  double layers = presetNumber(options, "extra.layers", 0);
  if (!frozen)
    layers += presetNumber(options, "encoder.layers", 6) + presetNumber(options, "decoder.layers", 0);
  double tokens = 0;
  if (const TaskEntry* task = taskOf(options))
    for (const BatchKey& batch : task->batch)
      tokens =
          std::max(tokens, presetNumber(options, batch.key.c_str(), 0) *
                               (batch.tokens.empty() ? 1 : presetNumber(options, batch.tokens.c_str(), 128)));
  const auto length = parseTrainingTime(options.value("training.length", "10e"));
  const bool counted = length.ok() && length->unit == TrainingTime::Unit::Updates;
  const double updates = counted ? length->amount : kUpdates;
  const double accumulated = presetNumber(options, "training.accumulation", 1);
  return 6 * 12 * width * width * layers * std::max(tokens, 1000.0) * updates * accumulated < kHour;
}

QString firstSentence(const QString& text) {
  for (qsizetype i = 0; i < text.size(); ++i) {
    const bool chinese = text[i] == QChar(0x3002);
    const bool english = text[i] == QLatin1Char('.') && (i + 1 == text.size() || text[i + 1].isSpace());
    if (chinese || english) return text.left(i + 1);
  }
  return text;
}

PresetEntry entryOf(const Preset& preset, PresetGroup group) {
  PresetEntry entry;
  entry.id = fromUtf8(preset.id);
  const bool own = group == PresetGroup::Mine;
  entry.title = own ? fromUtf8(preset.title) : engineText(preset.title);
  entry.description = own ? fromUtf8(preset.description) : engineText(preset.description);
  entry.sentence = firstSentence(entry.description);
  entry.reference = fromUtf8(preset.reference);
  entry.paper = engineText(preset.whatThePaperDid);
  entry.group = groupTitle(group);
  entry.badges.append(runsOnAProcessor(preset) ? words(QT_TRANSLATE_NOOP("PresetEntries", "CPU minutes"))
                                               : words(QT_TRANSLATE_NOOP("PresetEntries", "GPU")));
  if (!usesMadeData(preset.id)) entry.badges.append(words(QT_TRANSLATE_NOOP("PresetEntries", "needs data")));
  if (!preset.grid.is_null()) entry.badges.append(words(QT_TRANSLATE_NOOP("PresetEntries", "grid")));
  entry.config.preset = preset.id;
  entry.config.options = preset.options;
  return entry;
}

}  // namespace

QVector<PresetEntry> presetEntries(const OptionSchema& schema, std::optional<Error>* problem) {
  std::vector<std::pair<PresetGroup, const Preset*>> all;
  const auto found = ownPresets();
  if (!found.ok()) *problem = found.error();
  const std::vector<Preset> own = found.ok() ? *found : std::vector<Preset>();
  for (const Preset& preset : own) all.emplace_back(PresetGroup::Mine, &preset);
  for (const Preset& preset : presets()) all.emplace_back(groupOf(preset), &preset);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  QVector<PresetEntry> entries;
  for (const auto& [group, preset] : all) {
    // A preset of options this engine does not have cannot start anything here.
    OptionValues values(schema);
    if (values.merge(preset->options, preset->id).ok()) entries.append(entryOf(*preset, group));
  }
  return entries;
}

QStringList essentialOptions(const OptionValues& values) {
  std::vector<std::string> keys = {"task", "model", "model.width", "training.length", "seed"};
  if (const TaskEntry* task = taskOf(values)) {
    // A file that the generated data are made of is one that the task cannot do without.
    const Json needed = task->madeData.files != nullptr ? task->madeData.files({}) : Json::object();
    for (const OptionField& field : task->fields) {
      if (field.type != OptionType::Path) continue;
      const bool words = field.key.ends_with(".vocabulary.file") && needed.contains(field.key);
      const bool data =
          field.key.starts_with("data.") || (needed.contains(field.key) && !has(field.key, ".vocabulary."));
      if (data || words) keys.push_back(field.key);
      // A task on an encoder learns nothing without its weights and its words.
      if (!words) continue;
      for (const std::string& weights : weightsKeys(values.schema())) keys.push_back(weights);
    }
  }
  QStringList essential;
  for (const OptionField& field : values.schema().fields()) {
    const bool named = std::find(keys.begin(), keys.end(), field.key) != keys.end();
    const bool stack = field.key.ends_with(".layers") || field.key.ends_with(".residual");
    if (named || stack) essential.append(fromUtf8(field.key));
  }
  return essential;
}

}  // namespace fathom
