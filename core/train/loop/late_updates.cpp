// SPDX-License-Identifier: Apache-2.0
// Updates of a device (docs/device.md §4): the host asks for one before it has read the numbers of the one
// before, so that the device never waits for it; several ranks read each update before the next, since they
// wait for each other anyway and must do the same things in the same order. What is read is what would have
// been read at once: before anything looks at weights or numbers (a validation, a checkpoint, the end of an
// epoch) everything is read.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/train/loop/steady_seconds.h"
#include "core/train/loop/training_loop.h"
#include "core/train/parts/range_mark.h"

namespace fathom {

std::optional<Divergence> TrainingLoop::updateLate(Update& judged) {
  try {
    launch(takeUpdate());
  } catch (...) {  // what was asked for before is not lost
    const std::exception_ptr failure = std::current_exception();
    if (const auto divergence = settleAll(judged)) return divergence;
    std::rethrow_exception(failure);
  }
  // An update that is left out is launched anew with another number, after which other things may be due.
  while (m_inFlight.size() > (m_parts.ranks == nullptr && nothingDue() ? 1 : 0)) {
    const TrainingClock before = m_inFlight.back().before;
    const bool last = m_inFlight.size() == 1;
    if (const auto divergence = settle(judged)) return divergence;
    if (last && m_inFlight.empty()) {
      afterUpdate(before);
      break;
    }
  }
  return std::nullopt;
}

void TrainingLoop::launch(Update update) {
  const RangeMark mark("update " + std::to_string(m_state.clock.updates + 1));
  Launched now;
  now.before = m_state.clock;
  now.started = secondsNow() - update.wait;
  now.rate = learningRate(m_schedule, m_state.clock.updates);
  update.context.update = m_state.clock.updates;
  m_update.begin();
  if (m_scaler) m_update.setLossScale(m_scaler->scale());
  addBatches(update);
  now.numbers = m_update.launch(now.rate);
  if (m_scaler) {
    now.scalerBefore = *m_scaler;
    m_scaler->finishIteration(false);
    now.lossScale = m_scaler->scale();
  }
  m_state.clock.updates += 1;
  m_state.clock.targetTokens += static_cast<std::int64_t>(now.numbers.units);
  m_state.position = update.after;
  m_scoreHere.reset();
  now.after = m_state.clock;
  now.update = std::move(update);
  m_inFlight.push_back(std::move(now));
  lookAhead();
}

// A fault in the data of an update is told when that update is due.
void TrainingLoop::lookAhead() {
  if (finished() || m_ahead || m_aheadFailure) return;
  try {
    m_ahead = nextUpdate();
    // That wait passes while the update before is computed, and is no part of its own time.
    m_inFlight.back().update.wait += std::exchange(m_ahead->wait, 0.0);
  } catch (...) {
    m_aheadFailure = std::current_exception();
  }
}

bool TrainingLoop::nothingDue() {
  if (m_inFlight.empty()) return true;
  const Launched& newest = m_inFlight.back();
  const TrainingClock& before = newest.before;
  m_wished = m_parts.control.takeCheckpointWish() || m_wished;
  const bool owed = m_retrySaveAt && secondsNow() >= *m_retrySaveAt;
  const bool judged = m_state.clock.updates == m_settings.divergence.notLearningAfter;
  return !(finished() || newest.update.endsEpoch || judged || owed || m_wished ||
           stopWish().stopRequested() || due(m_settings.scoreInterval, before) ||
           due(m_settings.validationInterval, before) || due(m_settings.checkpointInterval, before) ||
           due(m_settings.analysisInterval, before) || due(m_settings.logitInterval, before));
}

std::optional<Divergence> TrainingLoop::settleAll(Update& judged) {
  while (!m_inFlight.empty()) {
    const TrainingClock before = m_inFlight.front().before;
    if (const auto divergence = settle(judged)) return divergence;
    if (m_inFlight.empty()) afterUpdate(before);
  }
  return std::nullopt;
}

std::optional<Divergence> TrainingLoop::settle(Update& judged) {
  Launched first = std::move(m_inFlight.front());
  m_inFlight.pop_front();
  const double norm = m_update.read(first.numbers);
  const double now = secondsNow(), seconds = now - std::max(first.started, m_settledAt);
  m_settledAt = now;
  if (m_scaler && !std::isfinite(norm)) {
    judged = first.update;
    return leaveOut(std::move(first), seconds);
  }
  const UpdateSums& sums = m_update.sums();
  const std::optional<Divergence> divergence =
      m_detector.checkUpdate(first.after.updates, sums.means().front().second, norm);
  m_state.seconds += seconds;
  m_state.epochLoss += sums.loss;
  m_state.epochUnits += sums.units;
  StepReport report = reportOf(first.update, first.after, first.rate);
  if (m_scaler) report.values.emplace_back("loss_scale", first.lossScale);
  record(std::move(report), first.update, norm, seconds);
  if (divergence) {
    m_state.clock = first.after;
    m_state.position = first.update.after;
    m_inFlight.clear();
  } else if (first.update.endsEpoch) {
    finishEpoch();
  }
  judged = std::move(first.update);
  return divergence;
}

// An overflow in float16: the device has left this update out, and the one behind it, which is asked for anew
// with the number and the scale that it has now.
std::optional<Divergence> TrainingLoop::leaveOut(Launched overflowed, double seconds) {
  std::deque<Launched> behind = std::exchange(m_inFlight, {});
  for (std::size_t i = 0; i < behind.size() + 1; ++i) m_parts.optimizer.takeBackStep();
  m_update.forgetBroken();
  m_state.clock = overflowed.before;
  *m_scaler = *overflowed.scalerBefore;
  const LossScaler::Verdict verdict = m_scaler->finishIteration(true);
  if (auto divergence = skipUpdate(overflowed.update, verdict, seconds)) return divergence;
  for (Launched& again : behind) launch(std::move(again.update));
  return std::nullopt;
}

}  // namespace fathom
