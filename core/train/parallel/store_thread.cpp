// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/store_thread.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/threads/thread_start.h"

namespace fathom {

void abandonThread(std::thread thread) {
  static auto* const kept = new std::vector<std::thread>;
  kept->push_back(std::move(thread));
}

// Shared with the thread, which may outlive its owner.
struct StoreThread::State {
  void work() {
    std::unique_lock lock(mutex);
    auto next = std::chrono::steady_clock::now();
    while (!ending) {
      asked.wait_until(lock, next, [this] { return ending || !questions.empty(); });
      if (std::chrono::steady_clock::now() >= next) {
        questions.emplace_front([this] { store->add(heartKey, 1); });
        next = std::chrono::steady_clock::now() + beat;
      }
      while (!questions.empty()) {
        const std::function<void()> question = std::move(questions.front());
        questions.pop_front();
        asking = std::chrono::steady_clock::now();
        lock.unlock();
        try {
          question();
        } catch (...) {
          // Of the heart: whoever waits for something finds out himself that the store is gone.
        }
        lock.lock();
        asking.reset();
      }
    }
    ended = true;
    asked.notify_all();
  }

  c10::intrusive_ptr<c10d::Store> store;
  std::string heartKey;
  Milliseconds beat{0};
  std::mutex mutex;
  std::condition_variable asked;
  std::deque<std::function<void()>> questions;
  std::optional<std::chrono::steady_clock::time_point> asking;  // a question, since then
  bool ending = false, ended = false;
};

StoreThread::StoreThread(c10::intrusive_ptr<c10d::Store> store, std::string heartKey, Milliseconds beat)
    : m_state(std::make_shared<State>()) {
  m_state->store = std::move(store);
  m_state->heartKey = std::move(heartKey);
  m_state->beat = beat;
  m_thread = startThread([state = m_state] { state->work(); });
}

StoreThread::~StoreThread() {
  constexpr Milliseconds kPatience{1000};
  const Milliseconds rest = std::max(Milliseconds(0), kPatience - silence());
  std::unique_lock lock(m_state->mutex);
  m_state->ending = true;
  m_state->questions.clear();
  m_state->asked.notify_all();
  const bool ended = m_state->asked.wait_for(lock, rest, [this] { return m_state->ended; });
  lock.unlock();
  if (ended)
    m_thread.join();
  else
    abandonThread(std::move(m_thread));
}

template <typename Answer>
Answer StoreThread::ask(std::function<Answer(c10d::Store&)> question, Milliseconds patience) {
  const auto task = std::make_shared<std::packaged_task<Answer()>>(
      [question = std::move(question), store = m_state->store] { return question(*store); });
  std::future<Answer> answer = task->get_future();
  const Milliseconds rest = std::max(Milliseconds(0), patience - silence());
  {
    const std::lock_guard lock(m_state->mutex);
    m_state->questions.emplace_back([task] { (*task)(); });
  }
  m_state->asked.notify_all();
  if (answer.wait_for(rest) != std::future_status::ready)
    throw std::runtime_error("no answer for " + std::to_string(patience.count() / 1000) + " s");
  return answer.get();
}

// A mark before the text: an empty value is no value to a store.
void StoreThread::set(const std::string& key, const std::string& text, Milliseconds patience) {
  std::vector<std::uint8_t> bytes{'='};
  bytes.insert(bytes.end(), text.begin(), text.end());
  ask<bool>(
      [key, bytes](c10d::Store& store) {
        store.set(key, bytes);
        return true;
      },
      patience);
}

bool StoreThread::has(const std::string& key, Milliseconds patience) {
  return ask<bool>([key](c10d::Store& store) { return store.check({key}); }, patience);
}

std::string StoreThread::get(const std::string& key, Milliseconds patience) {
  return ask<std::string>(
      [key](c10d::Store& store) {
        const std::vector<std::uint8_t> bytes = store.get(key);
        return bytes.empty() ? std::string() : std::string(bytes.begin() + 1, bytes.end());
      },
      patience);
}

std::int64_t StoreThread::count(const std::string& key, Milliseconds patience) {
  return ask<std::int64_t>([key](c10d::Store& store) { return store.add(key, 0); }, patience);
}

StoreThread::Milliseconds StoreThread::silence() const {
  const std::lock_guard lock(m_state->mutex);
  if (!m_state->asking) return Milliseconds(0);
  return std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - *m_state->asking);
}

const c10::intrusive_ptr<c10d::Store>& StoreThread::store() const {
  return m_state->store;
}

}  // namespace fathom
