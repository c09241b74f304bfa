// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "core/train/parallel/rank_lost.h"

namespace fathom {

// What joins the ranks of one run. Every rank makes the same calls in the same order, on one thread. A rank
// that is lost, or silent for too long, ends every call in RankLost that names it; one that has left with an
// error of its own ends it in OtherRankFailed with that error.
class GradientExchange {
 public:
  virtual ~GradientExchange() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // From now on `device` is where added tensors lie: a card is this rank's own. Without a call it is the
  // processor. Waits for all ranks.
  virtual void useDevice(const torch::Device& device) = 0;
  // Begins to add `flat` ([n] float32 or float64 of that device) over the ranks, in place; every rank gets
  // the same bits. Whoever calls goes on; `flat` is not touched before finish(). On a card another thread
  // than the one of all other calls may ask while that one waits for it.
  virtual void launch(const torch::Tensor& flat) = 0;
  // Waits for all that was launched. On a card the sums are there for what is asked of it from now on.
  virtual void finish() = 0;
  // Numbers of every rank, by rank; as many of each.
  virtual std::vector<std::vector<double>> gather(const std::vector<double>& mine) = 0;
  // What rank 0 says, to all of them. The others wait for as long as rank 0 lives, however long its work is.
  virtual std::string fromFirst(const std::string& said) = 0;
  // Words of every rank, by rank. Waits for each of them for as long as it lives.
  virtual std::vector<std::string> collect(const std::string& mine) = 0;
  // Strength of the strongest wish that any rank has told so far, this one's `own` among them: 0 none, 1 to
  // stop, 2 to leave now. Unlike all other calls one rank may make it as often as it likes, on one further
  // thread while another call waits: nobody answers. Throws where the others cannot be asked; it never waits
  // longer than a few seconds.
  virtual int strongestWish(int own) = 0;
  // True once another rank is known to be gone, or was silent for too long: whoever waits for the others is
  // told which one, at once. On the thread of strongestWish; never throws.
  virtual bool someoneGone() = 0;
  // This rank ends: the others are told why.
  virtual void leave(const RankEnd& end) = 0;
  // By which address or interface this rank talks, for the log.
  virtual std::string way() const = 0;
  // "rank 3 on n2", for messages.
  virtual std::string nameOf(int rank) const = 0;
};

}  // namespace fathom
