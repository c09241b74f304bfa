// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/place_questions.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"

namespace fathom {

namespace {

bool sameAnswer(const JobStatus& a, const JobStatus& b) {
  return a.kind == b.kind && a.reason == b.reason && a.end == b.end;
}

}  // namespace

PlaceQuestions::PlaceQuestions(std::function<Result<Answers>(const StopToken&)> ask,
                               std::function<void(const Answers&)> take, Pace pace)
    : m_ask(std::move(ask)), m_take(std::move(take)), m_pace(pace), m_pause(pace.first) {
  m_thread = startThread([this] { work(); });
}

PlaceQuestions::~PlaceQuestions() {
  end();
}

void PlaceQuestions::end() {
  if (!m_thread.joinable()) return;
  {
    const std::lock_guard lock(m_guard);
    m_going = true;
  }
  m_stop.requestAbort();
  m_wake.notify_all();
  m_thread.join();
}

void PlaceQuestions::post(std::function<void(const StopToken&)> work) {
  {
    const std::lock_guard lock(m_guard);
    m_posted.push_back(std::move(work));
  }
  m_wake.notify_all();
}

void PlaceQuestions::setWanted(bool wanted) {
  {
    const std::lock_guard lock(m_guard);
    if (m_wanted == wanted) return;
    m_wanted = wanted;
  }
  m_wake.notify_all();
}

double PlaceQuestions::silentSeconds() const {
  const std::lock_guard lock(m_guard);
  if (!m_silentSince) return 0;
  return std::chrono::duration<double>(Clock::now() - *m_silentSince).count();
}

Phrase PlaceQuestions::silentReason() const {
  const std::lock_guard lock(m_guard);
  return m_silentReason;
}

int PlaceQuestions::asked() const {
  const std::lock_guard lock(m_guard);
  return m_asked;
}

void PlaceQuestions::work() {
  std::unique_lock lock(m_guard);
  while (!m_going) {
    if (!m_posted.empty()) {
      const auto work = std::move(m_posted.front());
      m_posted.pop_front();
      lock.unlock();
      (void)errorThrownBy([&] { work(m_stop); });
      lock.lock();
    } else if (m_wanted && Clock::now() >= m_next) {
      lock.unlock();
      (void)errorThrownBy([this] { ask(); });
      lock.lock();
    } else if (m_wanted) {
      m_wake.wait_until(lock, m_next);
    } else {
      m_wake.wait(lock);
    }
  }
}

void PlaceQuestions::ask() {
  {
    // Two questions are never nearer than the pace, however long an answer takes.
    const std::lock_guard lock(m_guard);
    ++m_asked;
    m_next = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(m_pause * 1000));
  }
  const auto answers = m_ask(m_stop);
  bool changed = false;
  if (answers.ok()) {
    changed = !std::equal(
        answers->begin(), answers->end(), m_last.begin(), m_last.end(),
        [](const auto& a, const auto& b) { return a.first == b.first && sameAnswer(a.second, b.second); });
    m_last = *answers;
    m_take(m_last);
  }
  const std::lock_guard lock(m_guard);
  m_pause = changed ? m_pace.first : std::min(2 * m_pause, m_pace.most);
  if (answers.ok()) {
    m_silentSince.reset();
    m_silentReason.clear();
  } else {
    if (!m_silentSince) m_silentSince = Clock::now();
    m_silentReason = answers.error().phrase();
  }
}

PlaceQuestions::Pace questionPace() {
  PlaceQuestions::Pace pace;
  if (const char* seconds = std::getenv("FATHOM_PLACE_SECONDS")) {
    pace.first = std::max(std::atof(seconds), 0.01);
    pace.most = 4 * pace.first;
  }
  return pace;
}

}  // namespace fathom
