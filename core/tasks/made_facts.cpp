// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/made_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/text/text_list.h"

namespace fathom {

namespace {

constexpr std::array<const char*, 10> kThings = {"bridge", "tower",   "mill",  "harbour", "market",
                                                 "school", "theatre", "hotel", "library", "station"};
constexpr std::array<const char*, 12> kTowns = {"Ostwick", "Dorrin",  "Halvern", "Kessel",
                                                "Marlow",  "Tarnby",  "Velden",  "Quarley",
                                                "Brinmor", "Saltney", "Ulverby", "Wexholm"};

// Words that tell a property or ask for it: the value stands behind what is told, the subject between the
// words of the question. The first word of what is told takes a "not".
struct MadeProperty {
  const char* told;
  const char* askedBefore;
  const char* askedBehind;
  std::vector<const char*> values;
};

const std::array<MadeProperty, kMadeProperties>& properties() {
  static const std::array<MadeProperty, kMadeProperties> table = {
      {{"is made of", "What is", " made of?", {"stone", "wood", "iron", "brick", "glass", "copper"}},
       {"is painted", "Which colour is", "?", {"red", "blue", "green", "white", "black", "yellow"}},
       {"was built by",
        "Who built",
        "?",
        {"the county", "the monks", "two brothers", "a rich widow", "the farmers", "an old guild"}},
       {"was opened in", "When was", " opened?", {"1804", "1812", "1837", "1851", "1884", "1899"}}}};
  return table;
}

template <typename List>
auto drawn(RandomStream& random, const List& list) {
  return list[static_cast<std::size_t>(random.below(list.size()))];
}

}  // namespace

std::string drawMadeSubject(RandomStream& random) {
  const std::string thing = drawn(random, kThings);
  return thing + " of " + drawn(random, kTowns);
}

std::vector<MadeFact> drawMadeFacts(RandomStream& random, const std::string& subject, std::size_t count) {
  const auto order = random.permutation(static_cast<std::int64_t>(kMadeProperties));
  std::vector<MadeFact> facts;
  for (std::size_t i = 0; i < std::min(count, kMadeProperties); ++i) {
    const auto property = static_cast<std::size_t>(order[i]);
    facts.push_back({subject, property, drawn(random, properties()[property].values)});
  }
  return facts;
}

MadeFact contraryOf(RandomStream& random, const MadeFact& fact) {
  MadeFact contrary = fact;
  contrary.denied = random.below(2) == 0;
  if (contrary.denied) return contrary;
  std::vector<const char*> possible;
  for (const char* value : properties().at(fact.property).values)
    if (std::string_view(value) != fact.value) possible.push_back(value);
  contrary.value = drawn(random, possible);
  return contrary;
}

std::string factStatement(const MadeFact& fact) {
  std::string told = properties().at(fact.property).told;
  if (fact.denied) told.insert(told.find(' '), " not");
  return "The " + fact.subject + " " + told + " " + fact.value + ".";
}

std::string factQuestion(const MadeFact& fact) {
  const MadeProperty& property = properties().at(fact.property);
  return std::string(property.askedBefore) + " the " + fact.subject + property.askedBehind;
}

std::string factStatements(const std::vector<MadeFact>& facts) {
  return joined(facts, " ", factStatement);
}

}  // namespace fathom
