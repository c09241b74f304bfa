// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_child.h"

#include <chrono>

namespace fathom {

namespace {

constexpr double kLongestBenchSeconds = 600;

// The last line of a program's traceback, which says what was wrong.
std::string lastLineOf(const std::string& text) {
  const auto end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "it said nothing";
  const auto begin = text.rfind('\n', end);
  const auto first = begin == std::string::npos ? 0 : begin + 1;
  return text.substr(first, end + 1 - first);
}

}  // namespace

Result<TimedRun> timedRun(const ChildSpec& spec, const char* who, const StopToken& stop) {
  TimedRun run;
  const auto start = std::chrono::steady_clock::now();
  FATHOM_TRY(const ChildOutput output, runChild(spec, {kLongestBenchSeconds, std::size_t{16} << 20}, stop));
  run.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (output.exitCode != 0)
    return dataError(std::string(who) + " " + describeExit(output.exitCode).english() + ": " +
                     lastLineOf(output.err));
  FATHOM_TRY(run.json, parseJson(output.out, who));
  return run;
}

}  // namespace fathom
