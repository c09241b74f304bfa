// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace fathom {

// Keeps a thread that does not come back until the process ends.
void abandonThread(std::thread thread);

// c10d's store asked on a thread of its own, so that nobody waits longer for an answer than he wants: where a
// network is cut the store itself waits for a quarter of an hour. The thread also adds to a key as the heart
// of this rank.
class StoreThread {
 public:
  StoreThread(c10::intrusive_ptr<c10d::Store> store, std::string heartKey, std::chrono::milliseconds beat);
  // Where an answer has been awaited for a while the thread is left to the end of the process.
  ~StoreThread();
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;

  using Milliseconds = std::chrono::milliseconds;
  // Throws what the store throws, or std::runtime_error once the store has been silent for so long: time in
  // which it did not answer somebody else counts.
  void set(const std::string& key, const std::string& text, Milliseconds patience);
  bool has(const std::string& key, Milliseconds patience);
  // Of a key that is there.
  std::string get(const std::string& key, Milliseconds patience);
  std::int64_t count(const std::string& key, Milliseconds patience);
  const c10::intrusive_ptr<c10d::Store>& store() const;
  // Time for which a question, the heart's among them, has not been answered.
  Milliseconds silence() const;

 private:
  struct State;
  template <typename Answer>
  Answer ask(std::function<Answer(c10d::Store&)> question, Milliseconds patience);
  std::shared_ptr<State> m_state;
  std::thread m_thread;
};

}  // namespace fathom
