// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/train/parallel/gloo_exchange.h"
#include "core/train/parallel/rank_lost.h"
#include "core/train/parallel/store_thread.h"

namespace fathom {

// A rank that is gone, as it is told here.
struct GoneRank {
  std::string rank;  // "": it stands in the words
  RankEnd end;
  // RankLost, or OtherRankFailed with the error of that rank.
  [[noreturn]] void raise() const;
};

// Knowledge of one rank about the others: which has left and why, whose process has ended, whose heart is
// silent. It is told in the store where they meet; a store that does not answer stands for rank 0.
class RankWatch {
 public:
  using Milliseconds = StoreThread::Milliseconds;
  // Of a heart, where a rank is lost after `timeout` of silence.
  static Milliseconds beat(Milliseconds timeout);
  // Silence after which a rank counts as lost, so that those who have found out which one end within
  // `timeout`.
  static Milliseconds quiet(Milliseconds timeout);
  // For an answer about who is lost.
  static Milliseconds brief(Milliseconds timeout);

  // `store` is borrowed.
  RankWatch(StoreThread& store, StarterWatch starter, const Ranks& ranks, Milliseconds timeout);
  static std::string heartKey(int rank) { return "beat/" + std::to_string(rank); }
  // Machines of the ranks, once they are known.
  void setMachines(std::vector<std::string> names) { m_machines = std::move(names); }
  std::string nameOf(int rank) const;

  // The others are told why this rank ends, where they can be told.
  void leave(const RankEnd& end);
  // Waits a while until the others that are there have left, too: for the rank with which the store ends.
  // Never throws.
  void awaitOthers();
  // One that has said why it leaves, or is known to have ended. Throws where the store does not answer.
  std::optional<GoneRank> gone(Milliseconds patience);
  // The same; never throws.
  std::optional<GoneRank> goneOrSilent();
  std::int64_t beatsOf(int rank, Milliseconds patience);
  // A rank that has said nothing for the whole patience.
  Phrase silence(int rank) const;
  // Finds out which one was lost where talking has failed with `words`. `apart`: advice where all are there
  // and have only not found each other; empty once they have.
  [[noreturn]] void findLost(const std::string& words, const Phrase& apart = {});

  // A look while this rank is at work for long and waits for nobody, on a thread of its own: true once one is
  // gone, which raiseFound() then throws on any thread. Hearts are felt seldom.
  bool look();
  void raiseFound() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Heart {
    std::int64_t beats = 0;
    Clock::time_point heard;
  };
  std::optional<GoneRank> left(Milliseconds patience);
  std::optional<std::string> starterSays();
  std::optional<GoneRank> found(Clock::time_point now);
  std::optional<GoneRank> silentOne(Clock::time_point now);
  Milliseconds seldom() const;  // between two feels of all hearts

  StoreThread& m_store;
  StarterWatch m_starter;
  std::mutex m_starterMutex;
  int m_rank, m_size;
  Milliseconds m_timeout, m_beat, m_quiet, m_brief;
  std::vector<std::string> m_machines;
  bool m_storeGone = false;  // nobody can be told anything
  // Of the thread that looks.
  Clock::time_point m_looked, m_felt;
  std::vector<Heart> m_hearts;
  // Its find, written once before the flag.
  std::optional<GoneRank> m_gone;
  std::atomic<bool> m_isFound = false;
};

// Words of what is thrown, without a stack; empty where nothing is.
std::string thrownBy(const std::function<void()>& work);
// First line of what c10d says, which may have a stack behind it.
std::string firstLineOf(const std::string& text);

}  // namespace fathom
