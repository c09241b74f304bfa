// SPDX-License-Identifier: Apache-2.0
// evaluate, predict and average: what is done with a trained run; sample: data to train on.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/new_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_text.h"
#include "core/base/lines/line_reader.h"
#include "core/base/options/decoding_keys.h"
#include "core/base/text/text_list.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/execution_judge.h"
#include "core/engine/free_input_predictions.h"
#include "core/engine/training_line.h"
#include "core/record/results/prediction_set.h"
#include "core/train/loop/control_queue.h"
#include "core/train/state/stored_predictions.h"
#include "core/train/state/stored_run.h"

namespace fathom {

namespace {

constexpr std::size_t kLinesAtOnce = 2048;

// Stop signals end the verb; a terminal shows progress.
struct Shell {
  TrainingLine line;
  Progress progress{[this](const ProgressUpdate& update) { line.progress(update); }};
  std::unique_ptr<ControlQueue> control = ControlQueue::open({"", "", false, true}).value();
};

// Whose predictions they are.
PredictionSet setOf(const std::string& run, const std::string& checkpoint, const StoredRun& stored) {
  PredictionSet set = predictionSetOf(run, *stored.parts.entry, stored.options, kPredictDecoding);
  set.checkpoint = stored.checkpoint;
  set.chosen = !checkpoint.empty();
  return set;
}

// A run that cannot be written to is used all the same.
void warnOfNoSet(const Error& error) {
  std::cerr << "warning: the outputs are not stored with the run: " << error.text() << std::endl;
}

// The lines to predict from, as strictly read as those to train on.
class InputLines {
 public:
  // "" is stdin. `limitKey`: the option that says how long a line may be, or "".
  InputLines(const std::string& path, std::int64_t maxLineBytes, const std::string& limitKey)
      : m_name(path.empty() ? "standard input" : path),
        m_limitKey(limitKey),
        m_reader(named(path.empty() ? LineReader::standardInput(maxLineBytes)
                                    : LineReader::open(path, maxLineBytes))) {}

  std::vector<std::string> next(std::size_t most) {
    std::vector<std::string> lines;
    LineReader::Line line;
    while (lines.size() < most && named(m_reader.next(line))) {
      check(line);
      lines.emplace_back(line.text);
    }
    m_read += static_cast<std::int64_t>(lines.size());
    return lines;
  }

  // An error at one of the lines that next() gave last, by index.
  Error errorAt(std::int64_t index, std::size_t lines, const Phrase& message, const Phrase& hint = {}) const {
    return dataErrorAt(m_name, m_read - static_cast<std::int64_t>(lines) + index + 1, message, hint);
  }
  // An error that counts the line among those alone.
  Error placed(const Error& error, std::size_t lines) const {
    if (error.line <= 0 || !error.file.empty()) return error;
    return errorAt(error.line - 1, lines, error.messagePhrase(), error.hintPhrase());
  }
  std::int64_t read() const { return m_read; }

 private:
  template <typename T>
  T named(Result<T> result) const {
    if (result.ok()) return std::move(result).value();
    throw Failure(aboutFile(m_name, result.error()));
  }
  void check(const LineReader::Line& line) const {
    const Phrase fault = m_reader.faultOf(line);
    if (fault.empty()) return;
    Phrase hint;
    if (line.tooLong && !m_limitKey.empty()) hint = Phrase::tr("raise %1 with --set")(m_limitKey);
    if (line.invalidUtf8 != std::string_view::npos)
      hint = Phrase::tr("convert the file to UTF-8, for example with iconv");
    throw Failure(dataErrorAt(m_name, line.number, fault, hint));
  }

  std::string m_name, m_limitKey;
  LineReader m_reader;
  std::int64_t m_read = 0;
};

// Over all lines.
struct Shortened {
  std::string lengthKey;
  std::int64_t cut = 0, leftOut = 0;
  void add(const TextFindings& found) {
    lengthKey = found.lengthKey;
    cut += found.cut;
    leftOut += found.leftOut;
  }
  void warn(const StoredRun& stored, std::int64_t lines) const {
    const std::string of = " of " + std::to_string(lines) + " lines";
    if (cut > 0)
      std::cerr << "warning: " << cut << of << " were cut: they are longer than " << lengthKey << "="
                << stored.options.integer(lengthKey) << " tokens" << std::endl;
    const std::vector<BatchKey>& batch = stored.parts.entry->batch;
    if (leftOut > 0)
      std::cerr << "warning: " << leftOut << of << " have no output: they are longer than a batch"
                << (batch.empty() ? "" : " (" + batch.front().key + ")") << std::endl;
  }
};

// Outputs in the order of the lines, whatever the order of the batches.
std::vector<Prediction> predictLines(const StoredRun& stored, const std::vector<std::string>& lines,
                                     const InputLines& input, Shortened& shortened, const StopToken& stop) {
  TextFindings found;
  const auto batches = stored.parts.task->batchesFromText(lines, &found);
  if (!batches.ok()) throw Failure(input.placed(batches.error(), lines.size()));
  if (!found.withoutBlank.empty())
    throw Failure(input.errorAt(found.withoutBlank.front(), lines.size(), nothingToFill(found)));
  shortened.add(found);
  std::vector<Prediction> ordered;
  for (auto& prediction : predictFree(stored, *stored.parts.objective, *batches, lines.size(), stop))
    ordered.push_back(prediction ? std::move(*prediction) : Prediction());
  return ordered;
}

// The prediction set of free input, while it is read. What fails ends it with one warning.
class InputSet {
 public:
  InputSet(const PredictVerb& verb, const StoredRun& stored) {
    if (verb.noSet) return;
    PredictionSet set = setOf(verb.run, verb.checkpoint, stored);
    set.input = verb.input;
    m_key = set.fields.value("input", "input");
    set.fields = {{"input", m_key}};
    take(PredictionSetWriter::create(verb.run, std::move(set)));
  }
  void add(const std::string& line, const Prediction& prediction) {
    if (!m_writer) return;
    Json json = {{"example", m_next++}, {"prediction", prediction.text}};
    json[m_key] = line;
    json["score"] = jsonReal(prediction.score);
    if (!prediction.details.is_null()) json["details"] = prediction.details;
    check(m_writer->add(json));
  }
  // Finishes the set; without a line that was read there is none.
  void finish() {
    if (m_writer && m_next > 0) check(m_writer->finish());
    m_writer.reset();
  }

 private:
  void take(Result<PredictionSetWriter> made) {
    if (made.ok())
      m_writer.emplace(std::move(made).value());
    else
      warnOfNoSet(made.error());
  }
  void check(const Status& status) {
    if (status.ok()) return;
    warnOfNoSet(status.error());
    m_writer.reset();
  }
  std::optional<PredictionSetWriter> m_writer;
  std::string m_key;
  std::int64_t m_next = 0;
};

// The files a benchmark takes, in a folder that appears in one step.
std::vector<std::string> writeSubmission(const std::string& folder, const Task& task, DataSplit split,
                                         const std::vector<Prediction>& predictions) {
  const std::map<std::string, std::string> files = task.submission(split, predictions).value();
  if (files.empty())
    throw Failure(usageError(Phrase::tr("the task has no files for a benchmark"),
                             Phrase::tr("leave out --submission; --keep writes the outputs")));
  makeNewFolder(folder, [&](const std::string& temporary) -> Status {
    for (const auto& [name, bytes] : files) FATHOM_CHECK(writeFileAtomically(temporary + "/" + name, bytes));
    return {};
  }).value();
  std::vector<std::string> paths;
  for (const auto& [name, bytes] : files) paths.push_back(folder + "/" + name);
  return paths;
}

}  // namespace

ExitCode evaluateVerb(const EvaluateVerb& verb) {
  if (!verb.keep.empty()) prepareNamedFile(verb.keep).value();
  if (!verb.submission.empty()) checkNewFolder(verb.submission).value();
  Shell shell;
  StoredRunRequest request{verb.run, verb.checkpoint, verb.assignments,
                           false,    &shell.progress, shell.control->stop()};
  const StoredRun stored = openStoredRun(request).value();
  warnOfDamaged(stored.damaged, stored.checkpoint);
  EvaluationRequest evaluation;
  evaluation.split = valueOf(kDataSplits, verb.split);
  evaluation.decoding = kPredictDecoding;
  evaluation.progress = &shell.progress;
  evaluation.stop = shell.control->stop();
  Evaluation result = stored.parts.objective->evaluate(*stored.parts.model, *stored.parts.task, evaluation);
  ExecutionJudge judge;
  const auto tell = [&shell](const Phrase& what) { shell.line.message("warning: " + what.english()); };
  addJudgement(&judge, stored.parts, stored.options, evaluation.split, result, {}, tell, evaluation.stop);
  Json json;
  json["format"] = 1;
  json["run"] = verb.run;
  json["checkpoint"] = stored.checkpoint;
  if (!stored.damaged.empty()) json["damaged"] = stored.damaged;
  json["split"] = verb.split;
  json["decoding"] = decodingOf(stored.options, kPredictDecoding);
  for (const auto& [name, value] : result.values) json["values"][name] = jsonReal(value);
  json["scores"] = Json::array();
  for (const TaskScore& score : result.scores) {
    json["scores"].push_back({{"id", score.id},
                              {"title", score.title},
                              {"value", jsonReal(score.value)},
                              {"details", score.details}});
  }
  if (!verb.keep.empty() || !verb.noSet) {
    PredictionSet set = setOf(verb.run, verb.checkpoint, stored);
    set.path = verb.keep;
    const Result<std::string> kept = keepPredictions(verb.run, std::move(set), *stored.parts.task,
                                                     valueOf(kDataSplits, verb.split), result.predictions);
    if (!kept.ok() && !verb.keep.empty()) throw Failure(kept.error());
    json["predictions"] = kept.ok() ? Json(*kept) : Json();
    if (!kept.ok()) warnOfNoSet(kept.error());
  }
  if (!verb.submission.empty())
    json["submission"] = writeSubmission(verb.submission, *stored.parts.task,
                                         valueOf(kDataSplits, verb.split), result.predictions);
  shell.line.message("");
  std::cout << jsonText(json, 1) << std::endl;
  return ExitCode::Finished;
}

ExitCode predictVerb(const PredictVerb& verb) {
  if (!verb.output.empty()) prepareNamedFile(verb.output).value();
  const auto control = ControlQueue::open({"", "", false, true}).value();
  const StoredRun stored =
      openStoredRun({verb.run, verb.checkpoint, verb.assignments, true, nullptr, control->stop()}).value();
  warnOfDamaged(stored.damaged, stored.checkpoint);
  const std::string& lineBytes = stored.parts.entry->data.maxLineBytes;
  InputLines input(verb.input,
                   lineBytes.empty() ? LineReader::kDefaultLineBytes : stored.options.integer(lineBytes),
                   lineBytes);
  if (verb.input.empty() && ::isatty(STDIN_FILENO) == 1 && !stored.parts.entry->inputExample.empty())
    std::cerr << "one line an example, such as: " << stored.parts.entry->inputExample << std::endl;
  InputSet set(verb, stored);
  Shortened shortened;
  std::string all;
  while (true) {
    const std::vector<std::string> lines = input.next(kLinesAtOnce);
    if (lines.empty()) break;
    std::string text;
    const std::vector<Prediction> predictions =
        predictLines(stored, lines, input, shortened, control->stop());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text += predictions[i].text + "\n";
      set.add(lines[i], predictions[i]);
    }
    if (!verb.output.empty()) {
      all += text;
    } else if (!(std::cout << text << std::flush)) {
      break;  // nobody will read the rest
    }
  }
  set.finish();
  shortened.warn(stored, input.read());
  if (!verb.output.empty()) writeNamedFile(verb.output, all).value();
  return ExitCode::Finished;
}

std::vector<std::string> madeDataKinds() {
  std::vector<std::string> kinds;
  for (const TaskEntry& task : taskEntries())
    if (!task.madeData.kind.empty()) kinds.push_back(task.madeData.kind);
  return kinds;
}

namespace {

const TaskEntry& sampledTask(const SampleVerb& verb) {
  if (verb.kind.empty() && verb.task.empty()) return taskEntries().front();
  for (const TaskEntry& task : taskEntries())
    if (verb.kind.empty() ? task.id == verb.task : task.madeData.kind == verb.kind) return task;
  throw Failure(usageError(Phrase::tr("there is no task '%1'")(verb.task), Phrase::tr("see: describe")));
}

}  // namespace

ExitCode sampleVerb(const SampleVerb& verb) {
  if (!fileExists(verb.out)) checkNewFolder(verb.out).value();
  const TaskEntry& task = sampledTask(verb);
  if (task.madeData.write == nullptr)
    throw Failure(usageError(Phrase::tr("task '%1' has no made data")(task.id)));
  const auto write = [&](const std::string& folder) -> Status {
    FATHOM_TRY(const MadeData madeData, task.madeData.write(folder, verb.seed, MadeDataSize::Training));
    return {};
  };
  fillFolder(verb.out, write).value();
  return ExitCode::Finished;
}

ExitCode averageVerb(const AverageVerb& verb) {
  if (!verb.out.empty()) checkNewFolder(verb.out).value();
  const AverageReport report =
      averageCheckpoints({verb.run, verb.last, verb.upperUpdate, verb.epochEnds, verb.out}).value();
  Json json;
  json["format"] = 1;
  json["path"] = report.path;
  json["checkpoints"] = report.names;
  json["enough"] = report.enough;
  if (!report.damaged.empty()) json["damaged"] = report.damaged;
  warnOfDamaged(report.damaged, joined(report.names));
  if (!report.enough) {
    std::cerr << "warning: only " << report.names.size() << " of " << verb.last << " checkpoints exist"
              << std::endl;
  }
  std::cout << jsonText(json, 1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
