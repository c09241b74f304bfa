// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nn/sql_sp/derivation_plan.h"
#include "core/nn/sql_sp/sweep_tensors.h"

namespace fathom {

// The steps of decoder_sweep.h for a device, where each operator is a launch: cells, softmax and tanh are one
// operator each way. Numbers of one format alone; mixed precision takes the plain steps.
bool sweepsOnDevice(const SweepTensors& in);
SweepTrace sweepForwardOnDevice(const DerivationPlan& plan, const SweepTensors& in,
                                const torch::Tensor& blocked, const torch::Tensor& mask);
// `gradient` [rows, v] of what the readouts read.
SweepSlopes sweepBackwardOnDevice(const DerivationPlan& plan, const SweepTensors& in, const SweepTrace& trace,
                                  const torch::Tensor& mask, const torch::Tensor& gradient);

}  // namespace fathom
