// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/threads/stop_token.h"
#include "core/train/parallel/gradient_buckets.h"
#include "core/train/parallel/gradient_exchange.h"
#include "core/train/parallel/term_numbers.h"

namespace fathom {

// The share of one rank in a run: the one thing that the training loop knows about there being several. Each
// rank plans every update whole and computes the micro-batches that are its own; what all of them then go on
// with (gradients, numbers, wishes) is the same everywhere. One thread.
class RankShare {
 public:
  // `exchange` is borrowed; `wishes` is what this process hears from outside. `check`: the ranks compare
  // their weights every so many updates, 0 = never.
  RankShare(GradientExchange& exchange, StopToken wishes, std::int64_t check);
  ~RankShare();

  bool first() const { return m_exchange.rank() == 0; }
  bool mine(std::int64_t microBatch) const;
  // Before the first update: the trained leaves, and the most micro-batches that an update can have.
  void hold(std::vector<torch::Tensor> parameters, std::int64_t mostMicroBatches);
  // The next backward pass is the last one of this rank in this update.
  void lastPass() { m_buckets->arm(); }
  // Gradients of the parameters become the sums over all ranks; returns the numbers of all micro-batches, in
  // the order of the update. Wishes that any rank has heard are in stop() from now on.
  std::vector<TermNumbers> meet(const std::vector<TermNumbers>& mine);
  // Wishes that all ranks heed at the same update.
  const StopToken& stop() const { return m_agreed; }

  // --- Work between two updates. Wishes that come meanwhile are heeded by all ranks or by none of them.
  // Wishes that any rank has heard by now, and a wish to end where one is gone; listen() looks for them, on
  // any one thread.
  const StopToken& heard() const { return m_heard; }
  void listen();
  // Bytes of every rank, by rank, behind work that was shared out; waits for each rank as long as it lives.
  // `whole` false: a wish has cut this rank's work. Then Failure(interrupted) on all, and the wish in stop().
  std::vector<std::string> meetBehind(const std::string& mine, bool whole);
  // Numbers that rank 0 finds by `work`, which it alone does. Where a wish of its own cuts it, the same.
  // Where another rank is gone meanwhile it is cut as by an abort, and that end is told.
  std::vector<double> byFirst(const std::function<std::vector<double>()>& work);
  // The same for work without numbers, which has nothing to do on the others; they wait for it.
  void behindFirst(const std::function<void()>& work);
  // Words of every rank, by rank, which all of them have read then.
  std::vector<std::string> collect(const std::string& mine);

  // True where the ranks are to compare their weights after this update.
  bool comparesAt(std::int64_t update) const { return m_check > 0 && update % m_check == 0; }
  // Throws Failure(internal) on all ranks, naming the first one whose weights are others than those of rank
  // 0.
  void compareWeights(std::int64_t update);
  GradientExchange& exchange() { return m_exchange; }

 private:
  GradientExchange& m_exchange;
  [[noreturn]] void heedNow(int wish);
  void watch();
  StopToken m_wishes, m_agreed, m_heard;
  std::int64_t m_check;
  std::vector<torch::Tensor> m_parameters;
  std::unique_ptr<GradientBuckets> m_buckets;
  std::size_t m_slots = 0;
};

// CRC-32C over the bytes of tensors, wherever they lie.
std::uint32_t weightsHash(const std::vector<torch::Tensor>& tensors);

}  // namespace fathom
