// SPDX-License-Identifier: Apache-2.0
// Planted faults of hosts, each of which the stand-in device must find, and what it must do right:
//   device_faults LIBTORCH_CUDA FAULT
#include <ATen/ATen.h>
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

const auto kDevice = at::TensorOptions(at::kCUDA).dtype(at::kDouble);

int require(bool holds, const char* what) {
  if (holds) return 0;
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

double largest(const at::Tensor& a, const at::Tensor& b) {
  return (a.cpu() - b.cpu()).abs().max().item<double>();
}

int hostPointer() {
  const at::Tensor tensor = at::ones({4}, kDevice);
  return *tensor.const_data_ptr<double>() == 1 ? 1 : 2;
}

int pinned(bool waits) {
  at::Tensor source = at::ones({64}, at::kDouble).pin_memory();
  at::Tensor target = at::empty({64}, kDevice);
  target.copy_(source, /*non_blocking=*/true);
  if (waits) static_cast<void>(target.sum().item<double>());
  source.fill_(2);
  return require(target.sum().item<double>() == 64, "the copy has other numbers");
}

int freshMemory() {
  const at::Tensor fresh = at::empty({1000}, kDevice);
  return require(fresh.isnan().all().item<bool>(), "fresh memory is no NaN");
}

// Against the same formulas on the processor, whose gradients autograd makes.
int twins() {
  at::manual_seed(3);
  const at::Tensor in = at::randn({3, 20}, at::kDouble), hidden = at::randn({3, 20}, at::kDouble),
                   cell = at::randn({3, 5}, at::kDouble), bias = at::randn({20}, at::kDouble);
  std::vector<at::Tensor> leaves[2];
  std::vector<at::Tensor> results[2];
  for (int side = 0; side < 2; ++side) {
    for (const at::Tensor& value : {in, hidden, cell, bias})
      leaves[side].push_back((side == 0 ? value.clone() : value.to(at::kCUDA)).set_requires_grad(true));
    const auto& x = leaves[side];
    at::Tensor next, out;
    if (side == 0) {
      const std::vector<at::Tensor> gates = (x[0] + x[1] + x[3] + x[3]).chunk(4, 1);
      next = gates[1].sigmoid() * x[2] + gates[0].sigmoid() * gates[2].tanh();
      out = gates[3].sigmoid() * next.tanh();
    } else {
      std::tie(out, next, std::ignore) = at::_thnn_fused_lstm_cell(x[0], x[1], x[2], x[3], x[3]);
    }
    (out.square().sum() + next.sum()).backward();
    results[side] = {out.detach(), next.detach()};
    for (const at::Tensor& leaf : x) results[side].push_back(leaf.grad());
  }
  int wrong = 0;
  for (std::size_t i = 0; i < results[0].size(); ++i)
    wrong += require(largest(results[0][i], results[1][i]) < 1e-12, "the LSTM cell has other numbers");
  const at::Tensor half = at::randn({4, 7}).to(at::kHalf);
  const at::Tensor wide = at::_softmax(half.to(at::kCUDA), 1, true);
  wrong += require(wide.scalar_type() == at::kFloat, "the softmax of halves is no float");
  return wrong +
         require(largest(wide, half.to(at::kFloat).softmax(1)) < 1e-6, "the softmax has other numbers");
}

// Views, results in place, results that grow, and operators whose result's shape is another.
int shapes() {
  const at::Tensor host = at::arange(24, at::kDouble).view({4, 6});
  const at::Tensor device = host.to(at::kCUDA);
  int wrong = require(largest(device.t().contiguous(), host.t()) == 0, "a transposed tensor is another");
  wrong += require(largest(device.slice(1, 1, 5, 2).sum(1), host.slice(1, 1, 5, 2).sum(1)) == 0,
                   "a slice is another");
  at::Tensor grown = at::empty({0}, kDevice);
  at::add_out(grown, device, device);
  wrong += require(largest(grown, host + host) == 0, "a result that grew is another");
  at::Tensor changed = device.clone();
  changed.select(0, 2).mul_(3);
  at::Tensor expected = host.clone();
  expected.select(0, 2).mul_(3);
  wrong += require(largest(changed, expected) == 0, "a view changed in place is another");
  wrong += require(largest(device.nonzero(), host.nonzero()) == 0, "nonzero is another");
  const auto [values, places] = device.max(1);
  wrong += require(largest(values, std::get<0>(host.max(1))) == 0, "the largest of rows are others");
  return wrong + require(values.is_cuda() && places.is_cuda(), "a result lies on the host");
}

}  // namespace

int main(int count, char** words) {
  if (count != 3 || ::dlopen(words[1], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::fprintf(stderr, "usage: device_faults LIBTORCH_CUDA FAULT: %s\n",
                 count == 3 ? ::dlerror() : "two words");
    return 2;
  }
  const auto is = [&](const char* fault) { return std::strcmp(words[2], fault) == 0; };
  if (is("host_pointer")) return hostPointer();
  if (is("pinned_reuse")) return pinned(false);
  if (is("pinned_waited")) return pinned(true);
  if (is("fresh_memory")) return freshMemory();
  if (is("twins")) return twins();
  if (is("shapes")) return shapes();
  std::fprintf(stderr, "no such fault: %s\n", words[2]);
  return 2;
}
