// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/places/place_look.h"

#include <chrono>
#include <cmath>
#include <filesystem>

#include "app/runner/place_journal.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/number_text.h"

namespace fathom {

namespace {

constexpr const char* kAllReduceFact = "all_reduce";

const LauncherEntry::Visit& visitOf(const LauncherEntry& launcher, PlaceDeed deed) {
  if (deed == PlaceDeed::Measure) return launcher.measure;
  return deed == PlaceDeed::Look ? launcher.look : launcher.prepare;
}

Phrase gibibytesOf(const Json& facts, const char* key) {
  const double bytes = memberReal(facts, key, 0);
  return Phrase::words(std::to_string(static_cast<std::int64_t>(std::llround(bytes / (1 << 30)))) + " GiB");
}

// "2.11.0, /venv/lib; …"
Phrase listedFacts(const Json& facts, const char* key, const char* first, const char* second) {
  std::string text;
  for (const Json& each : memberList(facts, key)) {
    const std::string said = each.is_string() ? each.get<std::string>()
                                              : memberText(each, first) + ", " + memberText(each, second);
    text += (text.empty() ? "" : "; ") + said;
  }
  return text.empty() ? Phrase(Phrase::tr("none found")) : Phrase::words(text);
}

Phrase foundEngine(const Json& facts) {
  const Json& engine = memberObject(facts, "engine");
  const std::string path = memberText(engine, "path"), version = memberText(engine, "version");
  return version.empty() ? Phrase::tr("%1: none")(path) : Phrase::words(version + ", " + path);
}

Phrase foundHost(const Json& facts) {
  const std::string machine = memberText(facts, "machine"), host = memberText(facts, "host");
  return Phrase::words(machine.empty() ? host : host + ", " + machine);
}

Phrase foundRoot(const Json& facts) {
  return Phrase::tr("%1, %2 free")(memberText(facts, "root"), gibibytesOf(facts, "free"));
}

Phrase foundClock(const Json& facts) {
  return Phrase::tr("%1 s ahead")(
      static_cast<std::int64_t>(std::lround(memberReal(facts, "clock_ahead", 0))));
}

Phrase foundProcessors(const Json& facts) {
  return Phrase::tr("%1, memory %2")(memberInteger(facts, "cores"), gibibytesOf(facts, "memory"));
}

Phrase foundLingering(const Json& facts) {
  return memberFlag(facts, "kills", false) && memberText(facts, "lingers") != "yes"
             ? Phrase(Phrase::tr("processes end with the login"))
             : Phrase(Phrase::tr("processes stay after the login"));
}

Phrase foundWords(const Json& facts, const char* key) {
  return Phrase::words(memberText(facts, key));
}

Phrase foundAllReduce(const Json& facts) {
  const Json& measured = memberObject(facts, kAllReduceFact);
  return Phrase::tr("%1/s, %2 ms a message")(byteText(memberReal(measured, "bandwidth", 0)),
                                             formatted("%.3g", 1000 * memberReal(measured, "latency", 0)));
}

Phrase foundSent(const Json& facts) {
  return Phrase::tr("%1 MiB; the rest was there")(memberInteger(facts, "sent_bytes") >> 20);
}

struct FactRow {
  const char* key;  // of the facts, and of the troubles that are about it, as is `also`
  Phrase::Text what;
  Phrase (*found)(const Json&);
  const char* also = "";
};
const FactRow kFactRows[] = {
    {"host", Phrase::tr("Host"), foundHost},
    {"glibc", Phrase::tr("glibc"), [](const Json& facts) { return foundWords(facts, "glibc"); }},
    {"cores", Phrase::tr("Processors"), foundProcessors},
    {"gpus", Phrase::tr("Devices"), [](const Json& facts) { return listedFacts(facts, "gpus", "", ""); }},
    {"root", Phrase::tr("Folder there"), foundRoot},
    {"clock_ahead", Phrase::tr("Clock"), foundClock},
    {"lingers", Phrase::tr("Staying"), foundLingering},
    {"engine", Phrase::tr("Engine"), foundEngine},
    {"torch", Phrase::tr("LibTorch"),
     [](const Json& facts) { return listedFacts(facts, "torch", "version", "path"); }},
    {"slurm", Phrase::tr("Slurm"), [](const Json& facts) { return foundWords(facts, "slurm"); }},
    {"partitions", Phrase::tr("Partitions"),
     [](const Json& facts) { return listedFacts(facts, "partitions", "", ""); }, "partition"},
    {kAllReduceFact, Phrase::tr("Sum over processes"), foundAllReduce},
    {"sent_bytes", Phrase::tr("Sent"), foundSent}};

bool isEmptyFact(const Json& facts, const char* key) {
  const auto found = facts.find(key);
  return found == facts.end() || (found->is_string() && found->get<std::string>().empty());
}

double lookedAtNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Of a place that shares this disk.
PlaceLook lookFromHere(const std::string& project, const PlaceRecord& record, const LauncherEntry& launcher) {
  PlaceLook look;
  look.facts["root"] = project;
  std::error_code code;
  const auto room = std::filesystem::space(project, code);
  if (!code) look.facts["free"] = static_cast<std::uint64_t>(room.available);
  if (!launcher.ready) return look;
  if (const Status ready = launcher.ready(record); !ready.ok()) look.troubles.push_back(ready.error());
  return look;
}

Result<PlaceLook> visitedPlace(const std::string& project, const PlaceRecord& record,
                               const LauncherEntry& launcher, PlaceDeed deed, const PlaceTalk& talk,
                               Progress& progress, const StopToken& stop) {
  const LauncherEntry::Visit& go = visitOf(launcher, deed);
  if (go) return go(record, talk, progress, stop);
  if (deed == PlaceDeed::Look) return lookFromHere(project, record, launcher);
  return deed == PlaceDeed::Prepare
             ? unavailableError(Phrase::tr("place '%1' needs no preparation")(record.id))
             : unavailableError(Phrase::tr("place '%1' is measured whenever it is asked for")(record.id));
}

// A measurement is kept until another one is made.
void keepMeasured(const Json& before, PlaceLook& look) {
  const Json& measured = memberObject(memberObject(before, "facts"), kAllReduceFact);
  if (!measured.empty() && !look.facts.contains(kAllReduceFact)) look.facts[kAllReduceFact] = measured;
}

}  // namespace

std::vector<PlaceFinding> placeFindings(const PlaceLook& look) {
  std::vector<PlaceFinding> findings;
  std::vector<bool> told(look.troubles.size());
  for (const FactRow& row : kFactRows) {
    PlaceFinding finding{row.what, {}, {}};
    const bool there = !isEmptyFact(look.facts, row.key);
    if (there) finding.found = row.found(look.facts);
    for (std::size_t i = 0; i < look.troubles.size(); ++i) {
      const Error& trouble = look.troubles[i];
      if (trouble.key.empty() || (trouble.key != row.key && trouble.key != row.also)) continue;
      told[i] = finding.trouble = true;
      finding.found.append(trouble.messagePhrase(), "; ");
      finding.remedy.append(trouble.hintPhrase(), "; ");
    }
    if (there || finding.trouble) findings.push_back(std::move(finding));
  }
  for (std::size_t i = 0; i < look.troubles.size(); ++i)
    if (!told[i])
      findings.push_back(
          {Phrase::tr("Trouble"), look.troubles[i].messagePhrase(), look.troubles[i].hintPhrase(), true});
  return findings;
}

Json keptLookToJson(const KeptLook& kept) {
  Json json = {{"at", kept.at}, {"facts", kept.look.facts}, {"troubles", Json::array()}};
  for (const Error& trouble : kept.look.troubles) {
    Json told = {{"key", trouble.key}};
    writePhrase(told, "message", trouble.messagePhrase());
    writePhrase(told, "hint", trouble.hintPhrase());
    json["troubles"].push_back(std::move(told));
  }
  return json;
}

KeptLook keptLookFromJson(const Json& json) {
  KeptLook kept{memberReal(json, "at", 0)};
  kept.look.facts = memberObject(json, "facts");
  for (const Json& trouble : memberList(json, "troubles"))
    kept.look.troubles.push_back(
        aboutKey(memberText(trouble, "key"),
                 unavailableError(readPhrase(trouble, "message"), readPhrase(trouble, "hint"))));
  return kept;
}

bool hasDeed(const PlaceRecord& record, PlaceDeed deed) {
  const auto launcher = findLauncher(record.launcher);
  if (!launcher.ok()) return false;
  return static_cast<bool>(visitOf(**launcher, deed));
}

std::optional<MeasuredLink> measuredLink(const std::string& project, const std::string& place) {
  if (project.empty()) return std::nullopt;
  const Json look = PlaceJournal(project, place).look();
  const Json& measured = memberObject(memberObject(look, "facts"), kAllReduceFact);
  const MeasuredLink link{memberReal(measured, "latency", 0), memberReal(measured, "bandwidth", 0)};
  return link.bandwidth > 0 ? std::optional(link) : std::nullopt;
}

std::string hostOfPlace(const PlaceRecord& record) {
  return record.resources.schema().find("host") != nullptr ? record.resources.text("host") : std::string();
}

Result<PlaceLook> visitPlace(const std::string& project, const PlaceRecord& record, PlaceDeed deed,
                             const PlaceTalk& talk, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const LauncherEntry* launcher, findLauncher(record.launcher));
  auto look = visitedPlace(project, record, *launcher, deed, talk, progress, stop);
  if (!look.ok() && look.error().kind == ErrorKind::Interrupted) return look;
  PlaceJournal journal(project, record.id);
  constexpr Phrase::Text kAsked[] = {Phrase::tr("check"), Phrase::tr("prepare"), Phrase::tr("measure")};
  const Phrase asked = kAsked[static_cast<std::size_t>(deed)];
  const Json before = journal.look();
  if (look.ok()) {
    keepMeasured(before, *look);
    if (look->troubles.empty())
      journal.say(asked, Phrase::tr("runs can be started there"));
    else
      journal.say(asked, look->troubles.front());
    if (launcher->look) journal.heard();
    journal.keepLook(keptLookToJson({lookedAtNow(), *look}));
  } else {
    journal.say(asked, look.error());
    PlaceLook none{Json::object(), {look.error()}};
    keepMeasured(before, none);
    journal.keepLook(keptLookToJson({lookedAtNow(), none}));
  }
  return look;
}

}  // namespace fathom
