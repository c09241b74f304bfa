// SPDX-License-Identifier: Apache-2.0
// Operators of the device: each runs on processor tensors that lie on the same bytes ("twins"), and what it
// makes becomes a tensor of the device again.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "tests/fakes/device/device_graphs.h"
#include "tests/fakes/device/device_log.h"
#include "tests/fakes/device/device_memory.h"
#include "tests/fakes/device/device_runtime.h"
#include "tests/fakes/device/device_tensors.h"

namespace fathom::stand_in {

namespace {

using Stack = torch::jit::Stack;

const c10::DispatchKeySet kDevice(c10::DispatchKey::CUDA);

// A tensor of the arguments with its twin: what the operator did to the twin is done to the tensor
// afterwards.
struct Lent {
  at::Tensor tensor, twin;
  bool moved = false;  // it has other bytes now
};

// A result that is no argument: where its bytes lie.
struct NewResult {
  std::size_t place;  // among all tensors of the results
  void* bytes;
  std::size_t count;
};

class Arguments {
 public:
  explicit Arguments(const c10::FunctionSchema& schema) : m_schema(schema) {}

  void lend(Stack* stack) {
    const std::size_t count = m_schema.arguments().size();
    for (std::size_t i = 0; i < count; ++i) {
      c10::IValue& value = (*stack)[stack->size() - count + i];
      value = lent(std::move(value), m_schema.arguments()[i]);
    }
  }

  // Results of the processor as tensors of the device; those that are arguments are these arguments.
  void giveBack(Stack* stack) {
    const c10::OptionalDeviceGuard guard(m_device);
    for (Lent& lent : m_lent) {
      lent.moved = movedAway(lent.tensor, lent.twin);
      takeOver(lent.tensor, lent.twin);
    }
    const std::size_t count = m_schema.returns().size();
    for (std::size_t i = 0; i < count; ++i) {
      c10::IValue& value = (*stack)[stack->size() - count + i];
      value = returned(std::move(value));
    }
  }

  // The results that have memory of their own, behind giveBack().
  const std::vector<NewResult>& newResults() const { return m_new; }

 private:
  c10::IValue lent(c10::IValue value, const c10::Argument& argument) {
    if (value.isTensor()) return twin(value.toTensor());
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(twin(tensor));
      return list;
    }
    if (value.isOptionalTensorList()) {
      c10::List<std::optional<at::Tensor>> list;
      for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorList())
        list.push_back(tensor ? std::optional(twin(*tensor)) : std::nullopt);
      return list;
    }
    if (value.isDevice() && value.toDevice().is_cuda()) {
      m_device = value.toDevice();
      return c10::Device(c10::kCPU);
    }
    if (argument.type()->kind() == c10::TypeKind::OptionalType && argument.name() == "generator")
      return processorGenerator(value.isNone() ? std::nullopt : std::optional(value.toGenerator()));
    return value;
  }

  at::Tensor twin(const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.is_cuda()) return tensor;
    for (const Lent& lent : m_lent)
      if (lent.tensor.is_same(tensor)) return lent.twin;
    m_lent.push_back({tensor, twinOf(tensor)});
    m_device = tensor.device();
    return m_lent.back().twin;
  }

  c10::IValue returned(c10::IValue value) {
    if (value.isTensor()) return ofDevice(value.toTensor(), m_place++);
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(ofDevice(tensor, m_place++));
      return list;
    }
    return value;
  }

  at::Tensor ofDevice(const at::Tensor& result, std::size_t place) {
    if (!result.defined()) return result;
    for (const Lent& lent : m_lent) {
      if (lent.twin.is_same(result)) return lent.moved ? noted(lent.tensor, place) : lent.tensor;
      if (lent.twin.storage().is_alias_of(result.storage())) return onStorage(lent.tensor.storage(), result);
    }
    return noted(copyToDevice(result), place);
  }

  // Its bytes are a result by themselves.
  at::Tensor noted(const at::Tensor& made, std::size_t place) {
    const c10::Storage& storage = made.storage();
    m_new.push_back({place, DeviceMemory::instance().readable(storage.data()), storage.nbytes()});
    return made;
  }

  const c10::FunctionSchema& m_schema;
  std::vector<Lent> m_lent;
  std::vector<NewResult> m_new;
  std::size_t m_place = 0;
  std::optional<c10::Device> m_device;  // of the results
};

// An operator as it was called on twins, to be called again on the same bytes.
class RecordedCall {
 public:
  RecordedCall(const c10::OperatorHandle& op, const Stack& lent)
      : m_op(op),
        m_arguments(lent.end() - static_cast<std::ptrdiff_t>(op.schema().arguments().size()), lent.end()) {
    for (c10::IValue& value : m_arguments) value = freshly(value);
  }
  void setResults(std::vector<NewResult> results) { m_results = std::move(results); }

  void operator()() const {
    Stack stack;
    for (const c10::IValue& value : m_arguments) stack.push_back(freshly(value));
    {
      const at::AutoDispatchBelowADInplaceOrView below;
      m_op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &stack);
    }
    std::vector<at::Tensor> made;
    for (const c10::IValue& value : stack) {
      if (value.isTensor()) made.push_back(value.toTensor());
      if (value.isTensorList())
        for (const at::Tensor& tensor : value.toTensorVector()) made.push_back(tensor);
    }
    for (const NewResult& result : m_results) {
      const c10::Storage& storage = made.at(result.place).storage();
      TORCH_CHECK(storage.nbytes() == result.count, m_op.schema().name(), " gives another shape in a graph");
      if (result.count > 0) std::memcpy(result.bytes, storage.data(), result.count);
    }
  }

 private:
  // The same bytes: what an operator does to shape and place of its argument stays with one call.
  static at::Tensor freshly(const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    return at::Tensor(tensor.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), false));
  }
  static c10::IValue freshly(const c10::IValue& value) {
    if (value.isTensor()) return freshly(value.toTensor());
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(freshly(tensor));
      return list;
    }
    if (value.isOptionalTensorList()) {
      c10::List<std::optional<at::Tensor>> list;
      for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorList())
        list.push_back(tensor ? std::optional(freshly(*tensor)) : std::nullopt);
      return list;
    }
    return value;
  }

  c10::OperatorHandle m_op;
  Stack m_arguments;
  std::vector<NewResult> m_results;
};

// Operators that wait for the sake of a test, "aten::gelu,aten::mm".
const char* plantedWaits() {
  const char* text = std::getenv("FATHOM_DEVICE_WAITS");
  return text != nullptr ? text : "";
}

// The shape of what these make depends on what lies in their arguments, or the host reads the answer.
HostEffect effectOf(const c10::OperatorHandle& op, const Stack& stack) {
  static const std::set<std::string> kShapes = {"aten::nonzero",
                                                "aten::masked_select",
                                                "aten::_unique",
                                                "aten::_unique2",
                                                "aten::unique_dim",
                                                "aten::unique_consecutive",
                                                "aten::unique_dim_consecutive",
                                                "aten::bincount"};
  static const std::set<std::string> kWaits = {"aten::equal", "aten::is_nonzero", "aten::_assert_async"};
  static const std::string planted = "," + std::string(plantedWaits()) + ",";
  const std::string& name = op.schema().name();
  if (kShapes.contains(name)) return HostEffect::DataShape;
  if (kWaits.contains(name) || planted.find("," + name + ",") != std::string::npos) return HostEffect::Wait;
  if (name == "aten::repeat_interleave" && op.schema().overload_name() == "Tensor" && stack.back().isNone())
    return HostEffect::DataShape;
  if (name == "aten::index" || name == "aten::index_put_" || name == "aten::_index_put_impl_") {
    const std::size_t count = op.schema().arguments().size();
    for (const std::optional<at::Tensor>& index : stack[stack.size() - count + 1].toOptionalTensorVector())
      if (index && index->defined() &&
          (index->scalar_type() == at::kBool || index->scalar_type() == at::kByte))
        return HostEffect::DataShape;
  }
  return HostEffect::None;
}

void onTwins(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
  const std::string& name = op.schema().name();
  DeviceLog::instance().operatorRan(name);
  if (const HostEffect effect = effectOf(op, *stack); effect != HostEffect::None) {
    DeviceLog::instance().effect(effect, name);
    hostWaits();
  }
  Arguments arguments(op.schema());
  arguments.lend(stack);
  RecordedGraph* graph = RecordedGraph::capturing();
  std::optional<RecordedCall> call;
  if (graph != nullptr) call.emplace(op, *stack);
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
  }
  arguments.giveBack(stack);
  if (graph == nullptr) return;
  call->setResults(arguments.newResults());
  graph->add([again = std::move(*call)] { again(); });
}

at::Tensor emptyOfDevice(c10::IntArrayRef size, std::optional<c10::ScalarType> type,
                         std::optional<c10::Layout>, std::optional<c10::Device> device, std::optional<bool>,
                         std::optional<c10::MemoryFormat> format) {
  const c10::OptionalDeviceGuard guard(device);
  return at::detail::empty_generic(size, deviceAllocator(), kDevice, c10::dtype_or_default(type), format);
}

at::Tensor emptyStrided(c10::IntArrayRef size, c10::IntArrayRef stride, std::optional<c10::ScalarType> type,
                        std::optional<c10::Layout>, std::optional<c10::Device> device, std::optional<bool>) {
  const c10::OptionalDeviceGuard guard(device);
  return at::detail::empty_strided_generic(size, stride, deviceAllocator(), kDevice,
                                           c10::dtype_or_default(type));
}

const at::Tensor& resizeOnDevice(const at::Tensor& self, c10::IntArrayRef size,
                                 std::optional<c10::MemoryFormat> format) {
  const c10::DeviceGuard guard(self.device());
  at::Tensor wanted = at::detail::empty_generic(size, deviceAllocator(), kDevice, self.scalar_type(), format);
  if (wanted.numel() * wanted.itemsize() <= self.storage().nbytes()) {
    self.unsafeGetTensorImpl()->set_sizes_and_strides(wanted.sizes(), wanted.strides());
    return self;
  }
  if (RecordedGraph* graph = RecordedGraph::capturing())
    graph->refuse("aten::resize_ gives a tensor another place, which the stand-in cannot record");
  std::memcpy(DeviceMemory::instance().readable(wanted.storage().mutable_data()),
              DeviceMemory::instance().readable(self.storage().data()), self.storage().nbytes());
  takeStorage(self, wanted);
  return self;
}

at::Tensor& setStorage(at::Tensor& self, at::Storage source, c10::SymInt offset, c10::SymIntArrayRef size,
                       c10::SymIntArrayRef stride) {
  self.unsafeGetTensorImpl()->set_storage_keep_dtype(std::move(source));
  self.unsafeGetTensorImpl()->set_storage_offset(offset.expect_int());
  const c10::IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(size);
  if (stride.empty())
    self.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  else
    self.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, C10_AS_INTARRAYREF_SLOW(stride));
  return self;
}

at::Tensor& copyOnDevice(at::Tensor& self, const at::Tensor& source, bool nonBlocking) {
  DeviceLog& log = DeviceLog::instance();
  log.operatorRan("aten::copy_");
  const at::AutoDispatchBelowADInplaceOrView below;
  RecordedGraph* graph = RecordedGraph::capturing();
  if (graph != nullptr && !(self.is_cuda() && source.is_cuda()))
    graph->refuse("a copy between host and device is asked for inside of a graph");
  if (self.is_cuda() && source.is_cuda()) {
    const at::Tensor to = twinOf(self), from = twinOf(source);
    to.copy_(from);
    if (graph != nullptr) graph->add([to, from] { at::Tensor(to).copy_(from); });
  } else if (self.is_cuda()) {
    log.copied(true, source.nbytes());
    if (isPinned(source.const_data_ptr()) && nonBlocking && source.is_contiguous())
      pinnedCopyBegins(source.const_data_ptr(), source.nbytes());
    else if (source.numel() > 0)
      log.effect(HostEffect::PageableCopy, "aten::copy_");
    twinOf(self).copy_(source);
  } else {
    log.copied(false, source.nbytes());
    if (nonBlocking && self.is_contiguous() && isPinned(self.const_data_ptr()) &&
        self.scalar_type() == source.scalar_type()) {
      const at::Tensor now = twinOf(source).contiguous();
      pinnedReadBegins(self.mutable_data_ptr(), now.const_data_ptr(), now.nbytes());
      return self;
    }
    log.effect(HostEffect::Wait, "aten::copy_");
    hostWaits();
    self.copy_(twinOf(source));
  }
  return self;
}

at::Scalar scalarOfDevice(const at::Tensor& self) {
  DeviceLog::instance().operatorRan("aten::_local_scalar_dense");
  DeviceLog::instance().effect(HostEffect::Wait, "aten::item");
  hostWaits();
  return twinOf(self).item();
}

void recordStream(at::Tensor&, c10::Stream) {}

// What is known to have a kernel of its own on CUDA counts as one operator, although the processor has it in
// parts.
bool isOneOperator(const c10::OperatorHandle& op) {
  if (op.operator_name().name.starts_with("aten::_foreach_")) return true;
  return op.hasKernelForDispatchKey(c10::DispatchKey::CPU) &&
         !op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

}  // namespace

TORCH_LIBRARY_IMPL(_, CUDA, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&onTwins>());
}

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  const std::set<std::string> written = writtenOperators();
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (!name.name.starts_with("aten::")) continue;
    const std::string full =
        name.name.substr(6) + (name.overload_name.empty() ? "" : "." + name.overload_name);
    if (written.contains(full)) continue;
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (op && isOneOperator(*op))
      library.impl(full.c_str(), torch::CppFunction::makeFromBoxedFunction<&onTwins>());
  }
  library.impl("empty.memory_format", &emptyOfDevice);
  library.impl("empty_strided", &emptyStrided);
  library.impl("as_strided", &at::native::as_strided_tensorimpl);
  library.impl("view", &at::native::view);
  library.impl("_reshape_alias", &at::native::_reshape_alias);
  library.impl("unfold", &at::native::unfold);
  library.impl("resize_", &resizeOnDevice);
  library.impl("set_.source_Storage_storage_offset", &setStorage);
  library.impl("copy_", &copyOnDevice);
  library.impl("_local_scalar_dense", &scalarOfDevice);
  library.impl("record_stream", &recordStream);
}

}  // namespace fathom::stand_in
