// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/device/device_tensors.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/CPUAllocator.h>

#include <cstring>

#include "tests/fakes/device/device_memory.h"
#include "tests/fakes/device/device_runtime.h"

namespace fathom::stand_in {

namespace {

const c10::DispatchKeySet kDeviceKey(c10::DispatchKey::CUDA);

void shapeLike(c10::TensorImpl* tensor, const at::Tensor& other) {
  tensor->set_storage_offset(other.storage_offset());
  tensor->set_sizes_and_strides(other.sizes(), other.strides());
}

}  // namespace

at::Tensor twinOf(const at::Tensor& tensor) {
  const c10::Storage& storage = tensor.storage();
  void* bytes = DeviceMemory::instance().readable(storage.data());
  c10::Storage twin(c10::Storage::use_byte_size_t(), storage.nbytes(),
                    c10::DataPtr(bytes, c10::Device(c10::kCPU)), c10::GetCPUAllocator(), /*resizable=*/true);
  at::Tensor made = at::detail::make_tensor<c10::TensorImpl>(
      std::move(twin), c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  shapeLike(made.unsafeGetTensorImpl(), tensor);
  return made;
}

at::Tensor onStorage(const c10::Storage& storage, const at::Tensor& like) {
  at::Tensor made = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage), kDeviceKey, like.dtype());
  shapeLike(made.unsafeGetTensorImpl(), like);
  return made;
}

at::Tensor copyToDevice(const at::Tensor& tensor) {
  const std::size_t bytes = tensor.storage().nbytes();
  c10::Allocator* allocator = deviceAllocator();
  const c10::Storage storage(c10::Storage::use_byte_size_t(), bytes, allocator->allocate(bytes), allocator,
                             true);
  if (bytes > 0)
    std::memcpy(DeviceMemory::instance().readable(storage.data()), tensor.storage().data(), bytes);
  return onStorage(storage, tensor);
}

void takeStorage(const at::Tensor& tensor, const at::Tensor& other) {
  tensor.unsafeGetTensorImpl()->set_storage_keep_dtype(other.storage());
  shapeLike(tensor.unsafeGetTensorImpl(), other);
}

bool movedAway(const at::Tensor& tensor, const at::Tensor& twin) {
  return DeviceMemory::instance().readable(tensor.storage().data()) != twin.storage().data();
}

void takeOver(const at::Tensor& tensor, const at::Tensor& twin) {
  if (movedAway(tensor, twin)) {
    takeStorage(tensor, copyToDevice(twin));
  } else if (tensor.sizes() != twin.sizes() || tensor.strides() != twin.strides()) {
    shapeLike(tensor.unsafeGetTensorImpl(), twin);
  }
}

}  // namespace fathom::stand_in
