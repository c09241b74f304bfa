// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/engine_line.h"
#include "core/engine/engine_verbs.h"

namespace fathom {

namespace {

VerbAction declareFoldAdmin(CLI::App& sub) {
  const auto said = std::make_shared<ExportEncoderVerb>();
  addExport(sub, *said);
  return {[said] { return foldAdminVerb(*said); }};
}

}  // namespace

EngineVerb foldAdminLineEntry() {
  return {.name = "fold-admin",
          .help = "Folds a BERT with Admin's omega into Post-LN and exports it",
          .declare = declareFoldAdmin};
}

}  // namespace fathom
