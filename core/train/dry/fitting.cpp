// SPDX-License-Identifier: Apache-2.0
#include "core/train/dry/fitting.h"

#include <algorithm>
#include <functional>

namespace fathom {

namespace {

// The largest value in [1, most] that fits; 0: none does. `fits` holds up to some value and not above it.
std::int64_t largestFitting(std::int64_t most, const std::function<bool(std::int64_t)>& fits) {
  if (most < 1 || !fits(1)) return 0;
  std::int64_t low = 1, high = most;
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// Bytes as a function of the depths: those of one layer a stack, and of one layer more in each. All layers of
// a stack are alike, so that nothing deep is made to count it.
class DepthBytes {
 public:
  static std::optional<DepthBytes> of(const OptionValues& options, std::int64_t vocabulary) {
    const ModelInputs inputs = ModelInputs::ofVocabulary(vocabulary);
    const OptionValues one = noDeeperThan(options, 1);
    DepthBytes bytes;
    const auto shallow = modelBytes(one, inputs);
    if (!shallow.ok()) return std::nullopt;
    bytes.m_total = static_cast<double>(shallow->total());
    bytes.m_gradients = static_cast<double>(shallow->gradients);
    for (const auto& [key, depth] : stackDepths(options)) {
      OptionValues two = one;
      if (depth < 2 || !two.set(key, 2).ok()) continue;
      const auto deeper = modelBytes(two, inputs);
      if (!deeper.ok()) return std::nullopt;
      bytes.m_layers[key] = {static_cast<double>(deeper->total() - shallow->total()),
                             static_cast<double>(deeper->gradients - shallow->gradients)};
    }
    return bytes;
  }
  double total(const std::map<std::string, std::int64_t>& depths) const { return at(depths, m_total, true); }
  double gradients(const std::map<std::string, std::int64_t>& depths) const {
    return at(depths, m_gradients, false);
  }

 private:
  double at(const std::map<std::string, std::int64_t>& depths, double value, bool all) const {
    for (const auto& [key, depth] : depths) {
      const auto layer = m_layers.find(key);
      if (layer != m_layers.end())
        value += static_cast<double>(depth - 1) * (all ? layer->second.first : layer->second.second);
    }
    return value;
  }
  double m_total = 0, m_gradients = 0;
  std::map<std::string, std::pair<double, double>> m_layers;
};

class Fitting {
 public:
  explicit Fitting(const RemedyRequest& request)
      : m_request(request),
        m_free(static_cast<double>(request.run.room->free)),
        m_program(static_cast<double>(request.run.memory.program)),
        m_depths(stackDepths(request.options)) {}

  std::vector<MemoryRemedy> all() const {
    std::vector<MemoryRemedy> found;
    const auto add = [&found](const std::optional<MemoryRemedy>& remedy) {
      if (remedy) found.push_back(*remedy);
    };
    add(smallerBatch());
    add(fewerLayers());
    if (found.empty()) add(narrower());
    return found;
  }

 private:
  double activations(const std::map<std::string, std::int64_t>& depths, double tokens, double gradients,
                     double width) const {
    if (!m_request.costs) return 0;
    const double forward = width * m_request.costs->forwardBytes.at(depths, tokens);
    const double more = width * m_request.costs->backwardBytes.at(depths, tokens);
    return std::max(0.0, std::max(forward, gradients) + more - gradients);
  }
  double needed(const DepthBytes& bytes, const std::map<std::string, std::int64_t>& depths,
                double width) const {
    return m_program + bytes.total(depths) +
           activations(depths, m_request.run.batchTokens, bytes.gradients(depths), width);
  }

  std::optional<MemoryRemedy> smallerBatch() const {
    const std::string key = batchKey(m_request.options, m_request.task);
    if (key.empty() || !m_request.costs || m_request.run.batchTokens <= 0) return std::nullopt;
    const std::int64_t now = m_request.options.integer(key);
    const double each = m_request.run.batchTokens / static_cast<double>(std::max<std::int64_t>(1, now));
    const std::int64_t value = largestFitting(now, [&](std::int64_t size) {
      return m_program + static_cast<double>(m_request.bytes.total()) +
                 activations(m_depths, each * static_cast<double>(size),
                             static_cast<double>(m_request.bytes.gradients), 1) <=
             m_free;
    });
    if (value < 1 || value >= now || value < static_cast<std::int64_t>(smallest(key))) return std::nullopt;
    const OptionField* field = m_request.options.schema().find(key);
    return MemoryRemedy{{{key, value}},
                        field->unit.empty()
                            ? Phrase::tr("a batch of %1 fits")(value)
                            : Phrase::tr("a batch of %1 %2 fits")(value, Phrase::known(field->unit))};
  }
  double smallest(const std::string& key) const {
    return m_request.options.schema().find(key)->minimum.value_or(1);
  }

  // All stacks cut to the same depth.
  std::optional<MemoryRemedy> fewerLayers() const {
    std::int64_t deepest = 0;
    for (const auto& [key, depth] : m_depths) deepest = std::max(deepest, depth);
    if (deepest < 2) return std::nullopt;
    const auto bytes = DepthBytes::of(m_request.options, m_request.vocabulary);
    if (!bytes) return std::nullopt;
    const std::int64_t value = largestFitting(deepest, [&](std::int64_t most) {
      auto depths = m_depths;
      for (auto& [key, depth] : depths) depth = std::min(depth, most);
      return needed(*bytes, depths, 1) <= m_free;
    });
    if (value < 1 || value >= deepest) return std::nullopt;
    MemoryRemedy remedy{{},
                        value == 1 ? Phrase(Phrase::tr("1 layer fits")) : Phrase::tr("%1 layers fit")(value)};
    for (const auto& [key, depth] : m_depths)
      if (depth > value) remedy.options.emplace_back(key, value);
    return remedy;
  }

  // Width and feed-forward width halved until it fits.
  std::optional<MemoryRemedy> narrower() const {
    constexpr const char *kWidth = "model.width", *kFeedForward = "model.feed_forward";
    OptionValues options = m_request.options;
    double factor = 1;
    while (options.integer(kWidth) >= 4) {
      const std::int64_t former = options.integer(kWidth), width = former / 2;
      const std::int64_t inner = options.integer(kFeedForward);
      // A feed-forward width below the width is a choice of its own.
      if (!options.set(kWidth, width).ok() ||
          (inner >= former && !options.set(kFeedForward, inner / 2).ok()) || !options.check().ok())
        return std::nullopt;
      factor /= 2;
      const auto bytes = DepthBytes::of(options, m_request.vocabulary);
      if (!bytes) return std::nullopt;
      if (needed(*bytes, m_depths, factor) > m_free) continue;
      const std::int64_t chosen = options.integer(kFeedForward);
      if (chosen == m_request.options.integer(kFeedForward))
        return MemoryRemedy{{{kWidth, width}}, Phrase::tr("width %1 fits")(width)};
      return MemoryRemedy{{{kWidth, width}, {kFeedForward, chosen}},
                          Phrase::tr("width %1 with feed-forward width %2 fits")(width, chosen)};
    }
    return std::nullopt;
  }

  const RemedyRequest& m_request;
  double m_free, m_program;
  std::map<std::string, std::int64_t> m_depths;
};

}  // namespace

std::vector<MemoryRemedy> remedies(const RemedyRequest& request) {
  return Fitting(request).all();
}

}  // namespace fathom
