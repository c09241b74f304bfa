// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/runner/launcher.h"
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

}  // namespace

Command addPlaceCommandEntry() {
  return {
      .id = "add-place",
      .title = "Add a place",
      .description = "Writes down a place where runs can be started, or changes it.",
      .group = "Run",
      .fields = {textField("name", "Name", "Name of the place: letters, digits, '.', '_' and '-'."),
                 textField("launcher", "Launcher", "How engines are started there: local, slurm or ssh.",
                           "slurm"),
                 listField(
                     "set", "Resources",
                     "key=value of what each run is given; may be repeated; docs/places.md has the keys."),
                 listField("limit", "Limits", "key=value of what the place is asked; may be repeated."),
                 textField("root", "Folder there",
                           "Folder of runs and data at a host that does not share this disk."),
                 listField("head", "Head of the script", "A line of its head as it is; may be repeated."),
                 listField("before", "Before the engine",
                           "A line of the shell before the engine, such as module load; may be repeated."),
                 flagField("user", "For all projects",
                           "In the configuration folder of the user instead of the project.")},
      .required = {"name"},
      .positional = "name",
      .changesData = true,
      .run = addPlace};
}

}  // namespace fathom
