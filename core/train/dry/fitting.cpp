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

class Fitting {
 public:
  explicit Fitting(const RemedyRequest& request)
      : m_request(request), m_free(static_cast<double>(request.run.room->free)),
        m_program(static_cast<double>(request.run.memory.program)),
        m_depths(stackDepths(request.options)) {}

  std::vector<MemoryRemedy> all() const {
    std::vector<MemoryRemedy> found;
    const auto add = [&found](const std::optional<MemoryRemedy>& remedy) {
      if (remedy) found.push_back(*remedy);
    };
    add(smallerBatch());
    add(fewerLayers(m_request.options, m_request.bytes));
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
  double needed(const ModelBytes& bytes, const std::map<std::string, std::int64_t>& depths, double tokens,
                double width = 1) const {
    return m_program + static_cast<double>(bytes.total()) +
           activations(depths, tokens, static_cast<double>(bytes.gradients), width);
  }

  std::optional<MemoryRemedy> smallerBatch() const {
    const std::string key = batchKey(m_request.options, m_request.task);
    if (key.empty() || !m_request.costs || m_request.run.batchTokens <= 0) return std::nullopt;
    const std::int64_t now = m_request.options.integer(key);
    const double each = m_request.run.batchTokens / static_cast<double>(std::max<std::int64_t>(1, now));
    const std::int64_t value = largestFitting(now, [&](std::int64_t size) {
      return needed(m_request.bytes, m_depths, each * static_cast<double>(size)) <= m_free;
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

  // All stacks cut to the same depth. Bytes of a layer: those of this depth less those of one layer fewer.
  std::optional<MemoryRemedy> fewerLayers(const OptionValues& options, const ModelBytes& bytes) const {
    std::int64_t deepest = 0;
    for (const auto& [key, depth] : m_depths) deepest = std::max(deepest, depth);
    if (deepest < 2) return std::nullopt;
    const auto shallow =
        modelBytes(noDeeperThan(options, 1), ModelInputs::ofVocabulary(m_request.vocabulary));
    const auto deep = modelBytes(options, ModelInputs::ofVocabulary(m_request.vocabulary));
    if (!shallow.ok() || !deep.ok()) return std::nullopt;
    double layers = 0;  // beyond the first of each stack
    for (const auto& [key, depth] : m_depths) layers += static_cast<double>(depth - 1);
    const double share = layers > 0 ? static_cast<double>(deep->total() - shallow->total()) / layers : 0;
    const double gradientShare =
        layers > 0 ? static_cast<double>(deep->gradients - shallow->gradients) / layers : 0;
    const std::int64_t value = largestFitting(deepest, [&](std::int64_t most) {
      auto depths = m_depths;
      double gone = 0;
      for (auto& [key, depth] : depths) {
        gone += static_cast<double>(std::max<std::int64_t>(0, depth - most));
        depth = std::min(depth, most);
      }
      const double gradients = static_cast<double>(bytes.gradients) - gone * gradientShare;
      return m_program + static_cast<double>(bytes.total()) - gone * share +
                 activations(depths, m_request.run.batchTokens, gradients, 1) <=
             m_free;
    });
    if (value < 1 || value >= deepest) return std::nullopt;
    MemoryRemedy remedy{{}, value == 1 ? Phrase(Phrase::tr("1 layer fits"))
                                              : Phrase::tr("%1 layers fit")(value)};
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
      const auto bytes = modelBytes(options, ModelInputs::ofVocabulary(m_request.vocabulary));
      if (!bytes.ok()) return std::nullopt;
      if (needed(*bytes, m_depths, m_request.run.batchTokens, factor) > m_free) continue;
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
