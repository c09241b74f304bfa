// SPDX-License-Identifier: Apache-2.0
// evaluate, predict and average: what is done with a trained run; sample: data to train on.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/training_line.h"
#include "core/tasks/line_reader.h"
#include "core/tasks/nmt/nmt_sample.h"
#include "core/train/control_queue.h"
#include "core/train/new_folder.h"
#include "core/train/stored_run.h"

namespace fathom {

namespace {

constexpr std::size_t kLinesAtOnce = 2048;

// Stop signals end the verb; a terminal shows progress.
struct Shell {
  TrainingLine line;
  Progress progress{[this](const ProgressUpdate& update) { line.progress(update); }};
  std::unique_ptr<ControlQueue> control = ControlQueue::open({"", "", false, true}).value();
};

DataSplit splitOf(const std::string& name) {
  return name == "test" ? DataSplit::Test : DataSplit::Validation;
}

// How texts were decoded: the run's own validation may do it otherwise (validation.*), and scores then
// differ.
Json decodingOf(const OptionValues& options) {
  Json decoding = Json::object();
  for (const OptionField& field : options.schema().fields())
    if (field.key.starts_with("predict.") && options.active(field.key))
      decoding[field.key] = options.value(field.key);
  return decoding;
}

Status keepPredictions(const EvaluateVerb& verb, const StoredRun& stored, const Evaluation& evaluation) {
  Json head;
  head["format"] = 1;
  head["uuid"] = makeUuid();
  head["run"] = verb.run;
  head["checkpoint"] = stored.checkpoint;
  head["split"] = verb.split;
  head["decoding"] = decodingOf(stored.options);
  std::string text = head.dump() + "\n";
  for (const Prediction& prediction : evaluation.predictions) {
    Json line;
    line["example"] = prediction.example.value;
    for (const auto& [name, value] : stored.parts.task->exampleTexts(splitOf(verb.split), prediction.example))
      line[name == "target" ? "reference" : name] = value;
    line["prediction"] = prediction.text;
    line["score"] = jsonReal(prediction.score);
    text += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return writeNamedFile(verb.keep, text);
}

// The lines to predict from, as strictly read as those to train on.
class InputLines {
 public:
  // "" is stdin.
  InputLines(const std::string& path, std::int64_t maxLineBytes)
      : m_name(path.empty() ? "standard input" : path),
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

  // Of the lines that next() gave last, by index.
  Error errorAt(std::int64_t index, std::size_t lines, const std::string& message) const {
    return dataErrorAt(m_name, m_read - static_cast<std::int64_t>(lines) + index + 1, message);
  }
  std::int64_t read() const { return m_read; }

 private:
  template <typename T>
  T named(Result<T> result) const {
    if (result.ok()) return std::move(result).value();
    Error error = result.error();
    error.file = m_name;
    throw Failure(error);
  }
  void check(const LineReader::Line& line) const {
    if (line.tooLong)
      throw Failure(
          dataErrorAt(m_name, line.number, "the line is too long", "raise data.max_line_bytes with --set"));
    if (line.hasNul) throw Failure(dataErrorAt(m_name, line.number, "the line holds a NUL byte"));
    if (line.invalidUtf8 != std::string_view::npos)
      throw Failure(dataErrorAt(m_name, line.number,
                                "not UTF-8 at byte " + std::to_string(line.invalidUtf8 + 1) + " of the line",
                                "convert the file to UTF-8, for example with iconv"));
  }

  std::string m_name;
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
    if (leftOut > 0)
      std::cerr << "warning: " << leftOut << of << " have no output: they are longer than a batch"
                << " (batch.max_tokens)" << std::endl;
  }
};

// Outputs in the order of the lines, whatever the order of the batches.
std::vector<std::string> predictLines(const StoredRun& stored, const std::vector<std::string>& lines,
                                      const InputLines& input, Shortened& shortened, const StopToken& stop) {
  const torch::NoGradGuard noGrad;
  std::vector<Prediction> predictions;
  TextFindings found;
  const std::vector<HostBatch> batches = stored.parts.task->batchesFromText(lines, &found).value();
  if (!found.withoutBlank.empty())
    throw Failure(input.errorAt(found.withoutBlank.front(), lines.size(),
                                "there is no " + found.blank + " to fill" +
                                    (found.cut > 0 ? " within " + found.lengthKey + " tokens" : "")));
  shortened.add(found);
  for (const HostBatch& batch : batches) {
    for (Prediction& prediction : stored.parts.objective->predict(
             *stored.parts.model, toDevice(batch, stored.parts.device), "predict", stop))
      predictions.push_back(std::move(prediction));
  }
  stored.parts.task->complete(predictions);
  std::vector<std::string> texts(lines.size());
  for (const Prediction& prediction : predictions)
    texts.at(static_cast<std::size_t>(prediction.example.value)) = prediction.text;
  return texts;
}

}  // namespace

ExitCode evaluateVerb(const EvaluateVerb& verb) {
  Shell shell;
  StoredRunRequest request{verb.run, verb.checkpoint, verb.assignments,
                           false,    &shell.progress, shell.control->stop()};
  const StoredRun stored = openStoredRun(request).value();
  warnOfDamaged(stored.damaged, stored.checkpoint);
  EvaluationRequest evaluation;
  evaluation.split = splitOf(verb.split);
  evaluation.decoding = "predict";
  evaluation.progress = &shell.progress;
  evaluation.stop = shell.control->stop();
  const Evaluation result =
      stored.parts.objective->evaluate(*stored.parts.model, *stored.parts.task, evaluation);
  Json json;
  json["format"] = 1;
  json["run"] = verb.run;
  json["checkpoint"] = stored.checkpoint;
  if (!stored.damaged.empty()) json["damaged"] = stored.damaged;
  json["split"] = verb.split;
  json["decoding"] = decodingOf(stored.options);
  for (const auto& [name, value] : result.values) json["values"][name] = jsonReal(value);
  json["scores"] = Json::array();
  for (const TaskScore& score : result.scores) {
    json["scores"].push_back({{"id", score.id},
                              {"title", score.title},
                              {"value", jsonReal(score.value)},
                              {"details", score.details}});
  }
  if (!verb.keep.empty()) keepPredictions(verb, stored, result).value();
  shell.line.message("");
  std::cout << json.dump(1) << std::endl;
  return ExitCode::Finished;
}

ExitCode predictVerb(const PredictVerb& verb) {
  const auto control = ControlQueue::open({"", "", false, true}).value();
  const StoredRun stored =
      openStoredRun({verb.run, verb.checkpoint, verb.assignments, true, nullptr, control->stop()}).value();
  warnOfDamaged(stored.damaged, stored.checkpoint);
  InputLines input(verb.input, stored.options.integer("data.max_line_bytes"));
  Shortened shortened;
  std::string all;
  while (true) {
    const std::vector<std::string> lines = input.next(kLinesAtOnce);
    if (lines.empty()) break;
    std::string text;
    for (const std::string& line : predictLines(stored, lines, input, shortened, control->stop()))
      text += line + "\n";
    if (!verb.output.empty()) {
      all += text;
    } else if (!(std::cout << text << std::flush)) {
      break;  // nobody will read the rest
    }
  }
  shortened.warn(stored, input.read());
  if (!verb.output.empty()) writeNamedFile(verb.output, all).value();
  return ExitCode::Finished;
}

ExitCode sampleVerb(const SampleVerb& verb) {
  const auto write = [&](const std::string& folder) { return writeNmtSample(folder, verb.seed); };
  std::error_code code;
  const bool isThere = std::filesystem::exists(verb.out, code);
  (isThere ? write(verb.out) : makeNewFolder(verb.out, write)).value();
  return ExitCode::Finished;
}

ExitCode averageVerb(const AverageVerb& verb) {
  const AverageReport report =
      averageCheckpoints({verb.run, verb.last, verb.upperUpdate, verb.epochEnds, verb.out}).value();
  Json json;
  json["format"] = 1;
  json["path"] = report.path;
  json["checkpoints"] = report.names;
  json["enough"] = report.enough;
  if (!report.damaged.empty()) json["damaged"] = report.damaged;
  std::string used;
  for (const std::string& name : report.names) used += (used.empty() ? "" : ", ") + name;
  warnOfDamaged(report.damaged, used);
  if (!report.enough) {
    std::cerr << "warning: only " << report.names.size() << " of " << verb.last << " checkpoints exist"
              << std::endl;
  }
  std::cout << json.dump(1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace fathom
