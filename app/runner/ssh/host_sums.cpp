// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/host_sums.h"

#include "app/runner/ssh/host_check.h"
#include "app/runner/ssh/ssh_board.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/shell_word.h"

namespace fathom {

namespace {

constexpr const char* kAllReduce = "all_reduce";
constexpr std::int64_t kMeasureSeconds = 60;
constexpr double kMeasuredAnswerSeconds = 100;

std::string lastLine(const std::string& text) {
  LinesOf lines(text);
  std::string last;
  for (std::string_view line; lines.next(line);)
    if (!line.empty()) last = line;
  return last;
}

}  // namespace

std::string allReduceScript(const PlaceRecord& record, const Json& engine) {
  std::string script;
  for (const std::string& line : record.before) script += line + "\n";
  if (const std::string libraries = memberText(engine, "libraries"); !libraries.empty())
    script +=
        "export LD_LIBRARY_PATH=" + shellWord(libraries) + "\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"\n";
  return script + "exec " + shellWord(memberText(engine, "path")) + " all-reduce --json";
}

void takeAllReduce(const PlaceRecord& record, const Result<ChildOutput>& output, PlaceLook& look) {
  std::string words;
  if (output.ok()) {
    const auto answer = parseJson(lastLine(output->out));
    if (output->exitCode == 0 && answer.ok() && memberReal(*answer, "bandwidth", 0) > 0) {
      look.facts[kAllReduce] = *answer;
      return;
    }
    words = output->timedOut ? "no answer" : lastLine(output->err);
  } else {
    words = output.error().text();
  }
  look.troubles.push_back(aboutKey(
      kAllReduce, unavailableError(Phrase::tr("%1: how fast processes add up could not be measured: %2")(
                                       record.id, Phrase::words(words)),
                                   Phrase::tr("try it there: fathom-engine all-reduce"))));
}

Result<PlaceLook> measureHost(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                              const StopToken& stop) {
  FATHOM_TRY(PlaceLook look, lookAtHost(record, talk, progress, stop));
  const Json& engine = memberObject(look.facts, "engine");
  if (!checkHostEngine(record, engine).ok()) return look;
  progress.begin(Phrase::tr("measuring").english, "steps", 1);
  FATHOM_TRY(const auto channel, RelayChannel::open(record, talk, stop));
  const Json head = {{"verb", "command"},
                     {"words", {"/bin/sh", "-c", allReduceScript(record, engine)}},
                     {"seconds", kMeasureSeconds}};
  const auto answer = channel->ask(head, {}, kMeasuredAnswerSeconds, stop);
  if (!answer.ok() && stop.stopRequested()) return answer.error();
  takeAllReduce(record,
                answer.ok()
                    ? Result<ChildOutput>(ChildOutput{static_cast<int>(memberInteger(*answer, "code", -1)),
                                                      memberFlag(*answer, "timed_out", false),
                                                      memberText(*answer, "out"), memberText(*answer, "err")})
                    : Result<ChildOutput>(answer.error()),
                look);
  progress.finish();
  return look;
}

}  // namespace fathom
