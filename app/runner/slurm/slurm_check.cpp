// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_check.h"

#include <algorithm>

#include "app/runner/slurm/slurm_site.h"
#include "app/runner/ssh/host_check.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"
#include "core/relay/host_facts.h"

namespace fathom {

namespace {

// "main" of "main*, up, nodes 2": the star stands at the one that jobs go to by default.
std::string partitionOf(const Json& line) {
  const std::string text = line.is_string() ? line.get<std::string>() : std::string();
  return text.substr(0, text.find_first_of("*,"));
}

void judgeSlurm(const PlaceRecord& record, PlaceLook& look) {
  if (memberText(look.facts, "slurm").empty()) {
    look.troubles.push_back(aboutKey(
        "slurm", unavailableError(Phrase::tr("%1: no Slurm was found: sinfo does not answer")(record.id),
                                  Phrase::tr("name a host that has Slurm's commands: --set host=NAME"))));
    return;
  }
  const std::string wanted = record.resources.text("partition");
  const Json& known = memberList(look.facts, "partitions");
  const bool there = wanted.empty() || std::any_of(known.begin(), known.end(), [&](const Json& line) {
                       return partitionOf(line) == wanted;
                     });
  if (there) return;
  std::string names;
  for (const Json& line : known) names += (names.empty() ? "" : ", ") + partitionOf(line);
  look.troubles.push_back(
      aboutKey("partitions", unavailableError(Phrase::tr("%1: Slurm has no partition %2")(record.id, wanted),
                                              Phrase::tr("there are: %1")(names))));
}

}  // namespace

Result<PlaceLook> lookAtSlurm(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                              const StopToken& stop) {
  PlaceLook look;
  if (isSlurmOfHost(record)) {
    FATHOM_TRY(look, lookAtHost(record, talk, progress, stop));
  } else {
    look.facts = slurmFacts();
  }
  judgeSlurm(record, look);
  return look;
}

Result<PlaceLook> prepareSlurm(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                               const StopToken& stop) {
  if (!isSlurmOfHost(record))
    return aboutKey(
        "name", usageError(Phrase::tr("place '%1' shares this disk: there is nothing to bring")(record.id),
                           Phrase::tr("it is for places on a host: launcher ssh, or slurm with a host")));
  FATHOM_TRY(PlaceLook look, prepareHost(record, talk, progress, stop));
  judgeSlurm(record, look);
  return look;
}

}  // namespace fathom
