// SPDX-License-Identifier: Apache-2.0
// all-reduce: the speed at which ranks add up their gradients, for `estimate --bandwidth --latency`.
#include <iostream>
#include <memory>

#include "core/analysis/training/rank_scaling.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/json/json_text.h"
#include "core/base/text/number_text.h"
#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"
#include "core/train/parallel/all_reduce_times.h"
#include "core/train/parallel/process_meeting.h"

namespace fathom {

namespace {

VerbAction declareAllReduce(CLI::App& sub) {
  const auto said = std::make_shared<AllReduceVerb>();
  sub.add_option("--ranks", said->ranks, "Processes of this machine, where no other program has started them")
      ->check(wholeNumber(2, 1024));
  sub.add_option("--interface", said->interface, "Network interface, as parallel.interface");
  sub.add_flag("--json", said->json, "JSON instead of words");
  return {[said] { return allReduceVerb(*said); }};
}

}  // namespace

ExitCode allReduceVerb(const AllReduceVerb& verb) {
  ProcessMeeting meeting(ranksOf(processEnvironment()).value());
  ParallelSettings settings;
  settings.ranks = verb.ranks;
  settings.interface = verb.interface;
  settings.timeout = 60;
  const TemporaryFolder words;  // of ranks that are started here
  const auto exchange = meeting.meet(settings, words.path());
  const AllReduceTimes times = timeAllReduce(*exchange);
  if (exchange->rank() > 0) return ExitCode::Finished;
  const RankLink link = linkOf(times.ranks, times.ofFew, times.bytes, times.ofMany);
  if (verb.json) {
    std::cout << jsonText(Json{{"ranks", times.ranks},
                               {"way", exchange->way()},
                               {"latency", jsonReal(link.latency)},
                               {"bandwidth", jsonReal(link.bandwidth)}})
              << std::endl;
  } else {
    std::cout << times.ranks << " ranks by " << exchange->way() << ": " << byteText(link.bandwidth) << "/s, "
              << formatted("%.3g ms", 1000 * link.latency) << " a message\n"
              << "--bandwidth " << formatted("%.3g", link.bandwidth) << " --latency "
              << formatted("%.3g", link.latency) << ": options of fathom-engine estimate" << std::endl;
  }
  return ExitCode::Finished;
}

EngineVerb allReduceLineEntry() {
  return {.name = "all-reduce",
          .help = "How fast ranks add up gradients, here or under torchrun and srun",
          .declare = declareAllReduce};
}

}  // namespace fathom
