// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_line.h"

#include <filesystem>

#include "core/base/errors/error_key.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/text/number_text.h"
#include "core/engine/engine_verbs.h"
#include "core/train/parts/run_options.h"

namespace fathom {

CLI::Validator wholeNumber(std::int64_t least, std::int64_t most) {
  const auto check = [=](const std::string& text) -> std::string {
    const auto number = numberFrom<std::int64_t>(text);
    if (number && *number >= least && *number <= most) return {};
    const std::string range = most == INT64_MAX
                                  ? "of at least " + std::to_string(least)
                                  : "from " + std::to_string(least) + " to " + std::to_string(most);
    return "'" + text + "' is not a whole number " + range;
  };
  return {check, ""};
}

namespace {

constexpr const char* kOutput = "OUTPUT";

Status checkOutput(const std::string& said) {
  const std::string path = absolutePath(said);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  FATHOM_TRY(const bool there, isThere(folder));
  if (there && folderExists(folder)) return {};
  return aboutFile(folder, unavailableError(Phrase::tr("there is no folder %1 for %2")(folder, path),
                                            Phrase::tr("make it first")));
}

}  // namespace

CLI::Option* written(CLI::Option* option) {
  return option->type_name(kOutput);
}

Status checkOutputs(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (option->get_type_name() == kOutput && option->count() > 0)
      FATHOM_CHECK(checkOutput(option->as<std::string>()));
  for (const CLI::App* sub : app.get_subcommands()) FATHOM_CHECK(checkOutputs(*sub));
  return {};
}

CLI::Validator runAssignment() {
  const auto check = [](const std::string& text) -> std::string {
    const Status status = OptionValues(runSchema()).setText(text);
    return status.ok() ? std::string() : status.error().text();
  };
  return {check, ""};
}

CLI::Option* asAssignment(CLI::Option* option) {
  return option->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void addSet(CLI::App& sub, std::vector<std::string>& assignments) {
  asAssignment(sub.add_option("--set", assignments, "An option on top of the file; may be repeated"))
      ->check(runAssignment());
}

void addStart(CLI::App& sub, std::string& config, std::string& preset) {
  CLI::Option* file = sub.add_option("--config", config, "Configuration or preset file");
  sub.add_option("--preset", preset, "Id of a preset, instead of a file")->excludes(file);
}

void addRun(CLI::App& sub, std::string& run) {
  sub.add_option("--run", run, "Folder of the run")->required();
}

void addCheckpoint(CLI::App& sub, std::string& checkpoint) {
  sub.add_option("--checkpoint", checkpoint, "Name, best, or a folder; otherwise the newest");
}

void addEvents(CLI::App& sub, bool& toStdout) {
  sub.add_option_function<std::string>(
         "--events", [&toStdout](const std::string&) { toStdout = true; },
         "stdout: also print every event as a JSON line")
      ->check(CLI::IsMember({"stdout"}));
}

void addExport(CLI::App& sub, ExportEncoderVerb& said) {
  addRun(sub, said.run);
  addCheckpoint(sub, said.checkpoint);
  written(sub.add_option("--out", said.out, "Folder to create"))->required();
  sub.add_option("--head", said.head, "keep: with the head that was trained; none: encoder and pooler alone")
      ->check(CLI::IsMember({"keep", "none"}));
  sub.add_option("--tokenizer", said.tokenizer,
                 "keep: with tokenizer.json, which cuts texts as the run does; none: weights alone")
      ->check(CLI::IsMember({"keep", "none"}));
}

ExitCode wrongUsage(const Error& error) {
  reportError(error);
  return ExitCode::Usage;
}

}  // namespace fathom
