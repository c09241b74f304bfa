// SPDX-License-Identifier: Apache-2.0
#include "core/optim/loss_scaler.h"

#include <algorithm>

namespace fathom {

LossScaler::Verdict LossScaler::finishIteration(bool overflow) {
  const std::int64_t iteration = m_iteration++;
  if (!overflow) {
    m_skippedInARow = 0;
    if ((iteration - m_lastOverflow) % m_settings.window == 0) {
      m_scale *= m_settings.factor;
      m_lastRescale = iteration;  // the count of overflows stays, as in the released code
    }
    return Verdict::Step;
  }
  m_lastOverflow = iteration;
  ++m_overflows;
  ++m_skippedInARow;
  const auto since = static_cast<double>(iteration - m_lastRescale);
  if (static_cast<double>(m_overflows) / since >= m_settings.tolerance) {
    m_scale = std::max(m_scale / m_settings.factor, m_settings.threshold);
    m_lastRescale = iteration;
    m_overflows = 0;
  }
  return m_scale <= m_settings.minimumScale ? Verdict::Abort : Verdict::Skip;
}

void LossScaler::restore(const State& state) {
  m_scale = state.scale;
  m_iteration = state.iteration;
  m_lastOverflow = state.lastOverflow;
  m_lastRescale = state.lastRescale;
  m_overflows = state.overflowsSinceLowered;
}

}  // namespace fathom
