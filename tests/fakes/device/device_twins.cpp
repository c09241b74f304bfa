// SPDX-License-Identifier: Apache-2.0
// Operators that exist on CUDA alone, in terms of those that the processor has.
#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "tests/fakes/device/device_graphs.h"
#include "tests/fakes/device/device_log.h"
#include "tests/fakes/device/device_tensors.h"

namespace fathom::stand_in {

namespace {

at::Tensor twinOrNone(const std::optional<at::Tensor>& tensor) {
  return tensor && tensor->defined() ? twinOf(*tensor) : at::Tensor();
}

at::Tensor softmaxOnDevice(const at::Tensor& self, std::int64_t dim, bool halfToFloat) {
  DeviceLog::instance().operatorRan("aten::_softmax");
  const c10::DeviceGuard guard(self.device());
  return computed([input = twinOf(self), dim, halfToFloat] {
           return std::vector{at::_softmax(halfToFloat ? input.to(at::kFloat) : input, dim, false)};
         })
      .front();
}

at::Tensor logSoftmaxOnDevice(const at::Tensor& self, std::int64_t dim, bool halfToFloat) {
  DeviceLog::instance().operatorRan("aten::_log_softmax");
  const c10::DeviceGuard guard(self.device());
  return computed([input = twinOf(self), dim, halfToFloat] {
           return std::vector{at::_log_softmax(halfToFloat ? input.to(at::kFloat) : input, dim, false)};
         })
      .front();
}

at::Tensor softmaxBackward(const at::Tensor& grad, const at::Tensor& output, std::int64_t dim,
                           at::ScalarType type) {
  DeviceLog::instance().operatorRan("aten::_softmax_backward_data");
  const c10::DeviceGuard guard(grad.device());
  return computed([slope = twinOf(grad), out = twinOf(output), dim, type] {
           return std::vector{at::_softmax_backward_data(slope, out, dim, out.scalar_type()).to(type)};
         })
      .front();
}

at::Tensor logSoftmaxBackward(const at::Tensor& grad, const at::Tensor& output, std::int64_t dim,
                              at::ScalarType type) {
  DeviceLog::instance().operatorRan("aten::_log_softmax_backward_data");
  const c10::DeviceGuard guard(grad.device());
  return computed([slope = twinOf(grad), out = twinOf(output), dim, type] {
           return std::vector{at::_log_softmax_backward_data(slope, out, dim, out.scalar_type()).to(type)};
         })
      .front();
}

// Gates in torch's order: input, forget, cell, output; the workspace holds them activated.
std::tuple<at::Tensor, at::Tensor, at::Tensor> lstmCell(const at::Tensor& inputGates,
                                                        const at::Tensor& hiddenGates, const at::Tensor& cell,
                                                        const std::optional<at::Tensor>& inputBias,
                                                        const std::optional<at::Tensor>& hiddenBias) {
  DeviceLog::instance().operatorRan("aten::_thnn_fused_lstm_cell");
  const c10::DeviceGuard guard(inputGates.device());
  const std::vector<at::Tensor> made =
      computed([input = twinOf(inputGates), hidden = twinOf(hiddenGates), before = twinOf(cell),
                bias = twinOrNone(inputBias), more = twinOrNone(hiddenBias)] {
        at::Tensor gates = input + hidden;
        if (bias.defined()) gates = gates + bias + more;
        const std::vector<at::Tensor> parts = gates.chunk(4, 1);
        const at::Tensor in = parts[0].sigmoid(), forget = parts[1].sigmoid(), content = parts[2].tanh(),
                         out = parts[3].sigmoid();
        const at::Tensor next = forget * before + in * content;
        return std::vector{out * next.tanh(), next, at::cat({in, forget, content, out}, 1)};
      });
  return {made[0], made[1], made[2]};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> lstmCellBackward(const std::optional<at::Tensor>& gradOutput,
                                                                const std::optional<at::Tensor>& gradNext,
                                                                const at::Tensor& cell,
                                                                const at::Tensor& next,
                                                                const at::Tensor& workspace, bool hasBias) {
  DeviceLog::instance().operatorRan("aten::_thnn_fused_lstm_cell_backward_impl");
  const c10::DeviceGuard guard(cell.device());
  const std::vector<at::Tensor> made =
      computed([gates = twinOf(workspace), after = twinOf(next), before = twinOf(cell),
                above = twinOrNone(gradOutput), beside = twinOrNone(gradNext), hasBias] {
        const std::vector<at::Tensor> parts = gates.chunk(4, 1);
        const at::Tensor &in = parts[0], &forget = parts[1], &content = parts[2], &out = parts[3];
        const at::Tensor bounded = after.tanh();
        const at::Tensor gradOut = above.defined() ? above : at::zeros_like(bounded);
        at::Tensor gradCell = gradOut * out * (1 - bounded * bounded);
        if (beside.defined()) gradCell = gradCell + beside;
        const at::Tensor gradGates =
            at::cat({gradCell * content * in * (1 - in), gradCell * before * forget * (1 - forget),
                     gradCell * in * (1 - content * content), gradOut * bounded * out * (1 - out)},
                    1);
        return std::vector{gradGates, gradCell * forget, hasBias ? gradGates.sum(0) : at::Tensor()};
      });
  return {made[0], made[1], made[2]};
}

}  // namespace

std::set<std::string> writtenOperators() {
  return {"empty.memory_format",
          "empty_strided",
          "as_strided",
          "view",
          "_reshape_alias",
          "unfold",
          "resize_",
          "set_.source_Storage_storage_offset",
          "copy_",
          "_local_scalar_dense",
          "_softmax",
          "_log_softmax",
          "_softmax_backward_data",
          "_log_softmax_backward_data",
          "_thnn_fused_lstm_cell",
          "_thnn_fused_lstm_cell_backward_impl",
          "_scaled_dot_product_efficient_attention",
          "_scaled_dot_product_efficient_attention_backward",
          "native_dropout",
          "record_stream"};
}

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  library.impl("_softmax", &softmaxOnDevice);
  library.impl("_log_softmax", &logSoftmaxOnDevice);
  library.impl("_softmax_backward_data", &softmaxBackward);
  library.impl("_log_softmax_backward_data", &logSoftmaxBackward);
  library.impl("_thnn_fused_lstm_cell", &lstmCell);
  library.impl("_thnn_fused_lstm_cell_backward_impl", &lstmCellBackward);
}

}  // namespace fathom::stand_in
