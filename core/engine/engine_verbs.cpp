// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_verbs.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "core/base/errors/error_key.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/number_text.h"
#include "core/base/text/utf8.h"
#include "core/engine/bench/bench_line.h"
#include "core/engine/engine_describe.h"
#include "core/engine/task_help.h"
#include "core/probe/probe_entry.h"
#include "core/record/presets.h"
#include "core/train/loop/training_run.h"
#include "core/train/parts/exception_error.h"
#include "core/train/parts/provenance.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

constexpr std::int64_t kMostPieces = 10'000'000;
constexpr std::int64_t kLongestIdleSeconds = 30 * 24 * 3600;

// A range in words: CLI11's own names the largest double.
CLI::Validator wholeNumber(std::int64_t least, std::int64_t most = INT64_MAX) {
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

// For --set of a run's options: what cannot be right is refused before anything is made.
CLI::Validator runAssignment() {
  const auto check = [](const std::string& text) -> std::string {
    const Status status = OptionValues(runSchema()).setText(text);
    return status.ok() ? std::string() : status.error().text();
  };
  return {check, ""};
}

ExitCode wrongUsage(const Error& error) {
  reportError(error);
  return ExitCode::Usage;
}

RunConfig configOf(const Preset& preset) {
  RunConfig config;
  config.name = preset.title;
  config.preset = preset.id;
  config.options = preset.options;
  return config;
}

Status checkProbeWords(const ProbeVerb& verb) {
  FATHOM_TRY(const ProbeEntry entry, findProbe(verb.analysis));
  FATHOM_TRY(const OptionValues options, probeOptions(entry, verb.assignments));
  return {};
}

// Adds the verbs; each sets `action`, which runs after the whole line was understood.
class EngineLine {
 public:
  EngineLine() : m_app("Trains and uses the models of Fathom.", kProgramName) {
    m_app.set_version_flag("--version", std::string(kProgramName) + " " + programVersion());
    m_app.add_flag("--dry-run", m_dryRun, "Before the verb: only checks the command line");
    m_app.require_subcommand(1);
    m_app.footer(
        "Exit codes: 0 finished, 2 usage (--set included), 10 stopped, 20 diverged,\n"
        "30 bad configuration or data, or something named that cannot be used (absent, in use, no device),\n"
        "40 out of memory, 41 out of device memory, 50 disk, 75 device fault that starting again may mend,\n"
        "1 internal error, 128+n signal n.");
    addDescribe();
    addTrain();
    addResume();
    addEvaluate();
    addPredict();
    addServe();
    addAverage();
    addSample();
    addEncoders();
    addInitReport();
    addExtraLayers();
    addProbe();
    addTrainability();
    addEstimate();
    addBench();
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
      checkOutputs().value();
      if (!m_bench) return static_cast<int>(m_action());
      const Status measured = m_bench();
      return static_cast<int>(measured.ok() ? ExitCode::Finished : reportError(measured.error()));
    } catch (...) {
      const Error error = currentExceptionError();
      if (m_probe.progressLines || m_trainability.progressLines || m_initReport.progressLines ||
          m_estimate.progressLines) {
        Json line;
        writePhrase(line, "error", error.phrase());
        std::cout << jsonText(line) << std::endl;
      }
      return static_cast<int>(reportError(error));
    }
  }

 private:
  // The word number `at` of the line where `app` has no such verb, and those after it in verbs of a verb.
  static std::optional<Error> unknownVerb(const CLI::App& app, int argc, char** argv, int at) {
    const auto verbs = app.get_subcommands(nullptr);
    if (argc <= at || argv[at][0] == '-' || verbs.empty()) return std::nullopt;
    const std::string word = argv[at];
    std::vector<std::string> names;
    for (const CLI::App* sub : verbs) {
      if (sub->check_name(word)) return unknownVerb(*sub, argc, argv, at + 1);
      names.push_back(sub->get_name());
      for (const std::string& alias : sub->get_aliases()) names.push_back(alias);
    }
    std::string line = kProgramName;
    for (int i = 1; i < at; ++i) line += std::string(" ") + argv[i];
    const std::string near = nearestSpelling(word, names);
    return usageError(
        Phrase::tr("there is no verb '%1'")(word),
        near.empty() ? Phrase::tr("see: %1 --help")(line) : Phrase::tr("did you mean '%1'?")(near));
  }
  // What the verb that was asked for does not know; the nearest of what it knows.
  Error unknownWord() const {
    const CLI::App* app = &m_app;
    std::string line = kProgramName;
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
  CLI::App* verb(const char* name, const char* help, std::function<ExitCode()> action) {
    CLI::App* sub = m_app.add_subcommand(name, help);
    sub->callback([this, action = std::move(action)] { m_action = action; });
    return sub;
  }
  // A file or folder that is made: --help calls its value OUTPUT, and the folder that it comes to is looked
  // for before anything is computed (checkOutputs).
  CLI::Option* written(CLI::Option* option) {
    m_written.push_back(option);
    return option->type_name("OUTPUT");
  }
  Status checkOutputs() const {
    for (const CLI::Option* option : m_written) {
      if (option->count() == 0) continue;
      const std::string path = absolutePath(option->as<std::string>());
      const std::string folder = std::filesystem::path(path).parent_path().string();
      FATHOM_TRY(const bool there, isThere(folder));
      if (!there || !folderExists(folder))
        return aboutFile(folder, unavailableError(Phrase::tr("there is no folder %1 for %2")(folder, path),
                                                  Phrase::tr("make it first")));
    }
    return {};
  }
  // One KEY=VALUE each time it is said.
  static CLI::Option* asAssignment(CLI::Option* option) {
    return option->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  }
  static void addSet(CLI::App* sub, std::vector<std::string>& assignments) {
    asAssignment(sub->add_option("--set", assignments, "An option on top of the file; may be repeated"))
        ->check(runAssignment());
  }

  static void addStart(CLI::App* sub, std::string& config, std::string& preset) {
    CLI::Option* file = sub->add_option("--config", config, "Configuration or preset file");
    sub->add_option("--preset", preset, "Id of a preset, instead of a file")->excludes(file);
  }

  void addDescribe() {
    CLI::App* sub =
        verb("describe", "Prints everything there is as JSON", [this] { return describeVerb(m_describe); });
    CLI::Option* model =
        sub->add_option_function<std::string>(
               "--model",
               [this](const std::string& name) {
                 m_describe.model = true;
                 if (!name.empty())
                   m_describe.assignments.insert(m_describe.assignments.begin(), "model=" + name);
               },
               "Print the sizes of the configured model instead, or of this one")
            ->expected(0, 1);
    addStart(sub, m_describe.config, m_describe.preset);
    model->default_str("");
    sub->add_option("--vocabulary", m_describe.vocabulary,
                    "Pieces of a joined vocabulary, with --model; otherwise the preset's")
        ->check(wholeNumber(1, kMostPieces));
    addSet(sub, m_describe.assignments);
  }
  void addTrain() {
    CLI::App* sub = verb("train", "Trains a new run", [this] {
      m_train.eventsToStdout = m_events == "stdout";
      if (m_train.run.empty() && m_train.dump.empty())
        return wrongUsage(usageError(Phrase::tr("train needs --run DIR")));
      return trainVerb(m_train);
    });
    sub->add_option("--config", m_train.config, "Configuration or preset file");
    written(sub->add_option("--run", m_train.run, "Folder to create for the run"));
    sub->add_option("--uuid", m_train.uuid, "Identity of the run");
    sub->add_option("--events", m_events, "stdout: also print every event as a JSON line")
        ->check(CLI::IsMember({"stdout"}));
    sub->add_option("--dump", m_train.dump, "Print the configuration instead of training")
        ->check(CLI::IsMember({"minimal", "effective"}));
    addSet(sub, m_train.assignments);
  }
  void addResume() {
    CLI::App* sub = verb("resume", "Goes on with a run", [this] {
      m_resume.eventsToStdout = m_events == "stdout";
      return resumeVerb(m_resume);
    });
    sub->add_option("--run", m_resume.run, "Folder of the run")->required();
    sub->add_option("--checkpoint", m_resume.checkpoint,
                    "Number of updates, name or best; none starts from the beginning; otherwise the newest");
    sub->add_option("--events", m_events, "stdout: also print every event as a JSON line")
        ->check(CLI::IsMember({"stdout"}));
  }
  void addEvaluate() {
    CLI::App* sub = verb("evaluate", "Loss and scores of a checkpoint, as JSON",
                         [this] { return evaluateVerb(m_evaluate); });
    sub->add_option("--run", m_evaluate.run, "Folder of the run")->required();
    sub->add_option("--checkpoint", m_evaluate.checkpoint, "Name, best, or a folder; otherwise the newest");
    sub->add_option("--split", m_evaluate.split, "validation or test")
        ->check(CLI::IsMember({"validation", "test"}));
    written(
        sub->add_option("--keep", m_evaluate.keep,
                        "Write the outputs to this JSON lines file; otherwise to the run's predictions/"));
    sub->add_flag("--no-set", m_evaluate.noSet, "Store no outputs");
    written(sub->add_option("--submission", m_evaluate.submission,
                            "New folder for the outputs in the files that the task's benchmark takes"));
    addSet(sub, m_evaluate.assignments);
  }
  void addPredict() {
    CLI::App* sub = verb("predict", "Prints what a trained model answers to each line, whatever its task",
                         [this] { return predictVerb(m_predict); });
    sub->alias("translate");
    sub->footer(inputFormsHelp("One line an example; by the task of the run:") + m_app.get_footer());
    sub->add_option("--run", m_predict.run, "Folder of the run")->required();
    sub->add_option("--checkpoint", m_predict.checkpoint, "Name, best, or a folder; otherwise the newest");
    sub->add_option("--input", m_predict.input, "UTF-8 text file, or gzip of one; otherwise stdin");
    written(sub->add_option("--output", m_predict.output, "File to write; otherwise stdout"));
    sub->add_flag("--no-set", m_predict.noSet, "Store no outputs with the run");
    addSet(sub, m_predict.assignments);
  }
  void addServe() {
    CLI::App* sub = verb("serve", "Keeps a model warm and answers on a local socket",
                         [this] { return serveVerb(m_serve); });
    sub->footer(
        inputFormsHelp("An item of a request (docs/serving.md §2) is a line; by the task of the run:") +
        m_app.get_footer());
    sub->add_option("--run", m_serve.run, "Folder of the run")->required();
    sub->add_option("--checkpoint", m_serve.checkpoint, "Name, best, or a folder; otherwise the newest");
    sub->add_option("--socket", m_serve.socket, "Where it listens; otherwise a place for run and checkpoint");
    sub->add_option("--idle-seconds", m_serve.idleSeconds, "Ends after so long without a request")
        ->check(wholeNumber(1, kLongestIdleSeconds));
    addSet(sub, m_serve.assignments);
  }
  void addAverage() {
    CLI::App* sub =
        verb("average", "Averages checkpoints of a run", [this] { return averageVerb(m_average); });
    sub->add_option("--run", m_average.run, "Folder of the run")->required();
    sub->add_option("--last", m_average.last, "How many")->check(wholeNumber(1));
    sub->add_option("--upper-update", m_average.upperUpdate, "Newest update to take")->check(wholeNumber(0));
    sub->add_flag("--epoch-ends", m_average.epochEnds, "Only checkpoints written at the end of an epoch");
    written(sub->add_option("--out", m_average.out, "Folder to write"));
  }
  void addSample() {
    CLI::App* sub =
        verb("sample", "Writes generated data to try a task with", [this] { return sampleVerb(m_sample); });
    sub->footer(sampleFilesHelp() + m_app.get_footer());
    written(sub->add_option("--out", m_sample.out, "Folder to write"))->required();
    auto* task = sub->add_option("--task", m_sample.task, "Which task's; otherwise the first one's")
                     ->check(CLI::IsMember(sampledTasks()));
    sub->add_option("--kind", m_sample.kind,
                    "Other made data; long: WikiHop records whose answers need global tokens, and vocab.txt")
        ->check(CLI::IsMember(madeDataKinds()))
        ->excludes(task);
    sub->add_option("--seed", m_sample.seed, "Another sample");
  }
  void addInitReport() {
    CLI::App* sub = verb("init-report", "What the initialisation gives every tensor",
                         [this] { return initReportVerb(m_initReport); });
    addStart(sub, m_initReport.config, m_initReport.preset);
    sub->add_option("--run", m_initReport.run, "Folder of a run: what was recorded at its start");
    sub->add_option("--vocabulary", m_initReport.vocabulary,
                    "Pieces, for a configuration without data; otherwise the preset's")
        ->check(wholeNumber(1, kMostPieces));
    sub->add_option("--examples", m_initReport.examples,
                    "Training examples that are enough where all of them are looked at; 0: all")
        ->check(wholeNumber(0));
    sub->add_option("--cache", m_initReport.cache,
                    "Folder with the states of frozen encoders (PROJECT/cache): with them all are looked at");
    sub->add_flag("--json", m_initReport.json, "JSON instead of a table");
    sub->add_flag("--progress-lines", m_initReport.progressLines, "Progress as JSON lines on stdout");
    addSet(sub, m_initReport.assignments);
  }
  void addExtraLayers() {
    CLI::App* sub = verb("extra-layers", "Applies extra layers to given features",
                         [this] { return extraLayersVerb(m_extraLayers); });
    sub->add_option("--features", m_extraLayers.features,
                    "Safetensors file: parts [rows, length, width], padding, relations")
        ->required();
    written(sub->add_option("--out", m_extraLayers.out, "Folder to create"))->required();
    sub->add_option("--config", m_extraLayers.config, "Configuration or preset file");
    sub->add_option("--weights", m_extraLayers.weights,
                    "Weights of an earlier call; otherwise the initialisation");
    addSet(sub, m_extraLayers.assignments);
  }
  void addProbe() {
    CLI::App* sub = verb("probe", "Computes an analysis of a checkpoint", [this] {
      if (m_probeExamples)
        m_probe.assignments.insert(m_probe.assignments.begin(),
                                   "examples=" + std::to_string(*m_probeExamples));
      const Status words = checkProbeWords(m_probe);
      return words.ok() ? probeVerb(m_probe) : wrongUsage(words.error());
    });
    sub->add_option("--run", m_probe.run, "Folder of the run")->required();
    sub->add_option("--analysis", m_probe.analysis, "Which one: see describe, entries.probes")->required();
    sub->add_option("--checkpoint", m_probe.checkpoint,
                    "Number of updates, name, best, or init for the weights before the first update; several"
                    " with commas, or all; otherwise the newest")
        ->join(',');
    sub->add_option("--split", m_probe.split, "Data to look at")
        ->check(CLI::IsMember({"train", "validation", "test"}));
    sub->add_option(
           "--examples", m_probeExamples,
           "So many of them, drawn at random, where the analysis looks at a number of examples; 0: all")
        ->check(wholeNumber(0));
    written(sub->add_option("--out", m_probe.out, "Folder for results, for runs that cannot be written to"));
    asAssignment(sub->add_option("--run-set", m_probe.runAssignments,
                                 "An option on top of the run's; may be repeated"))
        ->check(runAssignment());
    sub->add_flag("--progress-lines", m_probe.progressLines, "Progress as JSON lines on stdout");
    asAssignment(sub->add_option("--set", m_probe.assignments, "An option of the analysis; may be repeated"));
  }
  void addTrainability() {
    CLI::App* sub = verb("trainability", "Whether a configuration will learn, before it is trained",
                         [this] { return trainabilityVerb(m_trainability); });
    sub->add_option("--config", m_trainability.config, "Configuration or preset file");
    sub->add_flag("--json", m_trainability.json, "JSON instead of words");
    sub->add_flag("--progress-lines", m_trainability.progressLines, "Progress as JSON lines on stdout");
    addSet(sub, m_trainability.assignments);
  }
  void addEstimate() {
    CLI::App* sub = verb("estimate", "Memory, time and disk of a run, against what there is",
                         [this] { return estimateVerb(m_estimate); });
    sub->add_option("--config", m_estimate.config, "Configuration or preset file");
    sub->add_option("--grid", m_estimate.grid,
                    "JSON file [{\"name\", \"options\"}, …]: the runs of a grid, on top of it");
    sub->add_option("--disk", m_estimate.disk, "Folder on the disk of the run");
    sub->add_option("--seconds", m_estimate.seconds, "So long updates are timed; 0: none")
        ->check(CLI::Range(0.0, 600.0));
    sub->add_option("--data-bytes", m_estimate.dataBytes, "Larger data are not read for it")
        ->check(wholeNumber(0));
    sub->add_flag("--check", m_estimate.check, "Only whether it fits: no data are read, little is measured");
    sub->add_flag("--json", m_estimate.json, "JSON instead of words");
    sub->add_flag("--progress-lines", m_estimate.progressLines, "Progress as JSON lines on stdout");
    addSet(sub, m_estimate.assignments);
  }
  void addBench() {
    CLI::App* bench = m_app.add_subcommand("bench", "Measures");
    bench->require_subcommand(1);
    m_benches.addTo(*bench, m_bench);
  }

  void addEncoders() {
    CLI::App* in = verb("import-encoder", "Reads a Hugging Face BERT or RoBERTa folder",
                        [this] { return importEncoderVerb(m_import); });
    in->add_option(
          "--from", m_import.from,
          "Folder with config.json, model.safetensors or pytorch_model.bin (or their parts), and the "
          "tokenizer's files")
        ->required();
    written(in->add_option("--out", m_import.out, "Folder to create"))->required();
    in->add_flag("--json", m_import.json, "JSON alone, without the words on stderr");
    const auto out = [this](const char* name, const char* help,
                            ExitCode (*action)(const ExportEncoderVerb&)) {
      CLI::App* sub = verb(name, help, [this, action] { return action(m_export); });
      sub->add_option("--run", m_export.run, "Folder of the run")->required();
      sub->add_option("--checkpoint", m_export.checkpoint, "Name, best, or a folder; otherwise the newest");
      written(sub->add_option("--out", m_export.out, "Folder to create"))->required();
    };
    out("export-encoder", "Writes a trained BERT as transformers reads it", exportEncoderVerb);
    out("fold-admin", "Folds a BERT with Admin's omega into Post-LN and exports it", foldAdminVerb);
  }

  CLI::App m_app;
  std::function<ExitCode()> m_action;
  std::function<Status()> m_bench;  // where the verb is one
  std::vector<const CLI::Option*> m_written;
  DescribeVerb m_describe;
  TrainVerb m_train;
  ResumeVerb m_resume;
  EvaluateVerb m_evaluate;
  PredictVerb m_predict;
  ServeVerb m_serve;
  AverageVerb m_average;
  SampleVerb m_sample;
  ImportEncoderVerb m_import;
  ExportEncoderVerb m_export;
  InitReportVerb m_initReport;
  ExtraLayersVerb m_extraLayers;
  ProbeVerb m_probe;
  std::optional<std::int64_t> m_probeExamples;
  TrainabilityVerb m_trainability;
  EstimateVerb m_estimate;
  BenchLine m_benches;
  std::string m_events;
  bool m_dryRun = false;
};

}  // namespace

int runEngine(int argc, char** argv) {
  return EngineLine().run(argc, argv);
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
