// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/place_visit.h"

#include <cmath>
#include <functional>

#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"

namespace fathom {

namespace {

std::string gibibytes(const Json& facts, const char* key) {
  const double bytes = memberReal(facts, key, 0);
  return std::to_string(static_cast<std::int64_t>(std::llround(bytes / (1 << 30)))) + " GiB";
}

std::string hostEngineText(const Json& engine) {
  const std::string path = memberText(engine, "path"), version = memberText(engine, "version");
  return version.empty() ? path + ": none" : version + ", " + path;
}

std::string listText(const Json& facts, const char* key, const char* first, const char* second) {
  std::string text;
  for (const Json& each : memberList(facts, key)) {
    const std::string said = each.is_string() ? each.get<std::string>()
                                              : memberText(each, first) + ", " + memberText(each, second);
    text += (text.empty() ? "" : "; ") + said;
  }
  return text.empty() ? "none found" : text;
}

void hostLines(const Json& facts, const std::function<void(const char*, const std::string&)>& line) {
  line("host", memberText(facts, "host") + ", " + memberText(facts, "machine") + ", glibc " +
                   memberText(facts, "glibc"));
  line("processors",
       std::to_string(memberInteger(facts, "cores")) + ", memory " + gibibytes(facts, "memory"));
  line("devices", listText(facts, "gpus", "", ""));
  line("root", memberText(facts, "root") + ", " + gibibytes(facts, "free") + " free");
  line("engine", hostEngineText(memberObject(facts, "engine")));
  line("LibTorch", listText(facts, "torch", "version", "path"));
}

std::string factsText(const Json& facts) {
  std::string text;
  const auto line = [&](const char* title, const std::string& value) {
    text += std::string(title) + std::string(12 - std::string_view(title).size(), ' ') + value + "\n";
  };
  if (facts.contains("host")) hostLines(facts, line);
  if (const std::string slurm = memberText(facts, "slurm"); !slurm.empty()) {
    line("Slurm", slurm);
    for (const Json& partition : memberList(facts, "partitions"))
      if (partition.is_string()) line("partition", partition.get<std::string>());
  }
  if (facts.contains("sent_bytes"))
    line("sent", std::to_string(memberInteger(facts, "sent_bytes") >> 20) + " MiB; the rest was there");
  return text;
}

}  // namespace

OptionField visitedPlaceField() {
  return textField("name", "Name", "Name of the place, as the list of places has it.");
}

Result<CommandOutput> visitPlace(const CommandContext& context, LauncherEntry::Visit LauncherEntry::*visit,
                                 Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const PlaceRecord record, findPlace(context.project, context.options.text("name")));
  FATHOM_TRY(const LauncherEntry* launcher, findLauncher(record.launcher));
  const LauncherEntry::Visit& go = launcher->*visit;
  if (!go)
    return aboutKey(
        "name", usageError(Phrase::tr("place '%1' is this machine's: there is nothing to look at")(record.id),
                           Phrase::tr("it is for places of launcher ssh or slurm")));
  FATHOM_TRY(const PlaceLook look, go(record, progress, stop));
  CommandOutput output;
  output.json["place"] = record.id;
  output.json["facts"] = look.facts;
  output.json["troubles"] = Json::array();
  output.text = factsText(look.facts);
  for (const Error& trouble : look.troubles) {
    output.json["troubles"].push_back({{"message", trouble.message}, {"hint", trouble.hint}});
    output.text += "! " + trouble.text() + "\n";
  }
  if (look.troubles.empty())
    output.text += "runs can be started there: fathom train --place " + record.id + " --project DIR\n";
  return output;
}

}  // namespace fathom
