// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_process.h"
#include "core/engine/engine_verbs.h"

int main(int argc, char** argv) {
  fathom::beginEngineProcess();
  fathom::endEngineProcess(fathom::runEngine(argc, argv));
}
