// SPDX-License-Identifier: Apache-2.0
// import-encoder, export-encoder and fold-admin: encoders from and for other programs.
#include <iostream>

#include "core/engine/engine_verbs.h"
#include "core/nn/models/admin_fold.h"
#include "core/train/encoder_folder.h"
#include "core/train/stored_run.h"

namespace fathom {

namespace {

StoredRun openEncoderRun(const ExportEncoderVerb& verb) {
  StoredRunRequest request;
  request.runPath = verb.run;
  request.checkpoint = verb.checkpoint;
  request.assignments = {"device=cpu"};
  request.inputOnly = true;
  StoredRun stored = openStoredRun(request).value();
  warnOfDamaged(stored.damaged, stored.checkpoint);
  if (stored.options.text("model") != "bert")
    throw Failure(usageError("run " + verb.run + " trained the model " + stored.options.text("model"),
                             "only bert models can be exported"));
  return stored;
}

ExitCode writeExport(const ExportEncoderVerb& verb, const StoredRun& stored, const OptionValues& options,
                     std::map<std::string, torch::Tensor> tensors) {
  const auto sizes = stored.parts.task->sizes();
  EncoderExport encoder{options,
                        sizes.at("vocabulary"),
                        sizes.at("pad_id"),
                        std::move(tensors),
                        stored.parts.task->artifacts(),
                        options.flag("mlm.vocabulary.lower_case")};
  writeHuggingFaceEncoder(encoder, verb.out).value();
  Json json;
  json["format"] = 1;
  json["path"] = verb.out;
  json["checkpoint"] = stored.checkpoint;
  json["tensors"] = encoder.tensors.size();
  std::cout << json.dump(1) << std::endl;
  return ExitCode::Finished;
}

}  // namespace

ExitCode importEncoderVerb(const ImportEncoderVerb& verb) {
  const EncoderWeights weights = readHuggingFaceEncoder(verb.from).value();
  writeImportedEncoder(weights, verb.from, verb.out).value();
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
  std::cout << json.dump(1) << std::endl;
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
    throw Failure(usageError("run " + verb.run + " has the residual scheme " +
                                 stored.options.text("encoder.residual") + ", there is nothing to fold",
                             "export-encoder writes Post-LN models"));
  std::map<std::string, torch::Tensor> tensors = foldAdmin(*stored.parts.model).value();
  OptionValues options = stored.options;
  options.set("encoder.residual", "post_ln").value();
  return writeExport(verb, stored, options, std::move(tensors));
}

}  // namespace fathom
