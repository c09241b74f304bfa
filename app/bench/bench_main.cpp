// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <iostream>

#include "app/bench/bench_line.h"
#include "app/runner/child_process.h"
#include "app/shell_program.h"
#include "core/base/options/entry_table.h"
#include "core/record/runs/exit_code.h"

namespace {

const fathom::CommandSet& benches() {
  static const fathom::CommandSet set{
      fathom::kBenchProgram,
      "Measures Fathom beside its peers, after a look at whether both give the same.\n\n"
      "  fathom-bench <bench> [options]    measures\n"
      "  fathom-bench <bench> --help       tells its options\n\nThe window's half:\n",
      &fathom::appBenches()};
  return set;
}

// The engine's half is a program with torch and without Qt; a build without torch has none.
std::string engineHalf() {
  return fathom::siblingProgram("fathom-bench-engine");
}

// It takes this program's place.
int runEngineHalf(char** argv) {
  const std::string program = engineHalf();
  if (program.empty()) {
    std::cerr << fathom::kBenchProgram << ": fathom-bench-engine is not beside this program\n";
    return static_cast<int>(fathom::ExitCode::BadInput);
  }
  std::cout.flush();
  ::execv(program.c_str(), argv);
  std::cerr << fathom::kBenchProgram << ": " << program << " cannot be started\n";
  return static_cast<int>(fathom::ExitCode::Internal);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool help =
      words.empty() || words.front() == "--help" || words.front() == "-h" || words.front() == "help";
  const bool ours = help || words.front() == "--version" ||
                    fathom::findEntry(fathom::appBenches(), words.front()) != nullptr;
  if (!ours) return runEngineHalf(argv);
  fathom::ShellProgram program;
  const int code = program.run(words, argv, benches());
  if (!help || engineHalf().empty()) return code;
  std::string whole = "--help";
  char* lines[] = {argv[0], whole.data(), nullptr};
  return runEngineHalf(lines);
}
