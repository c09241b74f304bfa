// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/Tensor.h>

#include <set>
#include <string>

namespace fathom::stand_in {

// A processor tensor on the bytes of a device tensor; the device tensor must outlive it. It may grow: see
// takeOver.
at::Tensor twinOf(const at::Tensor& tensor);
// The shape and, where it has another storage now, the bytes of a twin, for the tensor it was made of.
void takeOver(const at::Tensor& tensor, const at::Tensor& twin);
// Whether the twin has other bytes now than the tensor it was made of.
bool movedAway(const at::Tensor& tensor, const at::Tensor& twin);
// A device tensor with the shape of `like` on a storage of the device.
at::Tensor onStorage(const c10::Storage& storage, const at::Tensor& like);
// A new device tensor with the bytes, shape and strides of a processor tensor.
at::Tensor copyToDevice(const at::Tensor& tensor);
// The storage and shape of `other` for `tensor`.
void takeStorage(const at::Tensor& tensor, const at::Tensor& other);

// Operators of aten that are written by hand here and in device_twins.cpp: the rule for all others leaves
// them out.
std::set<std::string> writtenOperators();

}  // namespace fathom::stand_in
