// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace fathom::device_checks {

// The device under test; a usage error names why there is none.
torch::Device device();

// Numbers of a device against those of the processor: each difference above the tolerance is printed.
struct Comparison {
  double tolerance = 0;  // relative to the largest number expected, at least to 1
  double largest = 0;
  int checks = 0, failures = 0;

  void fail(const std::string& what) {
    ++failures;
    std::printf("FAILED %s\n", what.c_str());
  }
  void close(const torch::Tensor& expected, const torch::Tensor& got, const std::string& what);
  // "kernels, chain_softmax: 12 checks, 0 failed, largest difference 1e-7".
  void report(const std::string& title) const {
    std::printf("%s: %d checks, %d failed, largest difference %.2g\n", title.c_str(), checks, failures,
                largest);
  }
};

// Each returns the exit code: 0 all is right, 1 something is not, 2 it could not be tried.
using Words = std::vector<std::string>;
int checkKernels(const Words& words);
int checkStacks(const Words& words);
int checkBounds(const Words& words);
int checkTasks(const Words& words);
int checkGraphs(const Words& words);
int checkRanks(const Words& words);
int measureRoofline(const Words& words);
int serveForks(const Words& words);

}  // namespace fathom::device_checks
