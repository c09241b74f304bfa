// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/places/place_form.h"

#include "app/runner/launcher.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

std::string ownKey(const LauncherEntry& launcher, const std::string& key) {
  return launcher.id + "." + key;
}

std::vector<Json> launchersWith(bool LauncherEntry::*ability) {
  std::vector<Json> ids;
  for (const LauncherEntry& launcher : launcherEntries())
    if (launcher.*ability) ids.emplace_back(launcher.id);
  return ids;
}

std::vector<OptionChoice> launcherChoices() {
  std::vector<OptionChoice> choices;
  for (const LauncherEntry& launcher : launcherEntries()) choices.push_back({launcher.id, launcher.title});
  return choices;
}

// Values of a launcher's own fields, out of those of the form.
OptionValues ownValues(const OptionValues& values, const LauncherEntry& launcher,
                       const std::vector<OptionField>& fields) {
  OptionValues own(OptionSchema(fields, {}));
  for (const OptionField& field : fields)
    (void)own.set(field.key, values.value(ownKey(launcher, field.key))).ok();
  return own;
}

}  // namespace

std::vector<OptionField> placeFields() {
  using namespace place_key;
  return {textField(kName, "Name", "Name of the place: letters, digits, '.', '_' and '-'."),
          choiceField(kLauncher, "Launcher", "How engines are started there.", launcherChoices())
              .usually("slurm"),
          textField(kRoot, "Folder there",
                    "Folder of runs and data at a host that does not share this disk; empty: .fathom in the "
                    "home there.")
              .when(kLauncher, launchersWith(&LauncherEntry::elsewhere)),
          listField(kHead, "Head of the script", "A line of its head as it is; may be repeated.")
              .when(kLauncher, launchersWith(&LauncherEntry::hasHead)),
          listField(kBefore, "Before the engine",
                    "A line of the shell before the engine, such as module load; may be repeated.")
              .when(kLauncher, launchersWith(&LauncherEntry::hasScript)),
          flagField(kUser, "For all projects",
                    "In the configuration folder of the user instead of the project.")};
}

OptionSchema placeSchema() {
  const std::vector<OptionField> common = placeFields();
  std::vector<OptionField> fields(common.begin(), common.begin() + 2);
  for (const LauncherEntry& launcher : launcherEntries())
    for (const std::vector<OptionField>* own : {&launcher.resources, &launcher.limits})
      for (OptionField field : *own) {
        field.key = ownKey(launcher, field.key);
        field.enabledWhen.push_back({place_key::kLauncher, OptionClause::Test::In, {Json(launcher.id)}});
        fields.push_back(std::move(field));
      }
  fields.insert(fields.end(), common.begin() + 2, common.end());
  return OptionSchema(std::move(fields), {});
}

OptionValues placeValues(const PlaceRecord& record) {
  OptionValues values(placeSchema());
  const auto set = [&](const std::string& key, const Json& value) { (void)values.set(key, value).ok(); };
  set(place_key::kName, record.id);
  set(place_key::kLauncher, record.launcher);
  set(place_key::kRoot, record.root);
  set(place_key::kHead, record.head);
  set(place_key::kBefore, record.before);
  set(place_key::kUser, record.file == userPlacesFile());
  for (const OptionValues* own : {&record.resources, &record.limits}) {
    const Json all = own->effective();
    for (const auto& [key, value] : all.items()) set(record.launcher + "." + key, value);
  }
  return values;
}

Result<PlaceRecord> placeFromValues(const OptionValues& values, const std::string& file) {
  PlaceRecord record;
  record.id = values.text(place_key::kName);
  record.launcher = values.text(place_key::kLauncher);
  FATHOM_TRY(const LauncherEntry* launcher, findLauncher(record.launcher));
  record.resources = ownValues(values, *launcher, launcher->resources);
  record.limits = ownValues(values, *launcher, launcher->limits);
  if (values.active(place_key::kRoot)) record.root = values.text(place_key::kRoot);
  if (values.active(place_key::kHead)) record.head = values.texts(place_key::kHead);
  if (values.active(place_key::kBefore)) record.before = values.texts(place_key::kBefore);
  auto judged = placeFromJson(record.id, placeToJson(record), file);
  if (judged.ok()) return judged;
  Error error = judged.error();
  const std::string own = ownKey(*launcher, error.key);
  if (values.schema().find(own) != nullptr) error.key = own;
  return error;
}

}  // namespace fathom
