// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/runner/launcher.h"
#include "app/runner/places/place_form.h"
#include "core/base/errors/error_key.h"
#include "core/base/errors/error_words.h"

namespace fathom {

namespace {

Result<OptionValues> valuesFrom(const std::vector<OptionField>& fields,
                                const std::vector<std::string>& assignments) {
  OptionValues values(OptionSchema(fields, {}));
  for (const std::string& assignment : assignments) FATHOM_CHECK(values.setText(assignment));
  return values;
}

Result<CommandOutput> addPlace(const CommandContext& context, Progress&, const StopToken&) {
  const OptionValues& options = context.options;
  PlaceRecord record;
  record.id = options.text("name");
  record.launcher = options.text("launcher");
  FATHOM_TRY(const LauncherEntry* launcher, findLauncher(record.launcher));
  FATHOM_TRY(record.resources, valuesFrom(launcher->resources, options.texts("set")));
  FATHOM_TRY(record.limits, valuesFrom(launcher->limits, options.texts("limit")));
  record.root = options.text("root");
  record.head = options.texts("head");
  record.before = options.texts("before");
  const std::string file = options.flag("user") ? userPlacesFile() : placesFile(context.project);
  // What is read back later is judged now, by the same rules.
  FATHOM_TRY(const PlaceRecord judged, placeFromJson(record.id, placeToJson(record), file));
  FATHOM_CHECK(savePlace(file, judged));
  CommandOutput output;
  output.json["place"] = {{"id", judged.id}, {"file", file}};
  output.json["place"].update(placeToJson(judged));
  output.text = "place " + judged.id + " is in " + file + "\n";
  if (options.flag("user")) output.wrote(file);
  return output;
}

// Options of a launcher are key=value in a shell.
std::vector<OptionField> addPlaceFields() {
  std::vector<OptionField> fields = placeFields();
  for (OptionField& field : fields) field.enabledWhen.clear();  // what does not go together is an error
  const std::vector<OptionField> own = {
      listField("set", "Resources",
                "key=value of what each run is given; may be repeated; docs/places.md has the keys."),
      listField("limit", "Limits", "key=value of what the place is asked; may be repeated.")};
  fields.insert(fields.begin() + 2, own.begin(), own.end());
  return fields;
}

}  // namespace

Command addPlaceCommandEntry() {
  return {.id = "add-place",
          .title = "Add a place",
          .description = "Writes down a place where runs can be started, or changes it.",
          .group = "Run",
          .fields = addPlaceFields(),
          .required = {"name"},
          .positional = "name",
          .changesData = true,
          .run = addPlace};
}

}  // namespace fathom
