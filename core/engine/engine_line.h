// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/runs/exit_code.h"

namespace fathom {

struct ExportEncoderVerb;  // core/engine/engine_verbs.h

// Action of a verb, done once the whole line was understood.
struct VerbAction {
  std::function<ExitCode()> run;  // may throw
  // True if the line asked for progress as JSON lines: then an error is one, too. Unset: never.
  std::function<bool()> progressLines = {};
};

// One entry of verbs.list: a verb of the engine's command line.
struct EngineVerb {
  std::string name;
  std::string help;
  // Adds the verb's options to `sub`. What the line says is kept by the action that is returned.
  std::function<VerbAction(CLI::App& sub)> declare;
};
const std::vector<EngineVerb>& engineVerbs();

// The command line of a program of such verbs; what it returns is the exit code. Errors go to stderr.
int runVerbs(const std::string& program, const std::string& about, const std::vector<EngineVerb>& verbs,
             int argc, char** argv);

// Parts that several verbs declare.

// A range in words: CLI11's own names the largest double.
CLI::Validator wholeNumber(std::int64_t least, std::int64_t most = INT64_MAX);
// A file or folder that is made: --help calls its value OUTPUT, and the folder that it comes to is looked for
// before anything is computed (checkOutputs).
CLI::Option* written(CLI::Option* option);
// Checks the outputs of the verb that the line asked for, and of those within it.
Status checkOutputs(const CLI::App& app);
// For --set of a run's options: what cannot be right is refused before anything is made.
CLI::Validator runAssignment();
// One KEY=VALUE each time it is said.
CLI::Option* asAssignment(CLI::Option* option);
void addSet(CLI::App& sub, std::vector<std::string>& assignments);
// A configuration file or the id of a preset.
void addStart(CLI::App& sub, std::string& config, std::string& preset);
void addRun(CLI::App& sub, std::string& run);
void addCheckpoint(CLI::App& sub, std::string& checkpoint);
void addEvents(CLI::App& sub, bool& toStdout);
// Adds the options of an encoder's export: its place, and which parts of the run.
void addExport(CLI::App& sub, ExportEncoderVerb& said);

inline constexpr std::int64_t kMostPieces = 10'000'000;

// Prints the error of a line that cannot be meant.
ExitCode wrongUsage(const Error& error);

}  // namespace fathom
