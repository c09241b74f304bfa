// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/seed_groups.h"

#include <map>
#include <set>
#include <string_view>

#include "core/base/options/seed_options.h"

namespace fathom {

namespace {

// The options of our own runs that have more than one value. Compared, not written out: this runs where the
// window is drawn, over every option of every run.
std::set<std::string> differences(const std::vector<const Json*>& options,
                                  const std::vector<std::string>& origins) {
  std::map<std::string_view, const Json*> first;
  std::set<std::string> differing;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (!origins[i].empty()) continue;
    for (const auto& [key, value] : options[i]->items()) {
      if (!setsRunsApart(key)) continue;
      const auto [known, fresh] = first.try_emplace(key, &value);
      if (!fresh && *known->second != value) differing.insert(key);
    }
  }
  return differing;
}

std::string ownWord(const Json& options, const std::set<std::string>& differing) {
  std::string word;
  for (const std::string& option : differing) {
    const auto value = options.find(option);
    word += (value == options.end() ? std::string() : value->dump()) + "\n";
  }
  return word;
}

std::string importedWord(const Json& options, const std::string& origin) {
  std::map<std::string, std::string> deciding;
  for (const auto& [key, value] : options.items())
    if (setsRunsApart(key)) deciding[key] = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string word = deciding.empty() ? "imported from " + origin : "imported";
  for (const auto& [key, value] : deciding) word += "\n" + key + "=" + value;
  return word;
}

}  // namespace

std::vector<std::string> seedGroups(const std::vector<const Json*>& options,
                                    const std::vector<std::string>& origins) {
  std::vector<std::string> from = origins;
  from.resize(options.size());
  const auto differing = differences(options, from);
  std::map<std::string, std::size_t> known;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i]->empty()) {
      words.emplace_back();
      continue;
    }
    const std::string own =
        from[i].empty() ? ownWord(*options[i], differing) : importedWord(*options[i], from[i]);
    words.push_back("group " + std::to_string(known.try_emplace(own, known.size()).first->second));
  }
  return words;
}

}  // namespace fathom
