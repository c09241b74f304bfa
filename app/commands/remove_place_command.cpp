// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/command.h"
#include "app/commands/place_visit.h"
#include "app/runner/places/place_form.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text_list.h"
#include "core/library/queue/queue_folder.h"

namespace fathom {

namespace {

void addWords(std::string& line, const std::string& option, const OptionValues& values) {
  const Json said = values.minimal();
  for (const auto& [key, value] : said.items())
    line += " " + option + " " + shellWord(key + "=" + asText(value));
}

// The command that writes the record down again.
std::string lineOf(const PlaceRecord& record, const std::string& project) {
  const std::vector<std::string> words = {"fathom", "add-place", record.id, "--launcher", record.launcher};
  std::string line = joined(words, " ");
  addWords(line, "--set", record.resources);
  addWords(line, "--limit", record.limits);
  if (!record.root.empty()) line += " --root " + shellWord(record.root);
  for (const std::string& words : record.head) line += " --head " + shellWord(words);
  for (const std::string& words : record.before) line += " --before " + shellWord(words);
  if (record.file == userPlacesFile()) line += " --user";
  return project.empty() ? line : line + " --project " + shellWord(project);
}

// The record of this file; launchers under their own names stand in none.
Result<PlaceRecord> writtenPlace(const CommandContext& context, const std::string& file) {
  const std::string name = context.options.text("name");
  FATHOM_TRY(const PlaceRecord found, findPlace(context.project, name));
  if (found.file == file) return found;
  if (found.file.empty())
    return aboutKey(
        "name", usageError(Phrase::tr("place '%1' was written down by nobody: it is always there")(name)));
  if (file == userPlacesFile()) {
    // The project's record of the name hides the user's.
    FATHOM_TRY(PlaceRecord hidden, findPlace({}, name));
    if (hidden.file == file) return hidden;
    return aboutKey("user", usageError(Phrase::tr("place '%1' is not in %2")(name, file),
                                       Phrase::tr("it is in %1: leave out --user")(found.file)));
  }
  return aboutKey("name", usageError(Phrase::tr("place '%1' is not in %2")(name, file),
                                     Phrase::tr("it is in %1: give --user")(found.file)));
}

Result<CommandOutput> removeThePlace(const CommandContext& context, Progress&, const StopToken&) {
  const std::string file =
      context.options.flag(place_key::kUser) ? userPlacesFile() : placesFile(context.project);
  FATHOM_TRY(const PlaceRecord record, writtenPlace(context, file));
  FATHOM_TRY(const auto entries, QueueFolder(context.project).entries());
  const auto runs = std::count_if(entries.begin(), entries.end(),
                                  [&](const QueueEntry& entry) { return entry.place == record.id; });
  FATHOM_CHECK(removePlace(file, record.id));
  if (runs > 0 && !findPlace(context.project, record.id).ok())
    context.say(
        std::to_string(runs) +
        " runs are trained or wait there: what works goes on and is not followed any more, what waits "
        "stays in the queue until a place of this name is there again");
  CommandOutput output;
  output.json["place"] = {{"id", record.id}, {"file", file}, {"runs", runs}};
  output.json["place"].update(placeToJson(record));
  output.json["add_again"] = lineOf(record, context.project);
  output.text = "place " + record.id + " is not in " + file + " any more; nothing there was touched\n" +
                "add it again with: " + lineOf(record, context.project) + "\n";
  if (file == userPlacesFile()) output.wrote(file);
  return output;
}

OptionField userField() {
  std::vector<OptionField> fields = placeFields();
  return *std::find_if(fields.begin(), fields.end(),
                       [](const OptionField& field) { return field.key == place_key::kUser; });
}

}  // namespace

Command removePlaceCommandEntry() {
  return {
      .id = "remove-place",
      .title = "Remove a place",
      .description = "Takes a place from the list and says how to add it again; nothing there is touched.",
      .group = "Run",
      .fields = {visitedPlaceField(), userField()},
      .required = {"name"},
      .positional = "name",
      .changesData = true,
      .run = removeThePlace};
}

}  // namespace fathom
