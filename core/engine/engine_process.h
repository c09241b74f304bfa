// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// The frame around a program that computes with torch: first in its main(). A program that has it starts
// itself anew before that, where the environment does not say how OpenMP is to wait.
void beginEngineProcess();
// Its last line. What a verb printed must have arrived: a script takes 0 for all of it.
int endEngineProcess(int code);

}  // namespace fathom
