// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/place_visit.h"

#include <algorithm>

#include "core/base/errors/error_key.h"

namespace fathom {

namespace {

// The facts as a table of lines, the troubles below it.
std::string lookText(const PlaceLook& look) {
  std::string text, troubles;
  for (const PlaceFinding& finding : placeFindings(look)) {
    constexpr std::size_t kTitle = 14;
    std::string title = finding.what.english();
    title.resize(std::max(title.size() + 2, kTitle), ' ');
    text += title + finding.found.english() + "\n";
  }
  for (const Error& trouble : look.troubles) troubles += "! " + trouble.text() + "\n";
  return text + troubles;
}

}  // namespace

OptionField visitedPlaceField() {
  return textField("name", "Name", "Name of the place, as the list of places has it.");
}

Result<CommandOutput> goToPlace(const CommandContext& context, PlaceDeed deed, Progress& progress,
                                const StopToken& stop) {
  FATHOM_TRY(const PlaceRecord record, findPlace(context.project, context.options.text("name")));
  if (!hasDeed(record, deed))
    return aboutKey(
        "name", usageError(Phrase::tr("place '%1' is this machine's: there is nothing to look at")(record.id),
                           Phrase::tr("it is for places of launcher ssh or slurm")));
  FATHOM_TRY(const PlaceLook look, visitPlace(context.project, record, deed, talkHere(), progress, stop));
  CommandOutput output;
  output.json["place"] = record.id;
  output.json["facts"] = look.facts;
  output.json["troubles"] = Json::array();
  for (const Error& trouble : look.troubles)
    output.json["troubles"].push_back({{"message", trouble.message}, {"hint", trouble.hint}});
  output.text = lookText(look);
  if (look.troubles.empty())
    output.text += "runs can be started there: fathom train --place " + record.id + " --project DIR\n";
  return output;
}

}  // namespace fathom
