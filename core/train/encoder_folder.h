// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/nn/models/model.h"

namespace fathom {

// A pre-trained BERT or RoBERTa in our terms.
struct EncoderWeights {
  std::string kind;               // "bert" or "roberta"
  Json options = Json::object();  // architecture: our option keys and values
  std::int64_t vocabulary = 0, padId = 0;
  std::map<std::string, torch::Tensor> tensors;  // our names, on the CPU, number format of the file
  std::vector<std::string> ignored;              // names in the file that a model of ours has no place for
};

// A Hugging Face folder: config.json and model.safetensors, or pytorch_model.bin through the inert reader.
// Prefix `bert.`, `roberta.` or none; old names gamma and beta; tied copies must equal what they are tied to.
// Every error names the file: missing tensor, another shape than config.json says, unknown architecture or
// activation.
Result<EncoderWeights> readHuggingFaceEncoder(const std::string& folder);

// Our own form of it: config.json (a run configuration whose options hold the architecture and
// model.bert.weights = the folder), model.safetensors under our names, vocab.txt if there was one. The folder
// must not exist; it appears in one step.
Status writeImportedEncoder(const EncoderWeights& weights, const std::string& from,
                            const std::string& folder);
// Reads such a folder, or a Hugging Face one.
Result<EncoderWeights> readEncoder(const std::string& folder);

// Copies what the model has of them: tables, encoder and pooler must all be there with equal shapes; heads
// are taken where both have them. Data error naming the tensor; a token table of another size says so in
// words. Returns the names that kept their initial values.
Result<std::vector<std::string>> loadEncoderWeights(Model& model, const EncoderWeights& weights);

// What an exported folder needs beside the weights.
struct EncoderExport {
  const OptionValues& options;  // of the run: architecture
  std::int64_t vocabulary = 0, padId = 0;
  std::map<std::string, torch::Tensor> tensors;        // our names
  std::map<std::string, std::string> vocabularyFiles;  // name -> bytes, copied beside
  bool lowerCase = true;
};
// A folder that `transformers` loads with equal outputs. Usage error naming what it cannot express: a
// residual scheme other than Post-LN (Admin: fold it first), score chains, extra layers, no norm on the
// input.
Status writeHuggingFaceEncoder(const EncoderExport& encoder, const std::string& folder);

}  // namespace fathom
