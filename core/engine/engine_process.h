// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// The frame around a program that computes with torch: first in its main(). A program that has it starts
// itself anew before that, where the environment does not say how OpenMP is to wait.
void beginEngineProcess();
// Its last line. What a verb printed must have arrived: a script takes 0 for all of it. The process ends at
// once: LibTorch would take down each of its operators first, which takes a third of the time of loading it.
[[noreturn]] void endEngineProcess(int code);

}  // namespace fathom
