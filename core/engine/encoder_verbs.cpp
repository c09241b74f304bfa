// SPDX-License-Identifier: Apache-2.0
// import-encoder, export-encoder and fold-admin: encoders from and for other programs.
#include <algorithm>
#include <iostream>

#include "core/base/files/new_folder.h"
#include "core/base/json/json_text.h"
#include "core/engine/engine_verbs.h"
#include "core/nn/models/admin_fold.h"
#include "core/nn/pretrained/encoder_folder.h"
#include "core/train/state/stored_run.h"

namespace fathom {

namespace {

StoredRun openEncoderRun(const ExportEncoderVerb& verb) {
  checkNewFolder(verb.out).value();
  StoredRunRequest request;
  request.runPath = verb.run;
  request.checkpoint = verb.checkpoint;
  request.assignments = {"device=cpu"};
  request.inputOnly = true;
  StoredRun stored = openStoredRun(request).value();
  warnOfDamaged(stored.damaged, stored.checkpoint);
  if (const Status status = checkIsEncoder(stored.options); !status)
    throw Failure(
        usageError(Phrase::tr("run %1 trained the model %2")(verb.run, stored.options.text("model")),
                   status.error().hintPhrase()));
  return stored;
}

ExitCode writeExport(const ExportEncoderVerb& verb, const StoredRun& stored, const OptionValues& options,
                     std::map<std::string, torch::Tensor> tensors) {
  const Task& task = *stored.parts.task;
  const EncoderExport encoder{options, ModelInputs(task.modelSizes()), std::move(tensors), task.artifacts()};
  writeHuggingFaceEncoder(encoder, verb.out).value();
  Json json;
  json["format"] = 1;
  json["path"] = verb.out;
  json["checkpoint"] = stored.checkpoint;
  json["tensors"] = encoder.tensors.size();
  std::cout << jsonText(json, 1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace

ExitCode importEncoderVerb(const ImportEncoderVerb& verb) {
  checkNewFolder(verb.out).value();
  const EncoderWeights weights = readHuggingFaceEncoder(verb.from).value();
  const auto& tasks = taskEntries();
  const auto task = std::find_if(tasks.begin(), tasks.end(),
                                 [](const TaskEntry& entry) { return entry.encoderOptions != nullptr; });
  if (task == tasks.end()) throw Failure(internalError("no task goes on with a pre-trained encoder"));
  writeImportedEncoder(weights, verb.from, verb.out, task->encoderOptions).value();
  std::int64_t parameters = 0;
  for (const auto& [name, tensor] : weights.tensors) parameters += tensor.numel();
  Json json;
  json["format"] = 1;
  json["path"] = verb.out;
  json["kind"] = weights.kind;
  json["vocabulary"] = weights.vocabulary;
  json["parameters"] = parameters;
  json["options"] = weights.options;
  json["ignored"] = weights.ignored;
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
  if (stored.options.text("encoder.residual") != "admin")
    throw Failure(usageError(Phrase::tr("run %1 has the residual scheme %2, there is nothing to fold")(
                                 verb.run, stored.options.text("encoder.residual")),
                             Phrase::tr("export-encoder writes Post-LN models")));
  std::map<std::string, torch::Tensor> tensors = foldAdmin(*stored.parts.model).value();
  OptionValues options = stored.options;
  options.set("encoder.residual", "post_ln").value();
  return writeExport(verb, stored, options, std::move(tensors));
}

}  // namespace fathom
