// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/leakage_split.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "core/base/numbers/random_stream.h"

namespace fathom {

namespace {

// Union-find with the smallest member as the root.
class Components {
 public:
  explicit Components(std::int64_t count) : m_parent(static_cast<std::size_t>(count)) {
    std::iota(m_parent.begin(), m_parent.end(), 0);
  }
  std::int64_t rootOf(std::int64_t item) {
    auto& parent = m_parent[static_cast<std::size_t>(item)];
    while (parent != m_parent[static_cast<std::size_t>(parent)])
      parent = m_parent[static_cast<std::size_t>(parent)];
    return parent;
  }
  void join(std::int64_t a, std::int64_t b) {
    a = rootOf(a);
    b = rootOf(b);
    m_parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<std::int64_t> m_parent;
};

void joinEqualTexts(const TextColumn& texts, Components& components) {
  std::unordered_map<std::string_view, std::int64_t> first;
  first.reserve(static_cast<std::size_t>(texts.size()));
  for (std::int64_t i = 0; i < texts.size(); ++i) {
    const auto [found, isNew] = first.try_emplace(texts[i], i);
    if (!isNew) components.join(found->second, i);
  }
}

}  // namespace

std::int64_t PairGroups::largest() const {
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

PairGroups groupPairs(const TextColumn& source, const TextColumn& target) {
  Components components(source.size());
  joinEqualTexts(source, components);
  joinEqualTexts(target, components);
  PairGroups groups;
  groups.groupOf.resize(static_cast<std::size_t>(source.size()));
  for (std::int64_t i = 0; i < source.size(); ++i) {
    const std::int64_t root = components.rootOf(i);
    auto& group = groups.groupOf[static_cast<std::size_t>(i)];
    if (root == i) {
      group = static_cast<std::int64_t>(groups.sizes.size());
      groups.sizes.push_back(0);
    } else {
      group = groups.groupOf[static_cast<std::size_t>(root)];  // the root comes first
    }
    ++groups.sizes[static_cast<std::size_t>(group)];
  }
  return groups;
}

PairSplit splitPairs(const PairGroups& groups, const SplitSizes& sizes, std::uint64_t seed) {
  enum Side : unsigned char { Train, Validation, Test };
  std::vector<Side> sides(groups.sizes.size(), Train);
  std::int64_t testLeft = sizes.test, validationLeft = sizes.validation;
  RandomStream random(streamSeed(seed, "data.split"));
  for (const std::int64_t group : random.permutation(static_cast<std::int64_t>(groups.sizes.size()))) {
    if (testLeft == 0 && validationLeft == 0) break;
    const std::int64_t size = groups.sizes[static_cast<std::size_t>(group)];
    Side& side = sides[static_cast<std::size_t>(group)];
    if (size <= testLeft) {
      side = Test;
      testLeft -= size;
    } else if (size <= validationLeft) {
      side = Validation;
      validationLeft -= size;
    }
  }
  PairSplit split;
  for (std::size_t i = 0; i < groups.groupOf.size(); ++i) {
    const Side side = sides[static_cast<std::size_t>(groups.groupOf[i])];
    auto& into = side == Train ? split.train : side == Test ? split.test : split.validation;
    into.push_back(static_cast<std::int64_t>(i));
  }
  return split;
}

}  // namespace fathom
