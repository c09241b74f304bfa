// SPDX-License-Identifier: Apache-2.0
#include "core/nn/build_watch.h"

#include <algorithm>
#include <utility>

#include "core/base/errors/error.h"

namespace fathom {

namespace {

thread_local BuildWatch* t_watch = nullptr;

constexpr std::int64_t kSixteen = 16;

}  // namespace

BuildWatch::BuildWatch(Progress* progress, StopToken stop, const std::string& phase, double elements)
    : m_progress(progress), m_stop(std::move(stop)), m_outer(std::exchange(t_watch, this)) {
  if (m_progress != nullptr) m_progress->begin(phase, Phrase::tr("parameters").english, elements);
}

BuildWatch::~BuildWatch() {
  t_watch = m_outer;
}

void BuildWatch::passed(std::int64_t elements) {
  if (t_watch == nullptr) return;
  if (t_watch->m_stop.stopRequested()) throw Failure(interruptedError());
  t_watch->m_done += static_cast<double>(elements);
  if (t_watch->m_progress != nullptr) t_watch->m_progress->report(t_watch->m_done);
}

void inPieces(const torch::Tensor& contiguous, const std::function<void(torch::Tensor)>& fill,
              std::int64_t piece) {
  const torch::Tensor flat = contiguous.view({-1});
  const std::int64_t count = flat.numel();
  for (std::int64_t first = 0; first < count;) {
    const std::int64_t left = count - first;
    const std::int64_t size = left < piece + kSixteen ? left : piece;
    fill(flat.narrow(0, first, size));
    BuildWatch::passed(size);
    first += size;
  }
}

torch::Tensor filledTensor(torch::IntArrayRef shape, double value, const torch::TensorOptions& options) {
  if (options.device().is_meta()) return at::empty(shape, options);
  const torch::Tensor tensor = at::empty(shape, options);
  inPieces(tensor, [value](torch::Tensor piece) { piece.fill_(value); });
  return tensor;
}

}  // namespace fathom
