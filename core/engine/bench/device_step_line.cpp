// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "core/engine/bench/bench_device_step.h"
#include "core/engine/bench/bench_entry.h"

namespace fathom {

namespace {

std::function<Status()> declareDeviceStep(CLI::App& sub) {
  const auto said = std::make_shared<DeviceStepBench>();
  sub.add_option("--model", said->models, "translation, bert, sql-sp")
      ->check(CLI::IsMember({"translation", "bert", "sql-sp"}));
  sub.add_option("--updates", said->updates, "Updates of each; the last but one is counted")
      ->check(CLI::Range(3, 1000));
  sub.add_option("--device", said->device, "Device");
  sub.add_option("--dropout", said->dropout, "Instead of every dropout of the models that is more than 0")
      ->check(CLI::Range(0.0, 0.9));
  return [said] { return benchDeviceStep(*said); };
}

}  // namespace

BenchEntry deviceStepLineEntry() {
  return {.name = "device-step",
          .help = "What an update asks of a device that counts it",
          .declare = declareDeviceStep};
}

}  // namespace fathom
