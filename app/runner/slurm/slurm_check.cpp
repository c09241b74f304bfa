// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_check.h"

#include <algorithm>

#include "app/runner/engine_description.h"
#include "app/runner/slurm/slurm_answers.h"
#include "app/runner/slurm/slurm_script.h"
#include "app/runner/slurm/slurm_site.h"
#include "app/runner/ssh/host_check.h"
#include "app/runner/ssh/host_sums.h"
#include "app/runner/ssh/ssh_board.h"
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
      aboutKey("partition", unavailableError(Phrase::tr("%1: Slurm has no partition %2")(record.id, wanted),
                                             Phrase::tr("there are: %1")(names))));
}

// The site itself says what it would not take, in its own words; one that does not answer now says nothing.
void judgeJob(const PlaceRecord& record, PlaceLook& look, const StopToken& stop) {
  for (const Error& trouble : look.troubles)
    if (trouble.key == "slurm" || trouble.key == "partition") return;
  const auto site = openSlurmSite(record);
  const auto output = site->ask(slurmTrialWords(record), stop);
  if (!output.ok() || output->exitCode == 0) return;
  const SlurmAnswer answer = slurmAnswer(output->exitCode, output->timedOut, {}, output->err);
  if (answer.kind != SlurmAnswer::Kind::Refused) return;
  const std::string key = blamedResource(answer.words.english());
  const std::string value = key.empty() ? std::string() : asText(record.resources.value(key));
  const Phrase hint = key.empty() ? Phrase::tr("change the resources of the place, or the head of its script")
                      : value.empty() ? Phrase::tr("give the place a '%1'")(key)
                                      : Phrase::tr("change '%1' of the place, which is %2")(key, value);
  look.troubles.push_back(aboutKey(
      key,
      unavailableError(Phrase::tr("%1: Slurm does not take its jobs: %2")(record.id, answer.words), hint)));
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
  judgeJob(record, look, stop);
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

Result<PlaceLook> measureSlurm(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                               const StopToken& stop) {
  FATHOM_TRY(PlaceLook look, lookAtSlurm(record, talk, progress, stop));
  Json engine = memberObject(look.facts, "engine");
  if (isSlurmOfHost(record)) {
    if (!checkHostEngine(record, engine).ok()) return look;
  } else {
    FATHOM_TRY(engine["path"], findEngine());
  }
  progress.begin(Phrase::tr("measuring").english, "steps", 1);
  std::vector<std::string> words = srunWords(record);
  for (std::string word : {std::string("/bin/sh"), std::string("-c"), allReduceScript(record, engine)})
    words.push_back(std::move(word));
  const auto output = openSlurmSite(record)->ask(words, stop);
  if (!output.ok() && stop.stopRequested()) return output.error();
  takeAllReduce(record, output, look);
  progress.finish();
  return look;
}

}  // namespace fathom
