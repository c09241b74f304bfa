// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include "core/kernels/chain_softmax.h"
#include "core/kernels/host/executor.h"
#include "tests/kernels/kernel_case.h"

namespace fathom::kernel_cases {

namespace {

using Numbers = std::vector<double>;

enum class ChainMask { MinusInfinity, AddMinus10000, SetMinus1e9 };

struct ChainShape {
  std::int64_t batch, heads, queries, keys;
  double divisor;  // 1: no chain or a running sum
  ChainMask style;
  bool padding, pairs, causal;
  double p;
  bool adds;  // the running gradient has something
};

double maskedValue(ChainMask style) {
  if (style == ChainMask::AddMinus10000) return -10000;
  return style == ChainMask::SetMinus1e9 ? -1e9 : -std::numeric_limits<double>::infinity();
}

struct ChainInputs {
  Numbers scores, keptGradient, running;
  std::vector<std::uint8_t> hidden;  // [batch, keys]
  std::vector<std::uint8_t> pairs;   // [batch, queries, keys]: a query that is padding sees no key at all
  MaskRule mask;
  double scale = 1;
};
struct ChainOutputs {
  Numbers probabilities, kept, running;
};

double chainKeptAt(const ChainInputs& in, std::uint64_t index) {
  const std::uint32_t bits =
      mixBits(mixBits(static_cast<std::uint32_t>(index) ^ in.mask.key(index)) + in.mask.high);
  return bits >= in.mask.threshold ? in.scale : 0;
}

bool isHidden(const ChainShape& shape, const ChainInputs& in, std::int64_t sequence, std::int64_t query,
              std::int64_t key) {
  const auto padding = [&](std::int64_t at) {
    return shape.padding && in.hidden[static_cast<std::size_t>(sequence * shape.keys + at)] != 0;
  };
  return padding(key) || (shape.causal && key > query) || (shape.pairs && padding(query));
}

// The formulas of chain_softmax.h; `stored` rounds what a kernel keeps in its format. Logits far from 0 are
// those of the format of sums, `wide`: with -10000 added float32 has three digits behind the point left.
ChainOutputs chainFormulas(const ChainShape& shape, const ChainInputs& in, double (*stored)(double),
                           double (*wide)(double)) {
  const std::size_t count = in.scores.size();
  ChainOutputs out{Numbers(count), Numbers(count), Numbers(count)};
  const std::int64_t rows = shape.batch * shape.heads * shape.queries;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t query = row % shape.queries, sequence = row / (shape.heads * shape.queries);
    const auto at = [&](std::int64_t key) { return static_cast<std::size_t>(row * shape.keys + key); };
    Numbers logits(static_cast<std::size_t>(shape.keys));
    double largest = -std::numeric_limits<double>::infinity(), total = 0, along = 0;
    for (std::int64_t key = 0; key < shape.keys; ++key) {
      double& logit = logits[static_cast<std::size_t>(key)];
      logit = in.scores[at(key)] / shape.divisor;
      if (isHidden(shape, in, sequence, query, key))
        logit = maskedValue(shape.style) + (shape.style == ChainMask::SetMinus1e9 ? 0 : logit);
      if (std::fabs(logit) > 1000) logit = wide(logit);
      largest = std::max(largest, logit);
    }
    for (const double logit : logits) total += std::exp(logit - largest);
    for (std::int64_t key = 0; key < shape.keys; ++key) {
      const double p = stored(std::exp(logits[static_cast<std::size_t>(key)] - largest) / total);
      out.probabilities[at(key)] = p;
      out.kept[at(key)] = p * chainKeptAt(in, at(key));
      along += in.keptGradient[at(key)] * chainKeptAt(in, at(key)) * p;
    }
    for (std::int64_t key = 0; key < shape.keys; ++key) {
      const double ofLogit =
          out.probabilities[at(key)] * (in.keptGradient[at(key)] * chainKeptAt(in, at(key)) - along);
      const bool replaced =
          shape.style == ChainMask::SetMinus1e9 && isHidden(shape, in, sequence, query, key);
      out.running[at(key)] =
          (shape.adds ? in.running[at(key)] : 0) + (replaced ? 0 : ofLogit / shape.divisor);
    }
  }
  return out;
}

ChainInputs chainInputs(const ChainShape& shape, std::uint64_t seed) {
  Random random(seed);
  const std::int64_t count = shape.batch * shape.heads * shape.queries * shape.keys;
  ChainInputs in;
  in.scores = randomNumbers(random, count, 2);
  in.keptGradient = randomNumbers(random, count);
  in.running = randomNumbers(random, count);
  in.hidden.resize(static_cast<std::size_t>(shape.batch * shape.keys));
  for (std::int64_t b = 0; b < shape.batch; ++b)
    for (std::int64_t key = 0; key < shape.keys; ++key) {
      // The second sequence sees no key at all, where that is a number.
      const bool all = b == 1 && shape.style != ChainMask::MinusInfinity;
      const bool first = key == 0 && shape.style == ChainMask::MinusInfinity;
      in.hidden[static_cast<std::size_t>(b * shape.keys + key)] =
          all || (!first && random() % 4 == 0) ? 1 : 0;
    }
  for (std::int64_t b = 0; shape.pairs && b < shape.batch; ++b)
    for (std::int64_t query = 0; query < shape.queries; ++query)
      for (std::int64_t key = 0; key < shape.keys; ++key) {
        const auto padding = [&](std::int64_t at) {
          return in.hidden[static_cast<std::size_t>(b * shape.keys + at)];
        };
        in.pairs.push_back(static_cast<std::uint8_t>(padding(query) | padding(key)));
      }
  if (shape.p > 0) in.mask = MaskRule(shape.p, random());
  in.scale = 1 / (1 - shape.p);
  return in;
}

template <typename T>
struct ChainBuffers {
  using W = Wide<T>;
  std::vector<W> scores, running;
  std::vector<T> keptGradient, probabilities, kept;
  ChainSoftmaxCall call;
  ChainSoftmaxGradients gradients;

  ChainBuffers(const ChainShape& shape, const ChainInputs& in)
      : scores(rounded<W>(in.scores)),
        running(rounded<W>(in.running)),
        keptGradient(rounded<T>(in.keptGradient)) {
    const auto count = static_cast<std::int64_t>(scores.size());
    probabilities = kept = unwritten<T>(count);
    if (!shape.adds) running = unwritten<W>(count);
    call.format = kFormat<T>;
    call.batch = shape.batch;
    call.heads = shape.heads;
    call.queries = shape.queries;
    call.keys = shape.keys;
    call.scores = scores.data();
    call.divisor = shape.divisor;
    if (shape.padding && !shape.pairs) call.hidden = in.hidden.data();
    call.hiddenBatchStride = shape.pairs ? shape.queries * shape.keys : shape.keys;
    if (shape.padding && shape.pairs) {
      call.hidden = in.pairs.data();
      call.hiddenQueryStride = shape.keys;
    }
    call.causal = shape.causal;
    call.replaces = shape.style == ChainMask::SetMinus1e9;
    call.masked = maskedValue(shape.style);
    call.mask = seededByTurns(in.mask);
    call.wideScale = in.scale;
    call.probabilities = probabilities.data();
    if (shape.p > 0) call.kept = kept.data();
    gradients = {keptGradient.data(), running.data(), shape.adds};
  }
  ChainInputs inputs(ChainInputs in) const {
    in.scores = exact(scores);
    in.keptGradient = exact(keptGradient);
    in.running = exact(rounded<W>(in.running));
    if (in.mask.active() && !std::is_same_v<T, double>) in.scale = static_cast<double>(in.mask.scale);
    return in;
  }
};

template <typename T>
double keptAs(double number) {
  return static_cast<double>(widened(narrowed<T>(static_cast<Wide<T>>(number))));
}

template <typename T>
void chainCase(Verdict& verdict, const ChainShape& shape, std::uint64_t seed) {
  const ChainInputs in = chainInputs(shape, seed);
  const std::string what =
      "chain_softmax " + std::to_string(shape.batch) + " x " + std::to_string(shape.heads) + " x " +
      std::to_string(shape.queries) + " x " + std::to_string(shape.keys) + " of format " +
      std::to_string(static_cast<int>(kFormat<T>)) + ", mask " +
      std::to_string(static_cast<int>(shape.style)) + (shape.padding ? ", padding" : "") +
      (shape.pairs ? ", pairs" : "") + (shape.causal ? ", causal" : "") + ", p " + std::to_string(shape.p) +
      ", divisor " + std::to_string(shape.divisor);
  inTwoOrders(verdict, what, [&](bool judged) {
    ChainBuffers<T> of(shape, in);
    verdict.require(launchChainSoftmax(of.call, nullptr) == 0, what + ": an error");
    verdict.require(launchChainSoftmaxBackward(of.call, of.gradients, nullptr) == 0,
                    what + ": an error backwards");
    const std::string bytes = bytesOf(of.probabilities) + bytesOf(of.kept) + bytesOf(of.running);
    if (!judged) return bytes;
    const ChainOutputs expected = chainFormulas(shape, of.inputs(in), keptAs<T>, keptAs<Wide<T>>);
    verdict.close(of.probabilities, expected.probabilities, what + ": probabilities");
    if (shape.p > 0) verdict.close(of.kept, expected.kept, what + ": kept");
    verdict.close(of.running, expected.running, what + ": running gradient");
    return bytes;
  });
}

void everyChainFormat(Verdict& verdict, const ChainShape& shape, std::uint64_t seed) {
  chainCase<float>(verdict, shape, seed);
  if (!everyFormat()) return;
  chainCase<BFloat16>(verdict, shape, seed);
  chainCase<double>(verdict, shape, seed);
}

void chainDifferences(Verdict& verdict, std::uint64_t seed) {
  const ChainShape shape{1, 2, 5, 5, 3, ChainMask::AddMinus10000, true, false, true, 0.3, false};
  ChainInputs in = chainInputs(shape, seed);
  const auto loss = [&] {
    ChainBuffers<double> of(shape, in);
    launchChainSoftmax(of.call, nullptr);
    double total = 0;
    for (std::size_t i = 0; i < of.kept.size(); ++i) total += of.kept[i] * in.keptGradient[i];
    return total;
  };
  ChainBuffers<double> of(shape, in);
  launchChainSoftmax(of.call, nullptr);
  launchChainSoftmaxBackward(of.call, of.gradients, nullptr);
  for (std::size_t i = 0; i < in.scores.size(); ++i) {
    constexpr double kStep = 1e-5;
    const double before = in.scores[i];
    in.scores[i] = before + kStep;
    const double above = loss();
    in.scores[i] = before - kStep;
    const double below = loss();
    in.scores[i] = before;
    verdict.require(std::fabs((above - below) / (2 * kStep) - of.running[i]) < 1e-7,
                    "chain_softmax: difference of score " + std::to_string(i));
  }
}

// As LibTorch's softmax has it: nothing but hidden keys is no number, and the rows beside it are unharmed.
void noKeyAtAll(Verdict& verdict) {
  const ChainShape shape{2, 1, 1, 3, 1, ChainMask::MinusInfinity, true, false, false, 0, false};
  ChainInputs in = chainInputs(shape, 1);
  in.hidden = {1, 1, 1, 0, 1, 0};
  ChainBuffers<float> of(shape, in);
  launchChainSoftmax(of.call, nullptr);
  verdict.require(
      std::isnan(of.probabilities[0]) && std::isfinite(of.probabilities[3]) && of.probabilities[4] == 0,
      "chain_softmax: a row without any key");
}

// The last row of more than 2^31 scores.
void farChain(Verdict& verdict) {
  const ChainShape last{1, 1, 1, 33, 1, ChainMask::MinusInfinity, false, false, false, 0.5, false};
  const ChainInputs in = chainInputs(last, 3);
  ChainBuffers<float> of(last, in);
  const std::int64_t queries = (std::int64_t{1} << 31) / 33 + 4, first = (queries - 1) * 33;
  const std::size_t bytes = static_cast<std::size_t>(queries * 33) * sizeof(float);
  float* ranges[3];
  for (float*& range : ranges) {
    void* data =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    verdict.require(data != MAP_FAILED, "no addresses for far scores");
    if (data == MAP_FAILED) return;
    range = static_cast<float*>(data);
  }
  std::copy(of.scores.begin(), of.scores.end(), ranges[0] + first);
  of.call.queries = queries;
  of.call.scores = ranges[0];
  of.call.probabilities = ranges[1];
  of.call.kept = ranges[2];
  executor::onlyBlocks((queries - 1) / 4, (queries + 3) / 4);
  launchChainSoftmax(of.call, nullptr);
  executor::onlyBlocks(0, -1);
  const ChainOutputs expected = chainFormulas(last, of.inputs(in), keptAs<float>, keptAs<float>);
  verdict.close(std::vector<float>(ranges[1] + first, ranges[1] + first + 33), expected.probabilities,
                "chain_softmax: a far row");
  for (std::int64_t key = 0; key < 33; ++key) {
    const double kept = chainKeptAt(of.inputs(in), static_cast<std::uint64_t>(first + key));
    verdict.require(std::fabs(static_cast<double>(ranges[2][first + key]) -
                              static_cast<double>(ranges[1][first + key]) * kept) < 1e-6,
                    "chain_softmax: the mask of a far row");
  }
  for (float* range : ranges) ::munmap(range, bytes);
}

}  // namespace

void chainCases(Verdict& verdict, std::uint64_t seed, int count) {
  for (const std::int64_t length : {1, 31, 33}) {
    everyChainFormat(verdict,
                     {2, 2, length, length, 1, ChainMask::MinusInfinity, true, false, true, 0.1, true}, seed);
    everyChainFormat(verdict,
                     {2, 1, length, length, 6, ChainMask::AddMinus10000, true, false, false, 0, false}, seed);
    everyChainFormat(verdict, {3, 1, length, length, 1, ChainMask::SetMinus1e9, true, true, false, 0.5, true},
                     seed);
  }
  everyChainFormat(verdict, {1, 3, 5, 61, 2, ChainMask::AddMinus10000, false, false, false, 0.2, true}, seed);
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const std::int64_t queries = between(random, 1, 40);
    const bool square = random() % 2 == 0;
    const auto style = static_cast<ChainMask>(random() % 3);
    everyChainFormat(
        verdict,
        {between(random, 1, 3), between(random, 1, 3), queries, square ? queries : between(random, 1, 80),
         static_cast<double>(random() % 12 + 1), style, random() % 3 != 0,
         square && style != ChainMask::MinusInfinity && random() % 2 == 0, square && random() % 2 == 0,
         static_cast<double>(random() % 60) / 100, random() % 2 == 0},
        random());
  }
  if (everyFormat()) chainDifferences(verdict, seed);
  noKeyAtAll(verdict);
  farChain(verdict);
}

}  // namespace fathom::kernel_cases
