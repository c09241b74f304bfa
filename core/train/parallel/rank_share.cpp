// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/rank_share.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/base/files/hash.h"
#include "core/train/parallel/rank_lookout.h"

namespace fathom {

namespace {

int strengthOf(const StopToken& wishes) {
  return wishes.abortRequested() ? 2 : wishes.stopRequested() ? 1 : 0;
}

void raiseTo(const StopToken& token, int wish) {
  if (wish > 1)
    token.requestAbort();
  else if (wish > 0 && !token.stopRequested())
    token.requestStop();
}

std::string asBytes(const std::vector<double>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

std::vector<double> asNumbers(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  return numbers;
}

// Bytes as a message of `length` numbers.
std::vector<double> padded(const std::string& bytes, std::size_t length) {
  std::vector<double> numbers(length, 0.0);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

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
  raiseTo(m_agreed, abort ? 2 : stop ? 1 : 0);
  orderTerms(all);
  if (!mine.empty())
    for (TermNumbers& term : all)
      for (std::size_t i = 0; i < term.sums.size(); ++i) term.sums[i].name = mine.front().sums[i].name;
  return all;
}

// Who is gone is told by whatever waits for the others next: the work is cut for it.
void RankShare::listen() {
  if (m_exchange.someoneGone()) return raiseTo(m_heard, 2);
  raiseTo(m_heard, m_exchange.strongestWish(strengthOf(m_wishes)));
}

// By the wish that its work heeds anyway; whatever asks the others next tells who it was.
void RankShare::watch() {
  if (m_exchange.someoneGone()) raiseTo(m_wishes, 2);
}

void RankShare::heedNow(int wish) {
  raiseTo(m_agreed, std::max(wish, 1));
  throw Failure(interruptedError());
}

std::vector<std::string> RankShare::meetBehind(const std::string& mine, bool whole) {
  const int own = std::max(strengthOf(m_wishes), strengthOf(m_heard));
  const std::vector<double> head{whole ? 1.0 : 0.0, static_cast<double>(own),
                                 static_cast<double>(mine.size())};
  std::vector<std::size_t> sizes;
  int wish = 0;
  bool cut = false;
  for (const std::string& said : m_exchange.collect(asBytes(head))) {
    const std::vector<double> theirs = asNumbers(said);
    cut = cut || theirs.at(0) == 0;
    wish = std::max(wish, static_cast<int>(theirs.at(1)));
    sizes.push_back(static_cast<std::size_t>(theirs.at(2)));
  }
  if (cut) {
    m_exchange.gather({0.0});  // the store ends with rank 0: everybody has read before it goes on
    heedNow(wish);
  }
  const std::size_t longest = *std::max_element(sizes.begin(), sizes.end());
  const auto all = m_exchange.gather(padded(mine, (longest + sizeof(double) - 1) / sizeof(double)));
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    texts.push_back(asBytes(all[rank]).substr(0, sizes[rank]));
  return texts;
}

// A message: whether it was cut, the wish, the numbers.
std::vector<double> RankShare::byFirst(const std::function<std::vector<double>()>& work) {
  std::vector<double> said;
  if (first()) {
    try {
      const RankLookout lookout([this] { watch(); });
      said = work();
      said.insert(said.begin(), {0.0, 0.0});
    } catch (const Failure& failure) {
      if (failure.error().kind != ErrorKind::Interrupted) throw;
      said = {1.0, static_cast<double>(strengthOf(m_wishes))};
    }
  }
  said = asNumbers(m_exchange.fromFirst(asBytes(said)));
  m_exchange.gather({0.0});  // the store ends with rank 0: everybody has read before it goes on
  if (said.at(0) > 0) heedNow(static_cast<int>(said.at(1)));
  said.erase(said.begin(), said.begin() + 2);
  return said;
}

void RankShare::behindFirst(const std::function<void()>& work) {
  try {
    std::optional<RankLookout> lookout;
    if (first()) lookout.emplace([this] { watch(); });
    work();
  } catch (const Failure& failure) {
    if (failure.error().kind == ErrorKind::Interrupted) m_exchange.fromFirst({});
    throw;
  }
  m_exchange.fromFirst({});
  m_exchange.gather({0.0});  // as byFirst
}

std::vector<std::string> RankShare::collect(const std::string& mine) {
  std::vector<std::string> all = m_exchange.collect(mine);
  m_exchange.gather({0.0});  // as byFirst
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
    const torch::Tensor whole = tensor.detach().contiguous().cpu();
    hash = crc32c({static_cast<const char*>(whole.const_data_ptr()), whole.nbytes()}, hash);
  }
  return hash;
}

}  // namespace fathom
