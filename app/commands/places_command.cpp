// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/runner/launcher.h"
#include "app/text_table.h"
#include "core/base/json/json_members.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

std::string valuesText(const OptionValues& values) {
  std::string text;
  const Json said = values.minimal();
  for (const auto& [key, value] : said.items()) text += (text.empty() ? "" : " ") + key + "=" + asText(value);
  return text;
}

// "" where its launcher has none.
std::string scriptOf(const PlaceRecord& place) {
  const auto launcher = findLauncher(place.launcher);
  return launcher.ok() && (*launcher)->script ? (*launcher)->script(place) : std::string();
}

Result<CommandOutput> sayPlaces(const CommandContext& context, Progress&, const StopToken&) {
  const std::string name = context.options.text("name");
  FATHOM_TRY(auto places, readPlaces(context.project));
  if (!name.empty()) {
    FATHOM_TRY(PlaceRecord only, findPlace(context.project, name));
    places = {std::move(only)};
  }
  CommandOutput output;
  output.json["places"] = Json::array();
  output.json["launchers"] = Json::array();
  std::string script;
  TextTable table({"place", "launcher", "resources", "limits", "written in"});
  for (const PlaceRecord& place : places) {
    Json json = {{"id", place.id}, {"file", place.file}};
    json.update(placeToJson(place));
    if (!name.empty()) json["script"] = script = scriptOf(place);
    output.json["places"].push_back(std::move(json));
    table.addRow({place.id, place.launcher, valuesText(place.resources), valuesText(place.limits),
                  place.file.empty() ? "-" : place.file});
  }
  for (const LauncherEntry& launcher : launcherEntries())
    output.json["launchers"].push_back(
        {{"id", launcher.id},
         {"title", launcher.title},
         {"resources", OptionSchema(launcher.resources, {}).toJson()["fields"]},
         {"limits", OptionSchema(launcher.limits, {}).toJson()["fields"]}});
  output.text = table.text() + (script.empty() ? "" : "\n" + script);
  return output;
}

}  // namespace

Command placesCommandEntry() {
  return {.id = "places",
          .title = "Places",
          .description = "Lists the places where runs can be started.",
          .group = "Run",
          .fields = {textField("name", "Name",
                               "Only this place, with the script that its jobs are submitted by.", "")},
          .positional = "name",
          .run = sayPlaces};
}

}  // namespace fathom
