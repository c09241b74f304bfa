// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/gradient_buckets.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/utils/lambda_post_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>

namespace fathom {

namespace {

using torch::autograd::Node;
using torch::autograd::variable_list;

// The last bucket alone cannot leave before the backward pass ends: several even of small models, but none so
// small that its message takes longer than its bytes.
std::int64_t suitingBytes(const std::vector<torch::Tensor>& parameters) {
  constexpr std::int64_t kBuckets = 8, kLeast = std::int64_t{1} << 20, kMost = std::int64_t{25} << 20;
  std::int64_t all = 0;
  for (const torch::Tensor& parameter : parameters) all += static_cast<std::int64_t>(parameter.nbytes());
  return std::clamp(all / kBuckets, kLeast, kMost);
}

}  // namespace

struct GradientBuckets::State {
  // The place of a parameter's gradient.
  struct Slot {
    torch::Tensor parameter;
    torch::Tensor view;  // into its bucket, of the parameter's shape
    std::size_t bucket = 0;
    bool sent = false;
    bool present = false;
    std::shared_ptr<Node> accumulator;
  };

  struct Bucket {
    torch::Tensor flat;
    std::int64_t elements = 0;
    std::size_t slots = 0, waiting = 0;
  };

  explicit State(GradientExchange& of) : exchange(of) {}

  void place(const torch::Tensor& parameter, std::int64_t bytes) {
    const bool fits = !buckets.empty() && buckets.back().flat.scalar_type() == parameter.scalar_type() &&
                      (buckets.back().elements + parameter.numel()) * parameter.element_size() <= bytes;
    if (!fits) buckets.push_back({at::empty({0}, parameter.options()), 0, 0, 0});
    slots.push_back({parameter, {}, buckets.size() - 1, false, false, nullptr});
    buckets.back().elements += parameter.numel();
    ++buckets.back().slots;
  }

  void allocate() {
    for (Bucket& bucket : buckets) bucket.flat = at::zeros({bucket.elements}, bucket.flat.options());
    std::vector<std::int64_t> used(buckets.size(), 0);
    for (Slot& slot : slots) {
      const std::int64_t count = slot.parameter.numel();
      slot.view = buckets[slot.bucket].flat.narrow(0, used[slot.bucket], count).view(slot.parameter.sizes());
      used[slot.bucket] += count;
    }
  }

  void begin() {
    next = 0;
    for (Bucket& bucket : buckets) bucket.waiting = bucket.slots;
    for (Slot& slot : slots) slot.sent = slot.present = false;
  }

  void take(Slot& slot) {
    const at::NoGradGuard noGrad;
    const torch::Tensor gradient = slot.parameter.grad();
    slot.present = gradient.defined();
    slot.sent = true;
    if (slot.present)
      slot.view.copy_(gradient);
    else
      slot.view.zero_();
    --buckets[slot.bucket].waiting;
  }

  void launchReady() {
    while (next < buckets.size() && buckets[next].waiting == 0) exchange.launch(buckets[next++].flat);
  }

  void completed(std::size_t index) {
    if (!armed || slots[index].sent) return;
    take(slots[index]);
    launchReady();
  }

  GradientExchange& exchange;
  std::vector<Slot> slots;
  std::vector<Bucket> buckets;
  std::size_t next = 0;  // bucket to be launched
  bool armed = false;
};

GradientBuckets::GradientBuckets(GradientExchange& exchange, const std::vector<torch::Tensor>& parameters,
                                 std::int64_t bucketBytes)
    : m_state(std::make_shared<State>(exchange)) {
  const std::int64_t bytes = bucketBytes > 0 ? bucketBytes : suitingBytes(parameters);
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter)
    m_state->place(*parameter, bytes);
  m_state->allocate();
  for (std::size_t i = 0; i < m_state->slots.size(); ++i) {
    State::Slot& slot = m_state->slots[i];
    if (!slot.parameter.requires_grad()) continue;
    slot.accumulator = torch::autograd::impl::grad_accumulator(slot.parameter);
    slot.accumulator->add_post_hook(std::make_unique<torch::autograd::utils::LambdaPostHook>(
        [state = std::weak_ptr<State>(m_state), i](const variable_list& outputs, const variable_list&) {
          if (const auto here = state.lock()) here->completed(i);
          return outputs;
        }));
  }
  m_state->begin();
}

GradientBuckets::~GradientBuckets() = default;

void GradientBuckets::arm() {
  m_state->armed = true;
}

std::vector<double> GradientBuckets::sendRest() {
  State& state = *m_state;
  state.armed = false;
  for (State::Slot& slot : state.slots)
    if (!slot.sent) state.take(slot);
  state.launchReady();
  std::vector<double> present;
  present.reserve(state.slots.size());
  for (const State::Slot& slot : state.slots) present.push_back(slot.present ? 1 : 0);
  return present;
}

void GradientBuckets::finish(const std::vector<double>& present) {
  State& state = *m_state;
  state.exchange.finish();
  for (std::size_t i = 0; i < state.slots.size(); ++i)
    if (present[i] > 0) state.slots[i].parameter.mutable_grad() = state.slots[i].view;
  state.begin();
}

}  // namespace fathom
