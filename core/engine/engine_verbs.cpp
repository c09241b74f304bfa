// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_verbs.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/utf8.h"
#include "core/engine/engine_line.h"
#include "core/record/presets.h"
#include "core/train/loop/training_run.h"
#include "core/train/parts/exception_error.h"
#include "core/train/parts/provenance.h"

namespace fathom {

namespace {

RunConfig configOf(const Preset& preset) {
  RunConfig config;
  config.name = preset.title;
  config.preset = preset.id;
  config.options = preset.options;
  return config;
}

// Adds the verbs; that of the line is run after the whole line was understood.
class EngineLine {
 public:
  EngineLine(const std::string& program, const std::string& about, const std::vector<EngineVerb>& verbs)
      : m_app(about, program) {
    m_app.set_version_flag("--version", program + " " + programVersion());
    m_app.add_flag("--dry-run", m_dryRun, "Before the verb: only checks the command line");
    m_app.require_subcommand(1);
    m_app.footer(
        "Exit codes: 0 finished, 2 usage (--set included), 10 stopped, 20 diverged,\n"
        "30 bad configuration or data, or something named that cannot be used (absent, in use, no device),\n"
        "40 out of memory, 41 out of device memory, 50 disk, 75 device fault that starting again may mend,\n"
        "76 one of several processes of a run lost (may be tried again),\n"
        "1 internal error, 128+n signal n.");
    for (const EngineVerb& verb : verbs) add(verb);
  }

  int run(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
      if (!validUtf8(argv[i]))
        return static_cast<int>(
            wrongUsage(usageError(Phrase::tr("'%1' is not UTF-8")(argv[i]),
                                  Phrase::tr("rename that file or folder, or set the terminal to UTF-8"))));
    if (const auto unknown = unknownVerb(m_app, argc, argv, 1)) return static_cast<int>(wrongUsage(*unknown));
    try {
      m_app.parse(argc, argv);
    } catch (const CLI::ExtrasError&) {
      return static_cast<int>(wrongUsage(unknownWord()));
    } catch (const CLI::ParseError& e) {
      return m_app.exit(e) == 0 ? 0 : static_cast<int>(ExitCode::Usage);
    }
    if (m_dryRun) return 0;
    try {
      checkOutputs(m_app).value();
      return static_cast<int>(m_action.run());
    } catch (...) {
      const Error error = currentExceptionError();
      if (m_action.progressLines && m_action.progressLines()) {
        Json line;
        writePhrase(line, "error", error.phrase());
        std::cout << jsonText(line) << std::endl;
      }
      return static_cast<int>(reportError(error));
    }
  }

 private:
  // The word number `at` of the line where `app` has no such verb, and those after it in verbs of a verb.
  std::optional<Error> unknownVerb(const CLI::App& app, int argc, char** argv, int at) const {
    const auto verbs = app.get_subcommands(nullptr);
    if (argc <= at || argv[at][0] == '-' || verbs.empty()) return std::nullopt;
    const std::string word = argv[at];
    std::vector<std::string> names;
    for (const CLI::App* sub : verbs) {
      if (sub->check_name(word)) return unknownVerb(*sub, argc, argv, at + 1);
      names.push_back(sub->get_name());
      for (const std::string& alias : sub->get_aliases()) names.push_back(alias);
    }
    std::string line = m_app.get_name();
    for (int i = 1; i < at; ++i) line += std::string(" ") + argv[i];
    const std::string near = nearestSpelling(word, names);
    return usageError(
        Phrase::tr("there is no verb '%1'")(word),
        near.empty() ? Phrase::tr("see: %1 --help")(line) : Phrase::tr("did you mean '%1'?")(near));
  }
  // The error for a word that the asked verb does not know; it names the nearest known one.
  Error unknownWord() const {
    const CLI::App* app = &m_app;
    std::string line = m_app.get_name();
    while (!app->get_subcommands().empty()) {
      app = app->get_subcommands().front();
      line += " " + app->get_name();
    }
    const std::vector<std::string> words = m_app.remaining(true);
    const std::string word = words.empty() ? "" : words.front();
    if (!word.starts_with("-")) {
      const bool assigned =
          word.find('=') != std::string::npos && app->get_option_no_throw("--set") != nullptr;
      return usageError(Phrase::tr("'%1' is one word too many for '%2'")(word, line),
                        assigned ? Phrase::tr("say --set before each: --set %1")(word)
                                 : Phrase::tr("see: %1 --help")(line));
    }
    std::vector<std::string> known;
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string near = nearestSpelling(word.substr(0, word.find('=')), known);
    return usageError(
        Phrase::tr("'%1' has no option '%2'")(line, word),
        near.empty() ? Phrase::tr("see: %1 --help")(line) : Phrase::tr("did you mean %1?")(near));
  }
  void add(const EngineVerb& verb) {
    CLI::App* sub = m_app.add_subcommand(verb.name, verb.help);
    sub->callback([this, action = verb.declare(*sub)] { m_action = action; });
  }

  CLI::App m_app;
  VerbAction m_action;
  bool m_dryRun = false;
};

}  // namespace

int runVerbs(const std::string& program, const std::string& about, const std::vector<EngineVerb>& verbs,
             int argc, char** argv) {
  return EngineLine(program, about, verbs).run(argc, argv);
}

int runEngine(int argc, char** argv) {
  return runVerbs(kProgramName, "Trains and uses the models of Fathom.", engineVerbs(), argc, argv);
}

ExitCode reportError(const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.text().c_str());
  return runExitCode(error);
}

void warnOfDamaged(const std::vector<std::string>& damaged, const std::string& used) {
  if (!damaged.empty() && ::isatty(STDERR_FILENO) == 1)
    std::fprintf(stderr, "\n");  // a line of progress ends
  for (const std::string& name : damaged) {
    std::fprintf(stderr, "warning: checkpoint %s is damaged and was passed over; used: %s\n", name.c_str(),
                 used.c_str());
  }
}

Result<RunConfig> readConfigOrPreset(const std::string& path) {
  if (path.empty()) return RunConfig{};
  FATHOM_TRY(Json json, readJsonFile(path));
  if (!json.is_object() || !json.contains("id") || json.contains("preset"))
    return runConfigFromJson(json, path);
  Json config;
  config["format"] = json.value("format", Json());
  config["name"] = json.value("title", "");
  config["preset"] = json["id"];
  FATHOM_TRY(config["options"], presetOptions(json, path));
  return runConfigFromJson(config, path);
}

Result<StartingPoint> startingPoint(const std::string& file, const std::string& preset,
                                    std::int64_t vocabulary) {
  StartingPoint start;
  start.from = file;
  if (preset.empty()) {
    FATHOM_TRY(start.config, readConfigOrPreset(file));
  } else {
    FATHOM_TRY(const Preset found, findPreset(preset));
    start.config = configOf(found);
    start.from = "preset " + preset;
    start.vocabulary = found.vocabulary;
  }
  if (vocabulary > 0 || start.vocabulary == 0)
    start.vocabulary = vocabulary > 0 ? vocabulary : kUsualVocabulary;
  return start;
}

}  // namespace fathom
