// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/data_choice.h"

#include "core/base/files/path_facts.h"
#include "core/base/options/named_files.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

std::string knownTitles() {
  std::vector<std::string> titles;
  for (const DataSetKind& kind : dataSetKinds())
    if (titles.empty() || titles.back() != kind.title) titles.push_back(kind.title);
  return joined(titles);
}

}  // namespace

Result<DataChoice> chooseData(const std::string& path, const std::string& task) {
  DataChoice choice;
  if (!fileExists(path)) return dataErrorAt(path, 0, Phrase::tr("there is no such file or folder"));
  auto found = findDataSet(path, task);
  if (!found)
    return dataErrorAt(
        path, 0, Phrase::tr("holds no data set that is known by its files"),
        Phrase::tr("known are: %1; any other is named file by file in the form")(knownTitles()));
  choice.kind = findDataSetKind(found->kind);
  choice.found = std::move(*found);
  return choice;
}

Json optionsFor(const DataChoice& choice, const OptionSchema& schema) {
  Json options = Json::object();
  for (const auto& [key, value] : choice.found.options.items())
    if (schema.find(key) != nullptr) options[key] = value;
  return options;
}

std::string keyOfMissing(const MissingData& missing, const OptionValues& values) {
  if (missing.key != kWeightsOfEncoder) return missing.key;
  for (const std::string& key : weightsKeys(values.schema()))
    if (values.active(key)) return key;
  return {};
}

Result<Preset> presetOf(const DataChoice& choice) {
  return findPreset(choice.kind->preset);
}

}  // namespace fathom
