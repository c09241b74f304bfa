// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareImportEncoder(CLI::App& sub) {
  const auto said = std::make_shared<ImportEncoderVerb>();
  sub.add_option("--from", said->from,
                 "Folder with config.json, model.safetensors or pytorch_model.bin (or their parts), and the "
                 "tokenizer's files")
      ->required();
  written(sub.add_option("--out", said->out, "Folder to create"))->required();
  sub.add_flag("--json", said->json, "JSON alone, without the words on stderr");
  return {[said] { return importEncoderVerb(*said); }};
}

}  // namespace

EngineVerb importEncoderLineEntry() {
  return {.name = "import-encoder",
          .help = "Reads a Hugging Face BERT, RoBERTa or GPT-2 folder",
          .declare = declareImportEncoder};
}

}  // namespace fathom
