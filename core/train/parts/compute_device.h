// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/train/parallel/ranks.h"

namespace fathom {

// A place where a model can run, and why it cannot if it cannot.
struct ComputeDevice {
  std::string id;  // "cpu", "cuda:0"
  std::string title;
  bool usable = true;
  std::string reason;  // why not, empty when usable
};

// CUDA is found at run time: this tries to load libtorch_cuda.so once and remembers the outcome. Thread-safe.
// Returns "" when CUDA is there, else the reason in words.
const std::string& cudaProblem();

// Name of a library that stands in for CUDA's part (tests/fakes/device); "" for the real one, and
// where none is loaded.
std::string standInName();

std::vector<ComputeDevice> computeDevices();
// "auto": the first usable GPU, else the processor. Usage error naming the device and the reason otherwise.
Result<torch::Device> chooseDevice(const std::string& wanted);
// The same for one of several ranks: on cards each has its own, and all of them need NCCL.
Result<torch::Device> chooseDevice(const std::string& wanted, const Ranks& ranks);
// Words that tell a card from all others of all machines; "" for the processor.
std::string cardName(const torch::Device& device);
// Threads for the processor (0 = all cores) and settings under which equal runs give equal bits. Returns the
// number of threads.
int prepareNumerics(const torch::Device& device, std::int64_t threads);

}  // namespace fathom
