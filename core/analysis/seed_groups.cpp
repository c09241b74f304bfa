// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/seed_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace fathom {

namespace {

constexpr std::array<std::string_view, 3> kPlaces = {"seed", "device", "threads"};

bool setsApart(std::string_view key) {
  return !key.starts_with("analysis.") && std::find(kPlaces.begin(), kPlaces.end(), key) == kPlaces.end();
}

// The options that have more than one value. Compared, not written out: this runs where the window is drawn,
// over every option of every run.
std::set<std::string> differences(const std::vector<const Json*>& options) {
  std::map<std::string_view, const Json*> first;
  std::set<std::string> differing;
  for (const Json* one : options)
    for (const auto& [key, value] : one->items()) {
      if (!setsApart(key)) continue;
      const auto [known, fresh] = first.try_emplace(key, &value);
      if (!fresh && *known->second != value) differing.insert(key);
    }
  return differing;
}

}  // namespace

std::vector<std::string> seedGroups(const std::vector<const Json*>& options) {
  const auto differing = differences(options);
  std::map<std::string, std::size_t> known;
  std::vector<std::string> words;
  for (const Json* one : options) {
    if (one->empty()) {
      words.emplace_back();
      continue;
    }
    std::string own;
    for (const std::string& option : differing) {
      const auto value = one->find(option);
      own += (value == one->end() ? std::string() : value->dump()) + "\n";
    }
    words.push_back("group " + std::to_string(known.try_emplace(own, known.size()).first->second));
  }
  return words;
}

}  // namespace fathom
