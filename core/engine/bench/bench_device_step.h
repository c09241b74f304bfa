// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

struct DeviceStepBench {
  std::vector<std::string> models = {"translation", "bert", "sql-sp"};
  int updates = 4;  // of each; the last but one is counted: no batch follows the last
  std::string device = "cuda:0";
  // Instead of every dropout of the presets that is more than 0. Without our kernels a mask is some 27 of
  // LibTorch's operators.
  double dropout = 0.1;
};
// Demands of one update on a device that counts (the stand-in, tests/fakes/device): operators, waits of the
// host, copies, bytes, peak of memory, which operators are kernels of ours, and what those launch where a
// runtime counts it. FATHOM_DEVICE_LOG keeps what the device wrote. NMT 6 + 6 layers with Admin, BERT of 12
// layers with RealFormer, SQL-SP of 24 + 24 layers; widths are small, since none of it but bytes depends on
// them. A usage error on a device that does not count.
Status benchDeviceStep(const DeviceStepBench& bench);

}  // namespace fathom
