// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/preset_entries.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/runs/made_data.h"
#include "app/runs/own_presets.h"
#include "app/window/train/preset_clock.h"
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
  const bool quick = preset.id.find("_quick") != std::string::npos;
  if (quick && !preset.id.starts_with("realformer_")) return PresetGroup::Quick;
  if (usesMadeData(preset.id)) return PresetGroup::Sample;
  if (has(preset.id, "realformer") || preset.reference.starts_with("RealFormer"))
    return PresetGroup::RealFormer;
  if (has(preset.id, "dt_fixup") || has(preset.reference, "DT-Fixup")) return PresetGroup::DtFixup;
  if (preset.reference.starts_with("Admin") || preset.id.starts_with("iwslt14") ||
      preset.id.starts_with("wmt14"))
    return PresetGroup::Admin;
  return PresetGroup::Others;
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
  if (!usesMadeData(preset.id)) entry.badges.append(words(QT_TRANSLATE_NOOP("PresetEntries", "needs data")));
  if (!preset.grid.is_null()) entry.badges.append(words(QT_TRANSLATE_NOOP("PresetEntries", "grid")));
  entry.config.preset = preset.id;
  entry.config.options = preset.options;
  tellShippedTime(entry, preset, own);
  return entry;
}

}  // namespace

namespace {

// Every option is there, and takes the value.
bool fits(const OptionSchema& schema, const Json& options) {
  if (!options.is_object()) return false;
  for (const auto& [key, value] : options.items()) {
    const OptionField* field = schema.find(key);
    if (field == nullptr || !checkOptionValue(*field, value).ok()) return false;
  }
  return true;
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
    if (fits(schema, preset->options)) entries.append(entryOf(*preset, group));
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
