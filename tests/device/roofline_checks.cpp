// SPDX-License-Identifier: Apache-2.0
// Time of each kernel on a card against the time that a copy of as many bytes takes: the roofline of kernels
// that memory binds (docs/device.md §5, whose shapes these are).
#include <chrono>

#include "core/kernels/device_address.h"
#include "core/kernels/device_dropout.h"
#include "core/kernels/device_norm.h"
#include "core/kernels/device_softmax.h"
#include "core/kernels/kernel_plugin.h"
#include "tests/device/device_checks.h"

namespace fathom::device_checks {

namespace {

constexpr int kRepeats = 20;

void waitForDevice() {
  static_cast<void>(at::zeros({1}, torch::TensorOptions(device())).item<float>());
}

template <typename Work>
double secondsOf(const Work& work) {
  for (int i = 0; i < 3; ++i) work();
  waitForDevice();
  const auto started = std::chrono::steady_clock::now();
  for (int i = 0; i < kRepeats; ++i) work();
  waitForDevice();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() / kRepeats;
}

// Bytes a second that a copy reads and writes.
double bandwidthOfCopies() {
  const torch::Tensor from = at::zeros({1 << 28}, torch::TensorOptions(device())), to = at::empty_like(from);
  return 2 * static_cast<double>(from.nbytes()) / secondsOf([&] { to.copy_(from); });
}

template <typename Work>
void measure(const char* kernel, double bytes, double bandwidth, const Work& work) {
  const double seconds = secondsOf(work);
  std::printf("%-40s %8.1f MB %9.1f us %5.1f %% of the roofline\n", kernel, bytes / 1e6, seconds * 1e6,
              100 * bytes / bandwidth / seconds);
}

void measureStreams(double bandwidth) {
  const torch::TensorOptions there = torch::TensorOptions(device());
  const torch::Tensor x = at::randn({32 * 512, 768}, there), branch = at::randn({32 * 512, 768}, there);
  const double stream = static_cast<double>(x.nbytes());
  measure("seeded_dropout", 2 * stream, bandwidth, [&] { deviceDropout(x, {}, 0.1, 1); });
  measure("seeded_dropout with an addition", 3 * stream, bandwidth,
          [&] { deviceDropout(x, branch, 0.1, 1); });
  DeviceNorm norm{x, {}, branch, at::ones({768}, there), at::zeros({768}, there), 1e-5, 0.1, 1};
  DeviceNormSums sums;
  measure("norm_join", 4 * stream, bandwidth, [&] { sums = deviceNorm(norm); });
  norm.branch = torch::Tensor();
  measure("norm_join backward", 6 * stream, bandwidth, [&] { deviceNormBackward(norm, true, sums, x); });
}

void measureScores(double bandwidth) {
  const torch::Tensor scores = at::randn({32, 12, 512, 512}, torch::TensorOptions(device()));
  const DeviceSoftmax how{1, {}, false, false, 0, 0.1, 1, torch::kBFloat16};
  DeviceProbabilities made;
  const auto count = static_cast<double>(scores.numel());
  measure("chain_softmax", 8 * count, bandwidth, [&] { made = deviceSoftmax(scores, how); });
  const torch::Tensor running = at::zeros_like(scores);
  measure("chain_softmax backward", 12 * count, bandwidth,
          [&] { deviceSoftmaxBackward(made.all, made.kept, running, how); });
}

}  // namespace

int measureRoofline(const Words&) {
  static_cast<void>(device());
  if (deviceStandsIn()) {
    std::fprintf(stderr, "device_checks roofline: a stand-in has no speed\n");
    return 2;
  }
  if (kernelPlugin().table == nullptr) {
    std::fprintf(stderr, "device_checks roofline: %s\n", kernelPlugin().reason.c_str());
    return 2;
  }
  const double bandwidth = bandwidthOfCopies();
  std::printf("a copy moves %.0f GB/s\n", bandwidth / 1e9);
  measureStreams(bandwidth);
  measureScores(bandwidth);
  return 0;
}

}  // namespace fathom::device_checks
