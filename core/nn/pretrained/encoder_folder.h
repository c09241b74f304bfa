// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/json/json_members.h"
#include "core/nn/models/model.h"

namespace fathom {

// A pre-trained BERT, RoBERTa or GPT-2 in our terms.
struct EncoderWeights {
  std::string kind;               // "bert", "roberta" or "gpt2"
  Json options = Json::object();  // architecture: our option keys and values
  std::int64_t vocabulary = 0, padId = 0;
  std::map<std::string, torch::Tensor> tensors;  // our names, on the CPU, number format of the file
  std::vector<std::string> ignored;              // names in the file that a model of ours has no place for
  std::vector<std::string> files;                // that were read
  std::string file;                              // that holds them, or the index of its parts
  std::string run, checkpoint;                   // of a run of ours: its UUID and the folder's name

  // "etc" for a run of ETC, "causal_decoder" for GPT-2, otherwise "bert".
  std::string model() const { return memberText(options, "model", "bert"); }
  bool causal() const;  // a decoder alone, whose texts run on
};

// A Hugging Face folder: config.json and model.safetensors, or pytorch_model.bin through the inert reader, or
// the parts that an index of either names.
// Prefix `bert.`, `roberta.`, `transformer.` or none; old names gamma and beta; tied copies must equal what
// they are tied to. Every error names the file: missing tensor, another shape than config.json says, unknown
// architecture or activation.
Result<EncoderWeights> readHuggingFaceEncoder(const std::string& folder);

// The options with which a task reads text as the encoder does, from {"kind": "wordpiece", "byte_bpe" or
// "model", "file", "merges", "lower_case", "next_sentence": whether the weights were trained on pairs,
// "longest": of a text that runs on}; members that are not known are not there.
using EncoderTaskOptions = std::function<Json(const Json& vocabulary)>;

// What goes with the weights: files by name, and how they are read, as EncoderTaskOptions takes it, with the
// names of the files.
struct EncoderVocabulary {
  std::map<std::string, std::string> files;
  Json options = Json::object();
  std::int64_t pieces = 0;  // kept beside the weights; 0: not known
};

// Our own form of it: config.json (a run configuration whose options hold the architecture,
// model.bert.weights or model.causal_decoder.weights = the folder, and what `task` says), model.safetensors
// under our names, the vocabulary if there was one. The folder must not exist; it appears in one step.
Status writeImportedEncoder(const EncoderWeights& weights, const EncoderVocabulary& vocabulary,
                            const std::string& folder, const EncoderTaskOptions& task);
// Reads such a folder, a Hugging Face one, or a run of ours (run_encoder.h).
Result<EncoderWeights> readEncoder(const std::string& folder);

// Which parameter came from where.
struct WeightsTaken {
  std::string from;                            // the folder that was named
  std::string run, checkpoint;                 // of a run of ours
  std::map<std::string, std::string> sources;  // parameter -> tensor of the weights, "" made anew
  std::vector<std::string> kept;               // parameters with their initial values
  std::vector<std::string> unused;             // tensors that nobody took
  // {"from", "run", "checkpoint", "sources", "unused"}, for the report of an initialisation.
  Json toJson() const;
};

// Copies what the model has of them: tables, encoder and pooler must all be there with equal shapes; heads
// are taken where both have them. Data error naming the tensor; a token table of another size says so in
// words. RoBERTa knows one kind of segment: in a model of more the table starts anew, N(0, 0.02²) from `seed`
// (DT-Fixup's released code). A model of two streams takes the weights of one as lifting.h says.
Result<WeightsTaken> loadEncoderWeights(Model& model, const EncoderWeights& weights, std::uint64_t seed = 1);

// The one hook of whoever starts a model: where its options name pre-trained weights (model.bert.weights,
// model.etc.weights, model.causal_decoder.weights), fills it from them; otherwise nothing. Beside
// loadEncoderWeights' errors: data errors naming option and value where heads, or for a run and for lifting
// residual scheme and activation, are others than those of the weights: names and shapes would agree, the
// function would not. Score chains may differ.
Result<std::optional<WeightsTaken>> loadPretrained(const OptionValues& options, Model& model);

// How many rows more than its vocabulary has pieces a token table may have: tables are padded, or made for a
// larger vocabulary than the one that is left. More belong to another vocabulary.
std::int64_t mostSpareRows(std::int64_t pieces);

// Rows of the token table of the weights that the options name, told by the heads of their files, for a
// vocabulary of `pieces`; 0 where they name none, where another vocabulary must be meant, or the weights
// cannot be read: whoever loads them says why. The vocabulary that came with the weights may leave
// mostSpareRows; another one no more than padding.
std::int64_t pretrainedTokenRows(const OptionValues& options, std::int64_t pieces);

// A trained encoder or decoder alone for another program. Facts that are read: vocabulary, pad_id, number,
// eos_id.
struct EncoderExport {
  const OptionValues& options;  // of the run: architecture
  ModelInputs inputs;
  std::map<std::string, torch::Tensor> tensors;        // our names
  std::map<std::string, std::string> vocabularyFiles;  // name -> bytes, written beside
  bool head = true;                                    // with the run's head; false: encoder and pooler alone
  std::vector<std::string> labels = {};                // names of the classes, by their number
};
// A folder that `transformers` loads with equal outputs, under the name of the class that has the head:
// logits of heads for classes, choices, spans and next words are equal, too. Usage error naming what it
// cannot express: another model than BERT and the decoder alone, a residual scheme other than Post-LN (Admin:
// fold it first) or, of GPT-2, Pre-LN, score chains, extra layers, no norm on the input, a head that reads
// the first token's state.
Status writeHuggingFaceEncoder(const EncoderExport& encoder, const std::string& folder);
// The class of transformers that reads it: "BertForSequenceClassification".
std::string exportedArchitecture(const EncoderExport& encoder);
// Tokens of the longest row that its table of positions has places for.
std::int64_t longestRow(const OptionValues& options, const ModelInputs& inputs);
// The head that is written with it: "none" where it is left out.
std::string exportedHeadWord(const EncoderExport& encoder);
// True if the model of these options is a decoder alone.
bool isDecoderAlone(const OptionValues& options);
// An error for a model that cannot be written at all, before a run is opened for it.
Status checkHasClass(const OptionValues& options);

}  // namespace fathom
