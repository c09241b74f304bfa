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

bool setsApart(const std::string& key) {
  return !key.starts_with("analysis.") && std::find(kPlaces.begin(), kPlaces.end(), key) == kPlaces.end();
}

// Values by option, of the options that have more than one.
std::map<std::string, std::set<std::string>> differences(const std::vector<const Json*>& options) {
  std::map<std::string, std::set<std::string>> values;
  for (const Json* one : options)
    for (const auto& [key, value] : one->items())
      if (setsApart(key)) values[key].insert(value.dump());
  std::erase_if(values, [](const auto& option) { return option.second.size() < 2; });
  return values;
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
    for (const auto& option : differing) {
      const auto value = one->find(option.first);
      own += (value == one->end() ? std::string() : value->dump()) + "\n";
    }
    words.push_back("group " + std::to_string(known.try_emplace(own, known.size()).first->second));
  }
  return words;
}

}  // namespace fathom
