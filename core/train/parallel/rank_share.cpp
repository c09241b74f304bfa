// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/rank_share.h"

#include <algorithm>

#include "core/base/files/hash.h"

namespace fathom {

RankShare::RankShare(GradientExchange& exchange, StopToken wishes, std::int64_t check)
    : m_exchange(exchange), m_wishes(std::move(wishes)), m_check(check) {}

RankShare::~RankShare() = default;

bool RankShare::mine(std::int64_t microBatch) const {
  return microBatch % m_exchange.size() == m_exchange.rank();
}

void RankShare::hold(std::vector<torch::Tensor> parameters, std::int64_t mostMicroBatches) {
  m_parameters = std::move(parameters);
  m_buckets = std::make_unique<GradientBuckets>(m_exchange, m_parameters);
  const std::int64_t size = m_exchange.size();
  m_slots = static_cast<std::size_t>((mostMicroBatches + size - 1) / size);
}

// A message: two wishes, the numbers of the micro-batches, the parameters that have a gradient.
std::vector<TermNumbers> RankShare::meet(const std::vector<TermNumbers>& mine) {
  std::vector<double> message{m_wishes.stopRequested() ? 1.0 : 0.0, m_wishes.abortRequested() ? 1.0 : 0.0};
  const std::size_t wishes = message.size();
  for (const double number : packedTerms(mine, m_slots)) message.push_back(number);
  const std::size_t head = message.size();
  for (const double present : m_buckets->sendRest()) message.push_back(present);
  std::vector<TermNumbers> all;
  std::vector<double> present(message.size() - head, 0.0);
  bool stop = false, abort = false;
  for (const std::vector<double>& said : m_exchange.gather(message)) {
    stop = stop || said[0] > 0;
    abort = abort || said[1] > 0;
    unpackTerms(&said[wishes], all);
    for (std::size_t i = 0; i < present.size(); ++i) present[i] += said[head + i];
  }
  m_buckets->finish(present);
  if (abort)
    m_agreed.requestAbort();
  else if (stop && !m_agreed.stopRequested())
    m_agreed.requestStop();
  orderTerms(all);
  if (!mine.empty())
    for (TermNumbers& term : all)
      for (std::size_t i = 0; i < term.sums.size(); ++i) term.sums[i].name = mine.front().sums[i].name;
  return all;
}

void RankShare::compareWeights(std::int64_t update) {
  const std::vector<std::vector<double>> hashes =
      m_exchange.gather({static_cast<double>(weightsHash(m_parameters))});
  for (std::size_t rank = 1; rank < hashes.size(); ++rank)
    if (hashes[rank] != hashes.front())
      throw Failure(internalError(Phrase::tr("%1 has other weights than rank 0 after update %2")(
          m_exchange.nameOf(static_cast<int>(rank)), update)));
}

std::uint32_t weightsHash(const std::vector<torch::Tensor>& tensors) {
  std::uint32_t hash = 0;
  for (const torch::Tensor& tensor : tensors) {
    const torch::Tensor whole = tensor.detach().contiguous();
    hash = crc32c({static_cast<const char*>(whole.const_data_ptr()), whole.nbytes()}, hash);
  }
  return hash;
}

}  // namespace fathom
