// SPDX-License-Identifier: Apache-2.0
// import-encoder, export-encoder and fold-admin: encoders from and for other programs.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "core/base/files/new_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_text.h"
#include "core/base/text/text_list.h"
#include "core/engine/engine_verbs.h"
#include "core/nn/models/admin_fold.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/nn/pretrained/option_names.h"
#include "core/tasks/encoder_vocabulary.h"
#include "core/tasks/exported_vocabulary.h"
#include "core/train/parts/run_options.h"
#include "core/train/state/stored_run.h"

namespace fathom {

namespace {

constexpr const char* kLeftOut = "none";

// The texts of a decoder alone run on.
TextForm formOf(bool causal) {
  return causal ? TextForm::Running : TextForm::Rows;
}

StoredRun openEncoderRun(const ExportEncoderVerb& verb) {
  checkNewFolder(verb.out).value();
  StoredRunRequest request;
  request.runPath = verb.run;
  request.checkpoint = verb.checkpoint;
  request.assignments = {"device=cpu"};
  request.inputOnly = true;
  StoredRun stored = openStoredRun(request).value();
  warnOfDamaged(stored.damaged, stored.checkpoint);
  if (const Status status = checkHasClass(stored.options); !status)
    throw Failure(
        usageError(Phrase::tr("run %1 trained the model %2")(verb.run, stored.options.text("model")),
                   status.error().hintPhrase()));
  return stored;
}

// Names of the classes, as the task writes its predictions.
std::vector<std::string> labelsOf(const Task& task, const std::map<std::string, torch::Tensor>& tensors) {
  const auto head = tensors.find("classification.weight");
  if (head == tensors.end() || ModelInputs(task.sizes()).value("number", 0) != 0) return {};
  std::vector<Prediction> each(static_cast<std::size_t>(head->second.size(0)));
  for (std::size_t id = 0; id < each.size(); ++id) each[id].ids = {static_cast<std::int64_t>(id)};
  task.complete(each);
  std::vector<std::string> labels;
  for (const Prediction& one : each) labels.push_back(one.text);
  return labels;
}

// Notes that a reader of the folder has to know.
std::vector<Phrase> exportNotes(const EncoderExport& encoder, const ExportedVocabulary& vocabulary) {
  std::vector<Phrase> notes = vocabulary.notes;
  if (vocabulary.files.empty())
    notes.push_back(
        Phrase::tr("Without a tokenizer: texts have to be cut by other means, to the run's ids."));
  if (!encoder.head && !isDecoderAlone(encoder.options) && !encoder.tensors.contains("pooler.weight"))
    notes.push_back(
        Phrase::tr("The run has no pooler: transformers makes a new one, so read last_hidden_state, not "
                   "pooler_output."));
  return notes;
}

ExitCode writeExport(const ExportEncoderVerb& verb, const StoredRun& stored, const OptionValues& options,
                     std::map<std::string, torch::Tensor> tensors) {
  const Task& task = *stored.parts.task;
  const ModelInputs inputs(task.modelSizes());
  ExportedVocabulary vocabulary;
  if (verb.tokenizer != kLeftOut)
    vocabulary = exportedVocabulary(task.artifacts(), task.modelSizes(), longestRow(options, inputs),
                                    formOf(isDecoderAlone(options)))
                     .value();
  const std::vector<std::string> labels = labelsOf(task, tensors);
  const EncoderExport encoder{options, inputs, std::move(tensors), vocabulary.files, verb.head != kLeftOut,
                              labels};
  writeHuggingFaceEncoder(encoder, verb.out).value();
  Json json;
  json["format"] = 1;
  json["path"] = verb.out;
  json["checkpoint"] = stored.checkpoint;
  json["tensors"] = encoder.tensors.size();
  json["architecture"] = exportedArchitecture(encoder);
  json["head"] = exportedHeadWord(encoder);
  json["tokenizer"] = Json::array();
  for (const auto& [name, bytes] : vocabulary.files) json["tokenizer"].push_back(name);
  json["notes"] = Json::array();
  for (const Phrase& note : exportNotes(encoder, vocabulary)) {
    json["notes"].push_back(note.english());
    std::cerr << note.english() << std::endl;
  }
  std::cout << jsonText(json, 1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace

namespace {

// Files of the folder that nobody read.
std::vector<std::string> filesLeft(const std::string& folder, const EncoderWeights& weights,
                                   const ImportedVocabulary& vocabulary) {
  std::set<std::string> used(vocabulary.used.begin(), vocabulary.used.end());
  for (const std::string& path : weights.files) used.insert(std::filesystem::path(path).filename().string());
  std::vector<std::string> left;
  for (const auto& entry : contentsOf(folder).value()) {
    const std::string name = entry.path().filename().string();
    if (std::error_code code; entry.is_regular_file(code) && !used.contains(name)) left.push_back(name);
  }
  std::sort(left.begin(), left.end());
  return left;
}

// The token table has a row for every piece; more of them are kept, and runs train with them.
Phrase checkRows(const EncoderWeights& weights, std::int64_t pieces) {
  const std::int64_t spare = weights.vocabulary - pieces;
  if (spare < 0)
    throw Failure(dataErrorAt(
        weights.file, 0,
        Phrase::tr("the vocabulary has %1 pieces, the token table %2 rows")(pieces, weights.vocabulary),
        Phrase::tr("use the vocabulary that belongs to the weights")));
  if (spare > mostSpareRows(pieces))
    throw Failure(dataErrorAt(
        weights.file, 0,
        Phrase::tr(
            "the vocabulary has %1 pieces, the token table %2 rows: %3 are left over, at most %4 are kept")(
            pieces, weights.vocabulary, spare, mostSpareRows(pieces)),
        Phrase::tr("use the vocabulary that belongs to the weights, or cut the table to its pieces")));
  return spare == 0 ? Phrase()
                    : Phrase::tr(
                          "The token table has %1 rows, the vocabulary %2 pieces: %3 rows are kept and used "
                          "by nobody.")(weights.vocabulary, pieces, spare);
}

// On stderr, each once: stdout is JSON.
void sayLeftOut(const Json& json) {
  const auto say = [](const Phrase::Text& words, const Json& list) {
    if (list.empty()) return;
    const std::string all = joined(list, ", ", [](const Json& one) { return one.get<std::string>(); });
    std::cerr << words(all).english() << std::endl;
  };
  for (const Json& note : json["notes"]) std::cerr << note.get<std::string>() << std::endl;
  say(Phrase::tr("not taken, tensors without a place: %1"), json["ignored"]);
  say(Phrase::tr("not read, members that say nothing about pieces or are unknown: %1"), json["passed_over"]);
  say(Phrase::tr("not read, files: %1"), json["files_left"]);
}

// The first task that goes on with such weights; with a decoder alone the one whose rules let its model pass.
const TaskEntry& taskFor(const EncoderWeights& weights) {
  const Json told = {{"longest", weights.options.value(kCausalRows, Json())}};
  for (const TaskEntry& entry : taskEntries()) {
    if (entry.encoderOptions == nullptr) continue;
    if (!weights.causal()) return entry;
    RunConfig config;
    config.options = weights.options;
    config.options.update(entry.encoderOptions(told));
    if (runOptions(config, weights.file, {}).ok()) return entry;
  }
  throw Failure(internalError("no task goes on with such weights"));
}

}  // namespace

ExitCode importEncoderVerb(const ImportEncoderVerb& verb) {
  checkNewFolder(verb.out).value();
  const EncoderWeights weights = readHuggingFaceEncoder(verb.from).value();
  ImportedVocabulary vocabulary = importedVocabulary(verb.from, formOf(weights.causal())).value();
  if (vocabulary.pieces > 0)
    if (Phrase spare = checkRows(weights, vocabulary.pieces); !spare.empty())
      vocabulary.notes.push_back(std::move(spare));
  writeImportedEncoder(weights, {vocabulary.files, vocabulary.options, vocabulary.pieces}, verb.out,
                       taskFor(weights).encoderOptions)
      .value();
  std::int64_t parameters = 0;
  for (const auto& [name, tensor] : weights.tensors) parameters += tensor.numel();
  Json json;
  json["format"] = 1;
  json["path"] = verb.out;
  json["kind"] = weights.kind;
  json["vocabulary"] = weights.vocabulary;
  json["parameters"] = parameters;
  json["options"] = weights.options;
  if (vocabulary.pieces > 0) json["pieces"] = vocabulary.pieces;
  json["tokenizer"] = vocabulary.options;
  json["added_tokens"] = vocabulary.added;
  json["ignored"] = weights.ignored;
  json["passed_over"] = vocabulary.passedOver;
  json["files_left"] = filesLeft(verb.from, weights, vocabulary);
  json["notes"] = Json::array();
  for (const Phrase& note : vocabulary.notes) json["notes"].push_back(note.english());
  if (!verb.json) sayLeftOut(json);
  std::cout << jsonText(json, 1) << std::endl;
  return ExitCode::Finished;
}

ExitCode exportEncoderVerb(const ExportEncoderVerb& verb) {
  const StoredRun stored = openEncoderRun(verb);
  std::map<std::string, torch::Tensor> tensors;
  for (auto& [name, tensor] : stored.parts.model->parameters().state()) tensors.emplace(name, tensor);
  return writeExport(verb, stored, stored.options, std::move(tensors));
}

ExitCode foldAdminVerb(const ExportEncoderVerb& verb) {
  const StoredRun stored = openEncoderRun(verb);
  if (isDecoderAlone(stored.options))
    throw Failure(usageError(
        Phrase::tr("run %1 trained the model %2")(verb.run, stored.options.text("model")),
        Phrase::tr("fold-admin makes Post-LN models of Admin encoders, and their GPT-2 is Pre-LN")));
  const std::string residual = stored.options.text("encoder.residual");
  if (residual != "admin")
    throw Failure(usageError(
        Phrase::tr("run %1 has the residual scheme %2, there is nothing to fold")(verb.run, residual),
        Phrase::tr("export-encoder writes Post-LN models")));
  std::map<std::string, torch::Tensor> tensors = foldAdmin(*stored.parts.model).value();
  OptionValues options = stored.options;
  options.set("encoder.residual", "post_ln").value();
  return writeExport(verb, stored, options, std::move(tensors));
}

}  // namespace fathom
