// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dependency/beta_dependency.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/statistics/seed_summary.h"

namespace fathom {

namespace {

// Sums over the channels of one vector, gathered over tokens.
struct SpreadSums {
  double tokenStd = 0;          // Σ over tokens of the std over channels (n-1 cancels in the ratio)
  double sum = 0, squares = 0;  // over all tokens and channels
  void add(const double* values, std::int64_t width) {
    double total = 0, square = 0;
    for (std::int64_t k = 0; k < width; ++k) total += values[k];
    const double mean = total / static_cast<double>(width);
    for (std::int64_t k = 0; k < width; ++k) square += (values[k] - mean) * (values[k] - mean);
    tokenStd += std::sqrt(square / static_cast<double>(width));
    sum += total;
    squares += square + static_cast<double>(width) * mean * mean;
  }
  double globalStd(double count) const {
    const double mean = sum / count;
    return std::sqrt(std::max(0.0, squares / count - mean * mean));
  }
};

double meanOf(const double* values, std::int64_t width) {
  double total = 0;
  for (std::int64_t k = 0; k < width; ++k) total += values[k];
  return total / static_cast<double>(width);
}

// The components of one token: n+1 parts and the accumulated norm biases, each of d channels.
class TokenRecursion {
 public:
  // Own: only the part that a step adds is right, and only until the next one.
  enum class Parts { All, Own };
  TokenRecursion(const DependencyInput& input, std::int64_t token, Parts parts = Parts::All)
      : m_input(input),
        m_kept(parts),
        m_width(input.width),
        m_token(token),
        m_parts((input.sublayers.size() + 1) * static_cast<std::size_t>(input.width)),
        m_bias(static_cast<std::size_t>(input.width)),
        m_sum(static_cast<std::size_t>(input.width)) {
    const double* first = input.embedding.data() + token * m_width;
    std::copy(first, first + m_width, m_parts.begin());
    m_stream.assign(first, first + m_width);
  }

  void step(std::int64_t i) {
    const DependencySublayer& sublayer = m_input.sublayers[static_cast<std::size_t>(i)];
    if (!sublayer.shortcut.empty()) {
      for (std::int64_t j = 0; j <= i && m_kept == Parts::All; ++j)
        scaleBy(part(j), sublayer.shortcut.data());
      scaleBy(m_bias.data(), sublayer.shortcut.data());
      scaleBy(m_stream.data(), sublayer.shortcut.data());
    }
    const double* branch = sublayer.branch.data() + m_token * m_width;
    for (std::int64_t k = 0; k < m_width; ++k) part(i + 1)[k] = sublayer.scale * branch[k];
    // The stream is carried along on its own, so that the sum of the components can be checked against it.
    for (std::int64_t k = 0; k < m_width; ++k)
      m_stream[static_cast<std::size_t>(k)] += sublayer.scale * branch[k];
    if (!sublayer.gamma.empty()) normalise(sublayer, i + 1);
  }

  double* part(std::int64_t j) { return m_parts.data() + j * m_width; }
  const double* bias() const { return m_bias.data(); }
  const double* stream() const { return m_stream.data(); }
  const double* sumOfParts(std::int64_t last) {
    std::copy(m_bias.begin(), m_bias.end(), m_sum.begin());
    for (std::int64_t j = 0; j <= last; ++j) {
      for (std::int64_t k = 0; k < m_width; ++k) m_sum[static_cast<std::size_t>(k)] += part(j)[k];
    }
    return m_sum.data();
  }

 private:
  void scaleBy(double* values, const double* factor) const {
    for (std::int64_t k = 0; k < m_width; ++k) values[k] *= factor[k];
  }
  void centreAndScale(double* values, const DependencySublayer& sublayer, double inverse) const {
    const double mean = meanOf(values, m_width);
    for (std::int64_t k = 0; k < m_width; ++k) {
      values[k] = sublayer.gamma[static_cast<std::size_t>(k)] * (values[k] - mean) * inverse;
    }
  }
  void normalise(const DependencySublayer& sublayer, std::int64_t last) {
    const double mean = meanOf(m_stream.data(), m_width);
    double square = 0;
    for (const double v : m_stream) square += (v - mean) * (v - mean);
    const double inverse = 1 / std::sqrt(square / static_cast<double>(m_width) + sublayer.eps);
    for (std::int64_t j = m_kept == Parts::All ? 0 : last; j <= last; ++j)
      centreAndScale(part(j), sublayer, inverse);
    centreAndScale(m_bias.data(), sublayer, inverse);
    centreAndScale(m_stream.data(), sublayer, inverse);
    for (std::size_t k = 0; k < sublayer.nu.size(); ++k) {
      m_bias[k] += sublayer.nu[k];
      m_stream[k] += sublayer.nu[k];
    }
  }

  const DependencyInput& m_input;
  Parts m_kept;
  std::int64_t m_width, m_token;
  std::vector<double> m_parts, m_bias, m_stream, m_sum;
};

Status checkSizes(const DependencyInput& input) {
  const auto cells = static_cast<std::size_t>(input.tokens * input.width);
  const auto width = static_cast<std::size_t>(input.width);
  if (input.tokens <= 0 || input.width <= 0)
    return dataError(Phrase::tr("the dependency needs at least one token and one channel"));
  if (input.embedding.size() != cells)
    return dataError(Phrase::tr("the stack's input has another size than tokens × width"));
  if (!input.realToken.empty() && input.realToken.size() != static_cast<std::size_t>(input.tokens)) {
    return dataError(Phrase::tr("the token mask has another length than the tokens"));
  }
  for (const DependencySublayer& s : input.sublayers) {
    const auto fits = [&](const std::vector<double>& v) { return v.empty() || v.size() == width; };
    if (s.branch.size() != cells || !fits(s.shortcut) || !fits(s.gamma) || !fits(s.nu)) {
      return dataError(Phrase::tr("sub-layer '%1' has arrays of another size than tokens × width")(s.name));
    }
  }
  return {};
}

Error everythingIsPadding() {
  return dataError(Phrase::tr("every token is padding: there is nothing to measure"));
}

}  // namespace

Result<BetaDependency> computeBetaDependency(const DependencyInput& input, DependencyComponents* components) {
  FATHOM_CHECK(checkSizes(input));
  const auto n = static_cast<std::int64_t>(input.sublayers.size());
  const auto columns = static_cast<std::size_t>(n + 1);
  std::vector<SpreadSums> parts(static_cast<std::size_t>(n) * columns), biases(static_cast<std::size_t>(n)),
      streams = biases;
  BetaDependency result;
  result.sublayers = n;
  if (components != nullptr) {
    components->parts.assign(columns * input.embedding.size(), 0);
    components->bias.assign(input.embedding.size(), 0);
    components->output = components->bias;
  }
  std::int64_t counted = 0;
  for (std::int64_t token = 0; token < input.tokens; ++token) {
    if (!input.realToken.empty() && input.realToken[static_cast<std::size_t>(token)] == 0) continue;
    ++counted;
    TokenRecursion recursion(input, token);
    for (std::int64_t i = 0; i < n; ++i) {
      recursion.step(i);
      for (std::int64_t j = 0; j <= i + 1; ++j)
        parts[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)].add(recursion.part(j),
                                                                                       input.width);
      biases[static_cast<std::size_t>(i)].add(recursion.bias(), input.width);
      streams[static_cast<std::size_t>(i)].add(recursion.stream(), input.width);
    }
    const double* sum = recursion.sumOfParts(n);
    for (std::int64_t k = 0; k < input.width; ++k) {
      result.largestResidual = std::max(result.largestResidual, std::abs(sum[k] - recursion.stream()[k]));
    }
    if (components != nullptr) {
      const auto at = static_cast<std::size_t>(token * input.width);
      for (std::size_t j = 0; j < columns; ++j) {
        std::copy_n(recursion.part(static_cast<std::int64_t>(j)), input.width,
                    components->parts.begin() + static_cast<std::ptrdiff_t>(j * input.embedding.size() + at));
      }
      std::copy_n(recursion.bias(), input.width, components->bias.begin() + static_cast<std::ptrdiff_t>(at));
      std::copy_n(recursion.stream(), input.width,
                  components->output.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  if (counted == 0) return everythingIsPadding();
  const double cells = static_cast<double>(counted) * static_cast<double>(input.width);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const bool below = j <= i + 1;
      const SpreadSums& part = parts[i * columns + j];
      result.meanTokenStd.push_back(below ? part.tokenStd / streams[i].tokenStd : 0);
      result.globalStd.push_back(below ? part.globalStd(cells) / streams[i].globalStd(cells) : 0);
    }
    result.biasShare.push_back(biases[i].tokenStd / streams[i].tokenStd);
  }
  return result;
}

Result<std::vector<double>> ownBranchShares(const DependencyInput& input) {
  FATHOM_CHECK(checkSizes(input));
  const auto n = static_cast<std::int64_t>(input.sublayers.size());
  std::vector<SpreadSums> own(static_cast<std::size_t>(n)), streams = own;
  std::int64_t counted = 0;
  for (std::int64_t token = 0; token < input.tokens; ++token) {
    if (!input.realToken.empty() && input.realToken[static_cast<std::size_t>(token)] == 0) continue;
    ++counted;
    TokenRecursion recursion(input, token, TokenRecursion::Parts::Own);
    for (std::int64_t i = 0; i < n; ++i) {
      recursion.step(i);
      own[static_cast<std::size_t>(i)].add(recursion.part(i + 1), input.width);
      streams[static_cast<std::size_t>(i)].add(recursion.stream(), input.width);
    }
  }
  if (counted == 0) return everythingIsPadding();
  std::vector<double> shares;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double beta = own[i].tokenStd / streams[i].tokenStd;
    shares.push_back(beta * beta);
  }
  return shares;
}

BetaAverage averageMaps(const std::vector<std::vector<double>>& maps) {
  BetaAverage average;
  average.runs = static_cast<int>(maps.size());
  const std::size_t cells = maps.empty() ? 0 : maps.front().size();
  std::vector<double> column(maps.size());
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t run = 0; run < maps.size(); ++run) column[run] = maps[run][cell];
    const SeedSummary summary = summariseSeeds(column);
    average.mean.push_back(summary.mean);
    average.deviation.push_back(summary.deviation);
  }
  return average;
}

AnalysisEntry betaDependencyEntry() {
  return {.id = "beta_dependency",
          .title = "Layer dependency",
          .reference = "Admin, Figures 7 and 8",
          .version = 2,
          .layers = LayerNumbers{ownBranches, "<i>β<sub>ii</sub></i><sup>2</sup>"}};
}

}  // namespace fathom
