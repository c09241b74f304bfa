// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <optional>

#include "core/kernels/number_format.h"

namespace fathom {

// Whether the CUDA device is a stand-in of the tests (tests/fakes/device).
bool deviceStandsIn();

// What a kernel takes for a tensor on a device: the address of its first number, null for an undefined
// tensor. The only place that hands out such addresses: of a stand-in device they are the readable ones.
void* deviceAddress(const torch::Tensor& tensor);

// The stream on which LibTorch works on this device, as CUDA's handle.
void* deviceStream(const torch::Device& device);

std::optional<NumberFormat> numberFormatOf(torch::ScalarType type);

// Puts the kernel `name` on a stream by `launch`, which owns what it needs and gives CUDA's outcome; a device
// fault that names it unless that is 0. A graph of a stand-in device calls it again.
void putOnStream(const char* name, const std::function<int()>& launch);

}  // namespace fathom
