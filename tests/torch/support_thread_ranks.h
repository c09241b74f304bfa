// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/train/parallel/rank_meeting.h"

namespace fathom::test {

// Ranks as threads of this process: what they say to each other goes through its memory. Sums are taken in
// the order of the ranks.
class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : m_size(size) {}
  // Starts `other` for ranks 1, 2, … once rank 0 meets them.
  std::unique_ptr<RankMeeting> meeting(std::function<void(RankMeeting& meeting)> other);
  // Rank 0 and the others, each on a thread of its own, without a run around them.
  void together(const std::function<void(GradientExchange&)>& work);
  // As if the process of a rank had ended.
  void lose(int rank);
  ~ThreadRanks() { join(); }
  void join();

 private:
  friend class ThreadExchange;
  friend class ThreadMeeting;
  // Everybody's words, once everybody is here. Throws where a rank has left.
  std::vector<std::vector<double>> round(int rank, std::vector<double> mine);
  std::vector<std::string> words(int rank, const std::string& mine);
  void await(std::unique_lock<std::mutex>& lock);
  void startOthers(const std::function<void(RankMeeting&)>& other);
  int m_size;
  std::mutex m_mutex;
  std::condition_variable m_turn;
  int m_here = 0;
  long m_rounds = 0;
  std::vector<std::vector<double>> m_numbers, m_saidNumbers;
  std::vector<std::string> m_texts, m_saidTexts;
  int m_left = -1;  // the first rank that has left
  RankEnd m_end;
  int m_wish = 0;
  std::vector<std::thread> m_threads;
};

}  // namespace fathom::test
