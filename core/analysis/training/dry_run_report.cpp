// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/dry_run_report.h"

#include <algorithm>

#include "core/analysis/training/rank_scaling.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/number_text.h"
#include "core/base/threads/progress.h"

namespace fathom {

namespace {

std::optional<double> numberOf(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || object[key].is_null()) return std::nullopt;
  const auto number = realFromJson(object[key]);
  return number.ok() ? std::optional(*number) : std::nullopt;
}

std::string bytesOf(const Json& object, const char* key) {
  const auto number = numberOf(object, key);
  return number ? byteText(*number) : std::string("?");
}

std::string countOf(const Json& object, const char* key) {
  return countText(numberOf(object, key).value_or(0));
}

// "0.042 s", "3.1 s".
std::string secondsText(double seconds) {
  return formatted(seconds < 1 ? "%.2g s" : "%.1f s", seconds);
}

// "16 min": as one says how long something takes that is not known to the second.
Phrase roughDuration(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
  if (seconds < 1.5 * kMinute) return Phrase::tr("%1 s")(formatted("%.0f", seconds));
  if (seconds < 1.5 * kHour) return Phrase::tr("%1 min")(formatted("%.0f", seconds / kMinute));
  if (seconds < 1.5 * kDay) return Phrase::tr("%1 h")(formatted("%.1f", seconds / kHour));
  return Phrase::tr("%1 days")(formatted("%.1f", seconds / kDay));
}

Json partOf(const Json& report, const char* key) {
  return report.is_object() ? report.value(key, Json::object()) : Json::object();
}

void sayMemory(DryRunWords& words, const Json& memory) {
  const auto needed = numberOf(memory, "needed");
  if (!needed) return;
  const bool least = memory.contains("activations") && memory["activations"].is_null();
  const std::string all = byteText(*needed);
  if (numberOf(memory, "free")) {
    words.memory = least ? Phrase::tr("more than %1 of %2 free")(all, bytesOf(memory, "free"))
                         : Phrase::tr("%1 of %2 free")(all, bytesOf(memory, "free"));
  } else {
    words.memory = Phrase::words(all);
  }
  if (!memory.contains("weights")) return;
  words.memoryParts =
      Phrase::tr("weights %1, gradients %2, optimiser %3, activations %4, program and data %5")(
          bytesOf(memory, "weights"), bytesOf(memory, "gradients"), bytesOf(memory, "optimiser"),
          bytesOf(memory, "activations"), bytesOf(memory, "program"));
}

void sayTime(DryRunWords& words, const Json& time) {
  const auto update = numberOf(time, "update"), total = numberOf(time, "total"),
             updates = numberOf(time, "updates");
  if (total && update) {
    words.time = Phrase::tr("about %1, %2 an update")(roughDuration(*total), secondsText(*update));
  } else if (total) {
    words.time = Phrase::tr("about %1")(roughDuration(*total));
  } else if (update) {
    words.time = Phrase::tr("%1 an update")(secondsText(*update));
  }
  std::vector<Phrase> parts;
  if (updates) parts.push_back(Phrase::tr("%1 updates")(static_cast<std::int64_t>(*updates)));
  if (const auto each = numberOf(time, "validation"))
    parts.push_back(Phrase::tr("%1 validations of %2")(
        static_cast<std::int64_t>(numberOf(time, "validations").value_or(0)), secondsText(*each)));
  if (const auto each = numberOf(time, "score"))
    parts.push_back(Phrase::tr("%1 times outputs in %2")(
        static_cast<std::int64_t>(numberOf(time, "scores").value_or(0)), secondsText(*each)));
  if (const auto once = numberOf(time, "prepare"))
    parts.push_back(Phrase::tr("states of the frozen encoder %1, once")(roughDuration(*once)));
  if (const auto timed = numberOf(time, "timed_updates"); timed && update)
    parts.push_back(*timed > 0 ? Phrase::tr("%1 updates were timed")(static_cast<std::int64_t>(*timed))
                               : Phrase(Phrase::tr("worked out from a model of one or two layers")));
  words.timeParts = Phrase::list(std::move(parts), ", ");
}

void sayDisk(DryRunWords& words, const Json& disk) {
  const auto needed = numberOf(disk, "needed");
  if (!needed) return;
  words.disk = numberOf(disk, "free") ? Phrase::tr("%1 of %2 free")(byteText(*needed), bytesOf(disk, "free"))
                                      : Phrase::words(byteText(*needed));
  if (disk.contains("checkpoint"))
    words.diskParts = Phrase::tr("%1 checkpoints of %2")(
        static_cast<std::int64_t>(numberOf(disk, "checkpoints").value_or(0)), bytesOf(disk, "checkpoint"));
}

}  // namespace

DryRunWords dryRunWords(const Json& report) {
  DryRunWords words;
  const Json parameters = partOf(report, "parameters");
  if (numberOf(parameters, "total")) words.parameters = Phrase::words(countOf(parameters, "total"));
  if (numberOf(parameters, "largest"))
    words.parameters = Phrase::tr("up to %1")(countOf(parameters, "largest"));
  sayMemory(words, partOf(report, "memory"));
  sayTime(words, partOf(report, "time"));
  sayDisk(words, partOf(report, "disk"));
  const RankWords ranks = rankWords(report);
  words.ranks = ranks.summary;
  words.ranksDetails = ranks.details;
  if (report.is_object() && report.contains("notes")) words.notes = readPhrases(report, "notes");
  return words;
}

Error dryRunRefusal(const Json& report) {
  if (!report.is_object() || !report.contains("refusal")) return {};
  const Phrase words = readPhrase(report, "refusal");
  const bool disk = partOf(report, "memory").value("fits", true);
  const bool usage = report.value("refusal_kind", "") == errorKindName(ErrorKind::Usage);
  Error error = usage ? usageError(words) : disk ? diskError(words) : memoryError(words);
  error.key = report.value("refusal_key", "");
  return error;
}

std::string dryRunText(const Json& report) {
  const DryRunWords words = dryRunWords(report);
  std::string text;
  const auto line = [&text](const char* name, const Phrase& what, const Phrase& parts) {
    if (what.empty()) return;
    text += std::string(name) + what.english() + (parts.empty() ? "" : " (" + parts.english() + ")") + "\n";
  };
  if (report.contains("runs")) text += "runs        " + std::to_string(report["runs"].get<int>()) + "\n";
  line("parameters  ", words.parameters, {});
  line("memory      ", words.memory, words.memoryParts);
  line("time        ", words.time, words.timeParts);
  line("disk        ", words.disk, words.diskParts);
  line("processes   ", words.ranks, {});
  if (!words.ranksDetails.empty()) text += words.ranksDetails.english() + "\n";
  for (const Phrase& note : words.notes) text += note.english() + "\n";
  const Error refusal = dryRunRefusal(report);
  text += refusal.message.empty() ? "it fits\n"
                                  : (refusal.kind == ErrorKind::Usage ? "refused: " : "it does not fit: ") +
                                        refusal.text() + "\n";
  return text;
}

Json dryRunOfGrid(const std::vector<Json>& members, const std::vector<std::string>& names) {
  Json grid = {{"format", 1}, {"runs", members.size()}};
  double parameters = 0, memory = -1, seconds = 0, disk = 0, once = 0;
  bool timed = true;
  Json largest, diskFree;
  std::string largestName;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Json& report = members[i];
    if (!report.is_object()) {
      timed = false;
      continue;
    }
    parameters = std::max(parameters, numberOf(partOf(report, "parameters"), "total").value_or(0));
    const Json used = partOf(report, "memory");
    if (const double needed = numberOf(used, "needed").value_or(0); needed > memory) {
      memory = needed;
      largest = used;
      largestName = names.at(i);
    }
    const auto total = numberOf(partOf(report, "time"), "total");
    timed = timed && total.has_value();
    // Members share what the first of them has made of a frozen encoder.
    const double made = numberOf(partOf(report, "time"), "prepare").value_or(0);
    seconds += total.value_or(0) - made;
    once = std::max(once, made);
    disk += numberOf(partOf(report, "disk"), "needed").value_or(0);
    diskFree = partOf(report, "disk").value("free", Json());
    if (grid.contains("refusal") || !report.contains("refusal")) continue;
    writePhrase(grid, "refusal", Phrase::tr("%1: %2")(names.at(i), readPhrase(report, "refusal")));
    for (const char* key : {"refusal_key", "refusal_kind", "remedies"})
      if (report.contains(key)) grid[key] = report[key];
  }
  grid["parameters"] = {{"largest", parameters}};
  grid["memory"] = largest.is_object() ? largest : Json::object();
  grid["memory"]["largest"] = largestName;
  grid["time"] = {{"total", timed ? Json(seconds + once) : Json()}};
  const auto free = realFromJson(diskFree);
  const bool diskFits = !diskFree.is_number() || !free.ok() || disk <= *free;
  grid["disk"] = {{"needed", disk}, {"free", diskFree}, {"fits", diskFits}};
  if (!diskFits && !grid.contains("refusal"))
    writePhrase(grid, "refusal",
                Phrase::tr("the checkpoints of all runs need %1 of disk, and %2 are free")(byteText(disk),
                                                                                           byteText(*free)));
  grid["fits"] = !grid.contains("refusal");
  return grid;
}

}  // namespace fathom
