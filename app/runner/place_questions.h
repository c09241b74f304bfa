// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/runner/launcher.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// One thread that talks with a place, so that whoever works through a queue never waits for it. It asks about
// all jobs at once: soon again while answers change, ever more seldom while they stay or do not come. Work
// that is posted (submissions, wishes) is done before the next question, in its order.
class PlaceQuestions {
 public:
  // By the place's name of a job; one that the place does not know any more is not in it.
  using Answers = std::map<std::string, JobStatus>;
  struct Pace {
    double first = 15;  // seconds between two questions while something changes: at most four a minute
    double most = 60;   // doubled up to this otherwise
  };
  // `ask` blocks and is called on the thread only, as is what `take` does with an answer. Its token is
  // requested when this object goes: a question that waits then must give up.
  PlaceQuestions(std::function<Result<Answers>(const StopToken&)> ask,
                 std::function<void(const Answers&)> take, Pace pace);
  ~PlaceQuestions();
  PlaceQuestions(const PlaceQuestions&) = delete;
  PlaceQuestions& operator=(const PlaceQuestions&) = delete;

  // As when it is destroyed, for whoever has work left then: nothing is done or asked from here on.
  void end();
  void post(std::function<void(const StopToken&)> work);
  // Nothing is asked while nobody waits for an answer.
  void setWanted(bool wanted);
  // Seconds for which questions have had no answer, with the words of the last one; 0 while they have.
  double silentSeconds() const;
  Phrase silentReason() const;
  int asked() const;  // questions so far

 private:
  using Clock = std::chrono::steady_clock;
  void work();
  void ask();

  std::function<Result<Answers>(const StopToken&)> m_ask;
  std::function<void(const Answers&)> m_take;
  Pace m_pace;
  StopToken m_stop;
  mutable std::mutex m_guard;
  std::condition_variable m_wake;
  std::deque<std::function<void(const StopToken&)>> m_posted;
  bool m_wanted = false, m_going = false;
  double m_pause = 0;
  Clock::time_point m_next = Clock::now();
  Answers m_last;  // of the thread
  int m_asked = 0;
  std::optional<Clock::time_point> m_silentSince;
  Phrase m_silentReason;
  std::thread m_thread;
};

// Seconds between questions: those of `pace`, or FATHOM_PLACE_SECONDS of the environment (tests).
PlaceQuestions::Pace questionPace();

}  // namespace fathom
