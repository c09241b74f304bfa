// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <algorithm>

#include "core/kernels/host/executor.h"
#include "core/kernels/relation_attention.h"
#include "tests/kernels/kernel_case.h"

namespace fathom::kernel_cases {

namespace {

using Numbers = std::vector<double>;

struct RelationShape {
  std::vector<std::int64_t> counts;  // rows of the sequences, which may be none
  std::int64_t heads, width, types;
  double p;
  bool causal = false;
  std::int64_t gap = 0;  // rows between sequences that belong to none
};

struct RelationInputs {
  Numbers projected, keys, values, outGradient;
  std::vector<std::uint8_t> ids;
  std::vector<std::int64_t> starts, spans;
  std::int64_t rows = 0, longest = 0;
  MaskRule mask;
  double keptScale = 1;
};
struct RelationOutputs {
  Numbers out, projected, keys, values;  // out, and gradients
};

RelationInputs relationInputs(const RelationShape& shape, std::uint64_t seed) {
  Random random(seed);
  RelationInputs in;
  for (const std::int64_t count : shape.counts) {
    in.rows += shape.gap;
    in.spans.insert(in.spans.end(), {in.rows, count});
    in.starts.push_back(static_cast<std::int64_t>(in.ids.size()));
    for (std::int64_t i = 0; i < count * count; ++i)
      in.ids.push_back(static_cast<std::uint8_t>(between(random, 0, shape.types - 1)));
    in.rows += count;
    in.longest = std::max(in.longest, count);
  }
  in.rows += shape.gap;
  const std::int64_t d = shape.heads * shape.width;
  in.projected = randomNumbers(random, in.rows * 3 * d);
  in.keys = randomNumbers(random, shape.types * shape.width);
  in.values = randomNumbers(random, shape.types * shape.width);
  in.outGradient = randomNumbers(random, in.rows * d);
  if (shape.p > 0) in.mask = MaskRule(shape.p, random());
  in.keptScale = 1 / (1 - shape.p);
  return in;
}

// One query of one head by the formulas of relation_attention.h.
class QueryFormulas {
 public:
  QueryFormulas(const RelationShape& shape, const RelationInputs& in, std::size_t sequence, std::int64_t head)
      : m_shape(shape), m_in(in), m_sequence(sequence), m_head(head) {}

  std::int64_t at(std::int64_t row, int part, std::int64_t column) const {
    return (m_in.spans[2 * m_sequence] + row) * 3 * m_shape.heads * m_shape.width +
           (part * m_shape.heads + m_head) * m_shape.width + column;
  }
  std::int64_t outAt(std::int64_t row, std::int64_t column) const {
    return ((m_in.spans[2 * m_sequence] + row) * m_shape.heads + m_head) * m_shape.width + column;
  }
  std::int64_t typeAt(std::int64_t query, std::int64_t key, std::int64_t column) const {
    const std::int64_t count = m_shape.counts[m_sequence];
    return m_in.ids[static_cast<std::size_t>(m_in.starts[m_sequence] + query * count + key)] * m_shape.width +
           column;
  }
  double kept(std::int64_t query, std::int64_t key) const {
    const auto index = static_cast<std::uint64_t>(
        ((static_cast<std::int64_t>(m_sequence) * m_shape.heads + m_head) * m_in.longest + query) *
            m_in.longest +
        key);
    const std::uint32_t bits =
        mixBits(mixBits(static_cast<std::uint32_t>(index) ^ m_in.mask.key(index)) + m_in.mask.high);
    return bits >= m_in.mask.threshold ? m_in.keptScale : 0;
  }
  void add(std::int64_t query, double scale, RelationOutputs& to) const;

 private:
  const RelationShape& m_shape;
  const RelationInputs& m_in;
  std::size_t m_sequence;
  std::int64_t m_head;
};

double& cell(Numbers& numbers, std::int64_t at) {
  return numbers[static_cast<std::size_t>(at)];
}
double number(const Numbers& numbers, std::int64_t at) {
  return numbers[static_cast<std::size_t>(at)];
}

void QueryFormulas::add(std::int64_t i, double scale, RelationOutputs& to) const {
  const std::int64_t keys = m_shape.causal ? i + 1 : m_shape.counts[m_sequence];
  Numbers p(static_cast<std::size_t>(keys)), ofP(static_cast<std::size_t>(keys));
  double largest = -std::numeric_limits<double>::infinity(), total = 0, along = 0;
  for (std::int64_t j = 0; j < keys; ++j) {
    for (std::int64_t c = 0; c < m_shape.width; ++c)
      cell(p, j) += scale * number(m_in.projected, at(i, 0, c)) *
                    (number(m_in.projected, at(j, 1, c)) + number(m_in.keys, typeAt(i, j, c)));
    largest = std::max(largest, number(p, j));
  }
  for (double& score : p) total += score = std::exp(score - largest);
  for (std::int64_t j = 0; j < keys; ++j) {
    cell(p, j) /= total;
    for (std::int64_t c = 0; c < m_shape.width; ++c) {
      const double value = number(m_in.projected, at(j, 2, c)) + number(m_in.values, typeAt(i, j, c));
      const double gradient = number(m_in.outGradient, outAt(i, c)), share = number(p, j) * kept(i, j);
      cell(to.out, outAt(i, c)) += share * value;
      cell(to.projected, at(j, 2, c)) += share * gradient;
      cell(to.values, typeAt(i, j, c)) += share * gradient;
      cell(ofP, j) += kept(i, j) * gradient * value;
    }
    along += number(p, j) * number(ofP, j);
  }
  for (std::int64_t j = 0; j < keys; ++j) {
    const double ofScore = scale * number(p, j) * (number(ofP, j) - along);
    for (std::int64_t c = 0; c < m_shape.width; ++c) {
      const double query = number(m_in.projected, at(i, 0, c));
      cell(to.projected, at(i, 0, c)) +=
          ofScore * (number(m_in.projected, at(j, 1, c)) + number(m_in.keys, typeAt(i, j, c)));
      cell(to.projected, at(j, 1, c)) += ofScore * query;
      cell(to.keys, typeAt(i, j, c)) += ofScore * query;
    }
  }
}

double scaleOfHead(const RelationShape& shape) {
  return 1 / std::sqrt(static_cast<double>(shape.width));
}

RelationOutputs relationFormulas(const RelationShape& shape, const RelationInputs& in, double scale) {
  RelationOutputs to{Numbers(in.outGradient.size()), Numbers(in.projected.size()), Numbers(in.keys.size()),
                     Numbers(in.values.size())};
  for (std::size_t b = 0; b < shape.counts.size(); ++b)
    for (std::int64_t h = 0; h < shape.heads; ++h)
      for (std::int64_t i = 0; i < shape.counts[b]; ++i) QueryFormulas(shape, in, b, h).add(i, scale, to);
  return to;
}

template <typename T>
struct RelationBuffers {
  using W = Wide<T>;
  std::vector<T> projected, keys, values, outGradient, out, projectedGradient;
  std::vector<W> stats, byKey, byValue, along;
  RelationAttentionCall call;
  RelationAttentionGradients gradients;

  RelationBuffers(const RelationShape& shape, const RelationInputs& in)
      : projected(rounded<T>(in.projected)),
        keys(rounded<T>(in.keys)),
        values(rounded<T>(in.values)),
        outGradient(rounded<T>(in.outGradient)) {
    out = unwritten<T>(static_cast<std::int64_t>(outGradient.size()));
    projectedGradient = unwritten<T>(static_cast<std::int64_t>(projected.size()));
    stats = along = unwritten<W>(in.rows * shape.heads);
    byKey = byValue = unwritten<W>(in.rows * shape.heads * shape.types);
    call.format = kFormat<T>;
    call.sequences = static_cast<std::int64_t>(shape.counts.size());
    call.heads = shape.heads;
    call.width = shape.width;
    call.longest = call.maskLength = in.longest;
    call.types = shape.types;
    call.projected = projected.data();
    call.relationKeys = keys.data();
    call.relationValues = values.data();
    call.ids = in.ids.data();
    call.idStarts = in.starts.data();
    call.spans = in.spans.data();
    call.scale = scaleOfHead(shape);
    call.causal = shape.causal;
    call.mask = seededByTurns(in.mask);
    call.wideScale = in.keptScale;
    call.out = out.data();
    call.stats = stats.data();
    gradients = {outGradient.data(), projectedGradient.data(), byKey.data(), byValue.data(), along.data()};
  }
  RelationInputs inputs(RelationInputs in) const {
    in.projected = exact(projected);
    in.keys = exact(keys);
    in.values = exact(values);
    in.outGradient = exact(outGradient);
    if (in.mask.active() && !std::is_same_v<T, double>) in.keptScale = static_cast<double>(in.mask.scale);
    return in;
  }
};

// Rows of no sequence: they must be as they were, NaN.
template <typename T>
std::vector<T> withoutGaps(const std::vector<T>& numbers, const RelationInputs& in, std::int64_t width,
                           Verdict& verdict, const std::string& what) {
  std::vector<T> real = numbers;
  std::vector<bool> belongs(static_cast<std::size_t>(in.rows), false);
  for (std::size_t b = 0; b < in.spans.size(); b += 2)
    for (std::int64_t row = 0; row < in.spans[b + 1]; ++row)
      belongs[static_cast<std::size_t>(in.spans[b] + row)] = true;
  bool untouched = true;
  for (std::size_t i = 0; i < real.size(); ++i) {
    if (belongs[i / static_cast<std::size_t>(width)]) continue;
    untouched = untouched && std::isnan(widened(real[i]));
    real[i] = narrowed<T>(Wide<T>(0));
  }
  verdict.require(untouched, what + ": a row of no sequence was written");
  return real;
}

// by_type^T rows, over rows and heads: what the host half does with a matrix product.
template <typename T>
Numbers tableGradient(const RelationShape& shape, const RelationInputs& in,
                      const std::vector<Wide<T>>& byType, const Numbers& from, std::int64_t stride) {
  Numbers table(static_cast<std::size_t>(shape.types * shape.width));
  for (std::size_t b = 0; b < in.spans.size(); b += 2)
    for (std::int64_t row = in.spans[b]; row < in.spans[b] + in.spans[b + 1]; ++row)
      for (std::int64_t h = 0; h < shape.heads; ++h)
        for (std::int64_t t = 0; t < shape.types; ++t)
          for (std::int64_t c = 0; c < shape.width; ++c)
            cell(table, t * shape.width + c) +=
                static_cast<double>(
                    byType[static_cast<std::size_t>((row * shape.heads + h) * shape.types + t)]) *
                number(from, row * stride + h * shape.width + c);
  return table;
}

template <typename T>
void relationCase(Verdict& verdict, const RelationShape& shape, std::uint64_t seed) {
  const RelationInputs in = relationInputs(shape, seed);
  std::string what = "relation_attention of";
  for (const std::int64_t count : shape.counts) what += " " + std::to_string(count);
  what += " rows, heads " + std::to_string(shape.heads) + " of " + std::to_string(shape.width) + ", " +
          std::to_string(shape.types) + " relations, format " + std::to_string(static_cast<int>(kFormat<T>)) +
          ", p " + std::to_string(shape.p) + (shape.causal ? ", causal" : "");
  const std::int64_t d = shape.heads * shape.width;
  inTwoOrders(verdict, what, [&](bool judged) {
    RelationBuffers<T> of(shape, in);
    verdict.require(launchRelationAttention(of.call, nullptr) == 0, what + ": an error");
    verdict.require(launchRelationAttentionBackward(of.call, of.gradients, nullptr) == 0,
                    what + ": an error backwards");
    const std::string bytes =
        bytesOf(of.out) + bytesOf(of.projectedGradient) + bytesOf(of.byKey) + bytesOf(of.byValue);
    if (!judged) return bytes;
    const RelationInputs seen = of.inputs(in);
    const RelationOutputs expected = relationFormulas(shape, seen, scaleOfHead(shape));
    verdict.close(withoutGaps(of.out, in, d, verdict, what), expected.out, what + ": out");
    verdict.close(withoutGaps(of.projectedGradient, in, 3 * d, verdict, what), expected.projected,
                  what + ": gradient of the projections");
    verdict.close(rounded<T>(tableGradient<T>(shape, in, of.byKey, seen.projected, 3 * d)), expected.keys,
                  what + ": gradient of relation keys");
    verdict.close(rounded<T>(tableGradient<T>(shape, in, of.byValue, seen.outGradient, d)), expected.values,
                  what + ": gradient of relation values");
    return bytes;
  });
}

void everyRelationFormat(Verdict& verdict, const RelationShape& shape, std::uint64_t seed) {
  relationCase<float>(verdict, shape, seed);
  if (!everyFormat()) return;
  relationCase<BFloat16>(verdict, shape, seed);
  relationCase<double>(verdict, shape, seed);
}

void relationDifferences(Verdict& verdict, std::uint64_t seed) {
  const RelationShape shape{{3, 2}, 1, 3, 2, 0.2, true, 1};
  RelationInputs in = relationInputs(shape, seed);
  const auto loss = [&] {
    RelationBuffers<double> of(shape, in);
    launchRelationAttention(of.call, nullptr);
    double total = 0;
    for (std::size_t i = 0; i < of.out.size(); ++i)
      if (!std::isnan(of.out[i])) total += of.out[i] * in.outGradient[i];
    return total;
  };
  RelationBuffers<double> of(shape, in);
  launchRelationAttention(of.call, nullptr);
  launchRelationAttentionBackward(of.call, of.gradients, nullptr);
  const std::int64_t d = shape.heads * shape.width;
  const auto against = [&](Numbers& input, const Numbers& gradient, const char* name) {
    for (std::size_t i = 0; i < input.size(); ++i) {
      constexpr double kStep = 1e-5;
      const double before = input[i];
      input[i] = before + kStep;
      const double above = loss();
      input[i] = before - kStep;
      const double below = loss();
      input[i] = before;
      verdict.require(std::fabs((above - below) / (2 * kStep) - gradient[i]) < 1e-6,
                      std::string("relation_attention: difference of ") + name + " " + std::to_string(i));
    }
  };
  against(in.projected, withoutGaps(of.projectedGradient, in, 3 * d, verdict, "relation_attention"),
          "projections");
  against(in.keys, tableGradient<double>(shape, in, of.byKey, in.projected, 3 * d), "relation keys");
  against(in.values, tableGradient<double>(shape, in, of.byValue, in.outGradient, d), "relation values");
}

// A sequence whose rows lie behind more than 2^31 numbers of the stream.
void farRelations(Verdict& verdict) {
  const RelationShape shape{{3}, 1, 8, 4, 0, false, 0};
  RelationInputs in = relationInputs(shape, 9);
  RelationBuffers<float> of(shape, in);
  const std::int64_t first = (std::int64_t{1} << 31) / 24 + 7, rows = first + 3;
  const std::size_t bytes = static_cast<std::size_t>(rows) * 24 * sizeof(float);
  void* stream =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* out =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  verdict.require(stream != MAP_FAILED && out != MAP_FAILED, "no addresses for a far sequence");
  if (stream == MAP_FAILED || out == MAP_FAILED) return;
  std::copy(of.projected.begin(), of.projected.end(), static_cast<float*>(stream) + first * 24);
  in.spans = {first, 3};
  of.call.spans = in.spans.data();
  of.call.projected = stream;
  of.call.out = out;
  of.call.stats = static_cast<float*>(out) + rows * 8;
  launchRelationAttention(of.call, nullptr);
  const float* made = static_cast<float*>(out) + first * 8;
  in.spans = {0, 3};
  verdict.close(std::vector<float>(made, made + 24),
                relationFormulas(shape, of.inputs(in), scaleOfHead(shape)).out,
                "relation_attention: a far sequence");
  ::munmap(stream, bytes);
  ::munmap(out, bytes);
}

}  // namespace

void relationCases(Verdict& verdict, std::uint64_t seed, int count) {
  everyRelationFormat(verdict, {{1}, 1, 5, 1, 0.1}, seed);                           // a lone row
  everyRelationFormat(verdict, {{0, 31, 0, 1, 33}, 2, 8, 51, 0.1, false, 2}, seed);  // empty ones and gaps
  everyRelationFormat(verdict, {{61}, 1, 12, 200, 0.5}, seed);
  everyRelationFormat(verdict, {{33, 5}, 1, 128, 7, 0, true}, seed);
  everyRelationFormat(verdict, {{9, 17}, 3, 32, 33, 0.3, true, 1}, seed);
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(between(random, 1, 3)));
    for (std::int64_t& one : counts) one = between(random, 0, 40);
    if (counts.front() == 0) counts.front() = 1;
    everyRelationFormat(verdict,
                        {counts, between(random, 1, 3), between(random, 5, 70), between(random, 1, 200),
                         static_cast<double>(random() % 50) / 100, random() % 3 == 0, between(random, 0, 2)},
                        random());
  }
  if (everyFormat()) relationDifferences(verdict, seed);
  farRelations(verdict);
}

}  // namespace fathom::kernel_cases
