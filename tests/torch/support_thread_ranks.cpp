// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_thread_ranks.h"

#include <ATen/Functions.h>

#include <algorithm>

namespace fathom::test {

namespace {

std::string threadName(int rank) {
  return "rank " + std::to_string(rank) + " of threads";
}

}  // namespace

class ThreadExchange final : public GradientExchange {
 public:
  ThreadExchange(ThreadRanks& all, int rank) : m_all(all), m_rank(rank) {}
  int rank() const override { return m_rank; }
  int size() const override { return m_all.m_size; }
  void useDevice(const torch::Device&) override {}
  void launch(const torch::Tensor& flat) override { m_launched.push_back(flat); }
  void finish() override {
    for (torch::Tensor& flat : m_launched) add(flat);
    m_launched.clear();
  }
  std::vector<std::vector<double>> gather(const std::vector<double>& mine) override {
    return m_all.round(m_rank, mine);
  }
  std::string fromFirst(const std::string& said) override { return m_all.words(m_rank, said).front(); }
  std::vector<std::string> collect(const std::string& mine) override { return m_all.words(m_rank, mine); }
  int strongestWish(int own) override {
    const std::lock_guard lock(m_all.m_mutex);
    return m_all.m_wish = std::max(m_all.m_wish, own);
  }
  bool someoneGone() override {
    const std::lock_guard lock(m_all.m_mutex);
    return m_all.m_left >= 0 && m_all.m_left != m_rank;
  }
  void leave(const RankEnd& end) override {
    const std::lock_guard lock(m_all.m_mutex);
    if (m_all.m_left < 0) {
      m_all.m_left = m_rank;
      m_all.m_end = rankEndFrom(rankEndText(end));
    }
    m_all.m_turn.notify_all();
  }
  std::string way() const override { return "memory"; }
  std::string nameOf(int rank) const override { return threadName(rank); }

 private:
  void add(torch::Tensor& flat) {
    const at::NoGradGuard noGrad;
    const torch::Tensor wide = flat.to(torch::kFloat64);
    const double* at = wide.const_data_ptr<double>();
    const auto all = m_all.round(m_rank, std::vector<double>(at, at + wide.numel()));
    flat.zero_();
    for (const std::vector<double>& numbers : all)
      flat.add_(at::tensor(numbers, at::kDouble).to(flat.scalar_type()));
  }
  ThreadRanks& m_all;
  int m_rank;
  std::vector<torch::Tensor> m_launched;
};

class ThreadMeeting final : public RankMeeting {
 public:
  ThreadMeeting(ThreadRanks& all, int rank, std::function<void(RankMeeting&)> other)
      : m_all(all), m_other(std::move(other)) {
    m_ranks.rank = rank;
    m_ranks.size = all.m_size;
  }
  const Ranks& ranks() const override { return m_ranks; }
  Ranks planned(const ParallelSettings&) const override { return m_ranks; }
  std::unique_ptr<GradientExchange> meet(const ParallelSettings&, const std::string&) override {
    if (m_other) m_all.startOthers(m_other);
    return std::make_unique<ThreadExchange>(m_all, m_ranks.rank);
  }

 private:
  ThreadRanks& m_all;
  std::function<void(RankMeeting&)> m_other;
  Ranks m_ranks;
};

std::unique_ptr<RankMeeting> ThreadRanks::meeting(std::function<void(RankMeeting&)> other) {
  return std::make_unique<ThreadMeeting>(*this, 0, std::move(other));
}

void ThreadRanks::startOthers(const std::function<void(RankMeeting&)>& other) {
  for (int rank = 1; rank < m_size; ++rank)
    m_threads.emplace_back([this, rank, other] {
      ThreadMeeting meeting(*this, rank, {});
      other(meeting);
    });
}

void ThreadRanks::together(const std::function<void(GradientExchange&)>& work) {
  for (int rank = 0; rank < m_size; ++rank)
    m_threads.emplace_back([this, rank, work] {
      ThreadExchange exchange(*this, rank);
      work(exchange);
    });
  join();
}

void ThreadRanks::lose(int rank) {
  const std::lock_guard lock(m_mutex);
  m_left = rank;
  m_end = {unavailableError("killed"), true};
  m_turn.notify_all();
}

void ThreadRanks::join() {
  for (std::thread& thread : m_threads) thread.join();
  m_threads.clear();
}

void ThreadRanks::await(std::unique_lock<std::mutex>& lock) {
  const long round = m_rounds;
  if (++m_here == m_size) {
    m_here = 0;
    ++m_rounds;
    m_saidNumbers = std::move(m_numbers);
    m_saidTexts = std::move(m_texts);
    m_turn.notify_all();
  }
  m_turn.wait(lock, [&] { return m_rounds != round || m_left >= 0; });
  if (m_rounds == round) endWith(threadName(m_left), m_end);
}

std::vector<std::vector<double>> ThreadRanks::round(int rank, std::vector<double> mine) {
  std::unique_lock lock(m_mutex);
  m_numbers.resize(static_cast<std::size_t>(m_size));
  m_numbers[static_cast<std::size_t>(rank)] = std::move(mine);
  await(lock);
  return m_saidNumbers;
}

std::vector<std::string> ThreadRanks::words(int rank, const std::string& mine) {
  std::unique_lock lock(m_mutex);
  m_texts.resize(static_cast<std::size_t>(m_size));
  m_texts[static_cast<std::size_t>(rank)] = mine;
  await(lock);
  return m_saidTexts;
}

}  // namespace fathom::test
