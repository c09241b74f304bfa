// SPDX-License-Identifier: Apache-2.0
// What is true of every device, against the processor: device_checks WORD (README.md).
#include <cstring>

#include "core/engine/engine_process.h"
#include "core/engine/engine_verbs.h"
#include "core/train/parts/compute_device.h"
#include "tests/device/device_checks.h"

namespace fathom::device_checks {

torch::Device device() {
  static const torch::Device found = [] {
    const torch::Device chosen = chooseDevice("cuda:0").value();
    prepareNumerics(chosen, 1);
    return chosen;
  }();
  return found;
}

void Comparison::close(const torch::Tensor& expected, const torch::Tensor& got, const std::string& what) {
  ++checks;
  if (!expected.defined() || !got.defined() || expected.sizes() != got.sizes())
    return fail(what + ": of another shape");
  if (expected.numel() == 0) return;
  const torch::Tensor right = expected.detach().cpu().to(torch::kFloat64);
  const torch::Tensor there = got.detach().cpu().to(torch::kFloat64);
  const double scale = std::max(1.0, right.abs().max().item<double>());
  const double difference = (there - right).abs().max().item<double>() / scale;
  if (!(difference <= largest)) largest = difference;
  if (!(difference <= tolerance)) fail(what + ": differs by " + std::to_string(difference));
}

namespace {

// Whether there is one: prints its name, or ends with 2 and the reason.
int nameDevice(const Words&) {
  std::printf("%s%s\n", device().str().c_str(),
              standInName().empty() ? "" : (" (" + standInName() + ")").c_str());
  return 0;
}

struct Check {
  const char* word;
  int (*run)(const Words& words);
};
constexpr Check kChecks[] = {{"device", nameDevice},  {"kernels", checkKernels},     {"stacks", checkStacks},
                             {"bounds", checkBounds}, {"tasks", checkTasks},         {"graphs", checkGraphs},
                             {"ranks", checkRanks},   {"roofline", measureRoofline}, {"forks", serveForks}};

int runCheck(int count, char** words) {
  for (const Check& check : kChecks) {
    if (count < 2 || std::strcmp(words[1], check.word) != 0) continue;
    try {
      return check.run(Words(words + 2, words + count));
    } catch (const std::exception& e) {
      std::fprintf(stderr, "device_checks %s: %s\n", check.word, e.what());
      return 2;
    }
  }
  std::fprintf(
      stderr,
      "usage: device_checks device|kernels|stacks|bounds|tasks|graphs|ranks|roofline|engine|forks WORDS\n");
  return 2;
}

}  // namespace
}  // namespace fathom::device_checks

int main(int count, char** words) {
  fathom::beginEngineProcess();
  const bool engine = count > 1 && std::strcmp(words[1], "engine") == 0;
  fathom::endEngineProcess(engine ? fathom::runEngine(count - 1, words + 1)
                                  : fathom::device_checks::runCheck(count, words));
}
