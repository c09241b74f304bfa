// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareExportEncoder(CLI::App& sub) {
  const auto said = std::make_shared<ExportEncoderVerb>();
  addExport(sub, *said);
  return {[said] { return exportEncoderVerb(*said); }};
}

}  // namespace

EngineVerb exportEncoderLineEntry() {
  return {.name = "export-encoder",
          .help = "Writes a trained BERT or GPT-2 as transformers reads it",
          .declare = declareExportEncoder};
}

}  // namespace fathom
