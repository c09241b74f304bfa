// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presets.h"

#include <QDir>
#include <QFile>

#include "core/base/edit_distance.h"
#include "core/base/entry_table.h"
#include "core/base/error_key.h"
#include "core/base/text_list.h"

namespace fathom {

namespace {

std::vector<Preset> readPresets() {
  std::vector<Preset> result;
  const QDir folder(":/presets");
  for (const QString& name : folder.entryList({"*.json"}, QDir::Files, QDir::Name)) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::ReadOnly))
      throw Failure(internalError("preset " + name.toStdString() + " is unreadable"));
    const Json json = parseJson(file.readAll().toStdString(), name.toStdString()).value();
    result.push_back(presetFromJson(json, name.toStdString()).value());
  }
  return result;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = readPresets();
  return all;
}

Result<Preset> findPreset(const std::string& id) {
  if (const Preset* preset = findEntry(presets(), id)) return *preset;
  std::vector<std::string> ids;
  for (const Preset& preset : presets()) ids.push_back(preset.id);
  const std::string near = nearestSpelling(id, ids);
  return aboutKey(
      "preset",
      usageError(Phrase::tr("there is no preset '%1'")(id),
                 near.empty() ? Phrase::tr("there are: %1")(joined(ids))
                              : Phrase::tr("did you mean '%1'? 'fathom describe' lists all")(near)));
}

Result<Preset> presetFromJson(const Json& json, const std::string& file) {
  try {
    if (json.at("format").get<int>() != 1)
      return dataErrorAt(file, 0, Phrase::tr("the preset has an unknown format"));
    Preset preset;
    preset.id = json.at("id").get<std::string>();
    preset.title = json.at("title").get<std::string>();
    preset.description = json.at("description").get<std::string>();
    preset.reference = json.value("reference", "");
    preset.whatThePaperDid = json.value("what_the_paper_did", "");
    preset.options = json.at("options");
    return preset;
  } catch (const nlohmann::json::exception& e) {
    return dataErrorAt(file, 0, Phrase::tr("the preset is malformed: %1")(e.what()));
  }
}

}  // namespace fathom
