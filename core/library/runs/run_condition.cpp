// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/run_condition.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "core/base/text/edit_distance.h"
#include "core/base/text/number_text.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/import/foreign_run.h"
#include "core/record/runs/attempt_place.h"

namespace fathom {

namespace {

bool containsText(std::string_view text, std::string_view lower) {
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                     [](char a, char b) { return smallLetter(a) == b; }) != text.end();
}

// Seconds since 1970 of "2026-11-30T14:05:07.123Z".
std::optional<double> secondsFrom(const std::string& iso) {
  std::tm parts{};
  if (::strptime(iso.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return std::nullopt;
  return static_cast<double>(::timegm(&parts));
}

// What a condition asks of a row of a listing.
class AskedRow : public AskedRun {
 public:
  explicit AskedRow(const RunRow& row, std::string queuedAt = {})
      : m_row(row), m_place(std::move(queuedAt)) {}

  void field(RunField field, AskedFacts& facts) const override {
    const auto text = [&facts](std::string_view word) { facts.push_back(AskedFact::of(word)); };
    const auto number = [&facts](double value) { facts.push_back(AskedFact::of(value)); };
    switch (field) {
      case RunField::Name:
        return text(m_row.name);
      case RunField::State:
        return text(runStateName(m_row.state));
      case RunField::Cause:
        return text(m_row.cause);
      case RunField::Preset:
        return text(m_row.preset);
      case RunField::Notes:
        return text(m_row.notes.notes);
      case RunField::Tags:
        if (m_row.notes.tags.empty()) text({});
        for (const std::string& tag : m_row.notes.tags) text(tag);
        return;
      case RunField::Starred:
        return facts.push_back(AskedFact::flag(m_row.notes.starred));
      case RunField::Updates:
        return number(static_cast<double>(m_row.step));
      case RunField::Total:
        if (m_row.totalUpdates > 0) number(static_cast<double>(m_row.totalUpdates));
        return;
      case RunField::Time:
        if (m_row.elapsed > 0) number(m_row.elapsed);
        return;
      case RunField::Started:
        if (const auto seconds = secondsFrom(m_row.identity.created)) number(*seconds);
        return;
      case RunField::Attempts:
        return number(m_row.attempts);
      case RunField::Source:
        m_source = importOrigin(m_row.identity.provenance);
        return text(m_source);
      case RunField::Place:
        if (m_place.empty()) m_place = lastPlace();
        return text(m_place);
    }
  }

  void metrics(const AskedName& name, bool best, bool whole, AskedFacts& facts) const override {
    for (const auto& [id, value] : best ? m_row.best : m_row.last)
      if (isAskedFor(id, name.lower, whole)) facts.push_back(AskedFact::of(value));
  }

  void options(const AskedName& name, AskedFacts& facts) const override {
    if (!m_row.options.is_object()) return;
    AskedFacts ends;
    for (auto option = m_row.options.begin(); option != m_row.options.end(); ++option) {
      const std::string& key = option.key();
      if (isAskedFor(key, name.lower, true)) {
        facts.push_back(factOf(*option));
      } else if (facts.empty() && isAskedFor(key, name.lower, false)) {
        ends.push_back(factOf(*option));
      }
    }
    if (facts.empty()) facts.swap(ends);
  }

 private:
  AskedFact factOf(const Json& value) const {
    if (value.is_number()) return AskedFact::of(value.get<double>());
    if (value.is_boolean()) return AskedFact::flag(value.get<bool>());
    if (value.is_string()) return AskedFact::of(std::string_view(value.get_ref<const std::string&>()));
    m_texts.push_back(
        std::make_unique<std::string>(value.dump(-1, ' ', false, Json::error_handler_t::replace)));
    return AskedFact::of(std::string_view(*m_texts.back()));
  }
  // Attempts that nobody has written a place of were made by an engine of this machine.
  std::string lastPlace() const {
    if (!importOrigin(m_row.identity.provenance).empty()) return {};
    const auto place =
        m_row.attempts > 0 ? attemptPlace(RunFolder(m_row.path), m_row.attempts) : std::nullopt;
    return place ? place->place : kLocalPlace;
  }
  const RunRow& m_row;
  mutable std::string m_source, m_place;
  mutable std::vector<std::unique_ptr<std::string>> m_texts;
};

}  // namespace

// What is called so as a whole comes before what ends so; scores before options.
void RunCondition::gather(const AskedName& name, const AskedRun& run, AskedFacts& facts) {
  facts.clear();
  const auto metrics = [&](bool best, bool whole) {
    if (facts.empty()) run.metrics(name, best, whole, facts);
  };
  switch (name.kind) {
    case AskedName::Kind::Field:
      return run.field(name.field, facts);
    case AskedName::Kind::Best:
    case AskedName::Kind::Last: {
      const bool best = name.kind == AskedName::Kind::Best;
      metrics(best, true);
      return metrics(best, false);
    }
    case AskedName::Kind::Option:
      return run.options(name, facts);
    case AskedName::Kind::Any:
      break;
  }
  metrics(true, true);
  metrics(false, true);
  if (facts.empty()) run.options(name, facts);
  metrics(true, false);
  metrics(false, false);
}

bool RunCondition::equals(const AskedFact& fact, const Value& value) {
  switch (fact.kind) {
    case AskedFact::Kind::None:
      return false;
    case AskedFact::Kind::Flag:
      if (value.flag) return *value.flag == (fact.number != 0);
      [[fallthrough]];
    case AskedFact::Kind::Number:
      if (!value.number) return false;
      if (value.until) return fact.number >= *value.number && fact.number < *value.until;
      return fact.number == *value.number || (std::isnan(fact.number) && std::isnan(*value.number));
    case AskedFact::Kind::Text:
      break;
  }
  if (isSameText(fact.text, value.text)) return true;
  const auto number = value.number ? numberFrom<double>(fact.text) : std::nullopt;
  return number && *number == *value.number;
}

bool RunCondition::compares(const AskedFact& fact, Operator how, const Value& value) {
  if (how == Operator::Equal) return equals(fact, value);
  if (how == Operator::Contains) {
    if (fact.kind == AskedFact::Kind::Text) return containsText(fact.text, value.text);
    if (fact.kind == AskedFact::Kind::Number) return containsText(shortestText(fact.number), value.text);
    return equals(fact, value);
  }
  std::optional<double> number = fact.number;
  if (fact.kind == AskedFact::Kind::Text) number = numberFrom<double>(fact.text);
  if (!number || !value.number) return false;
  switch (how) {
    case Operator::Less:
      return *number < *value.number;
    case Operator::LessOrEqual:
      return value.until ? *number < *value.until : *number <= *value.number;
    case Operator::Greater:
      return value.until ? *number >= *value.until : *number > *value.number;
    default:
      return *number >= *value.number;
  }
}

// Of several facts one has to be as it is asked for, or none of them as it must not be. A run that has
// nothing under the name fits no comparison.
bool RunCondition::compareHolds(const Node& node, const AskedFacts& facts) const {
  if (facts.empty()) return false;
  const bool lacks = node.how == Operator::Unequal || node.how == Operator::Lacks;
  const Operator how = node.how == Operator::Unequal ? Operator::Equal
                       : node.how == Operator::Lacks ? Operator::Contains
                                                     : node.how;
  const bool any = std::any_of(facts.begin(), facts.end(), [&](const AskedFact& fact) {
    return std::any_of(node.values.begin(), node.values.end(),
                       [&](const Value& value) { return compares(fact, how, value); });
  });
  return any != lacks;
}

bool RunCondition::nodeHolds(int number, const AskedRun& run, AskedFacts& facts) const {
  const Node& node = m_nodes[std::size_t(number)];
  switch (node.kind) {
    case Node::Kind::And:
      return nodeHolds(node.left, run, facts) && nodeHolds(node.right, run, facts);
    case Node::Kind::Or:
      return nodeHolds(node.left, run, facts) || nodeHolds(node.right, run, facts);
    case Node::Kind::Not:
      return !nodeHolds(node.left, run, facts);
    case Node::Kind::Compare:
      gather(m_names[std::size_t(node.name)], run, facts);
      return compareHolds(node, facts);
    case Node::Kind::Has:
      break;
  }
  return has(m_names[std::size_t(node.name)], run);
}

bool RunCondition::has(const AskedName& name, const AskedRun& run) const {
  AskedFacts facts;
  gather(name, run, facts);
  return std::any_of(facts.begin(), facts.end(), [](const AskedFact& fact) {
    if (fact.kind == AskedFact::Kind::Text) return !fact.text.empty();
    return fact.kind == AskedFact::Kind::Number || fact.number != 0;
  });
}

bool RunCondition::has(const AskedName& name, const RunRow& row) const {
  return has(name, AskedRow(row));
}

bool RunCondition::holds(const AskedRun& run) const {
  AskedFacts facts;
  return m_root < 0 || nodeHolds(m_root, run, facts);
}

bool RunCondition::holds(const RunRow& row, const std::string& queuedAt) const {
  return holds(AskedRow(row, queuedAt));
}

bool RunCondition::needsOptions() const {
  return std::any_of(m_names.begin(), m_names.end(), [](const AskedName& name) {
    const bool field = name.kind == AskedName::Kind::Field && name.field != RunField::Source &&
                       name.field != RunField::Place;
    return !field && name.kind != AskedName::Kind::Best && name.kind != AskedName::Kind::Last;
  });
}

void UnmetNames::see(const RunRow& row) {
  m_seen = true;
  for (const AskedName& name : m_condition.names()) {
    bool& met = m_met[name.number];
    met = met || name.kind == AskedName::Kind::Field || m_condition.has(name, row);
  }
  const bool all = std::all_of(m_met.begin(), m_met.end(), [](const auto& each) { return each.second; });
  if (all) return;
  for (const auto* values : {&row.best, &row.last})
    for (const auto& [id, value] : *values) m_known[id] = true;
  if (row.options.is_object())
    for (const auto& [key, value] : row.options.items()) m_known[key] = true;
}

std::vector<Phrase> UnmetNames::sentences() const {
  std::vector<Phrase> sentences;
  std::vector<std::string> known;
  for (const auto& [name, is] : m_known) known.push_back(name);
  for (const AskedName& name : m_condition.names())
    if (const auto met = m_met.find(name.number); m_seen && (met == m_met.end() || !met->second))
      sentences.push_back(unmetName(name.name, known));
  return sentences;
}

Phrase unmetName(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::string> names = known;
  const std::vector<std::string> fields = runFieldNames();
  names.insert(names.end(), fields.begin(), fields.end());
  const std::string near = nearestSpelling(name, names);
  if (near.empty() || near == name) return Phrase::tr("no run has '%1'")(name);
  return Phrase::tr("no run has '%1'; did you mean '%2'?")(name, near);
}

}  // namespace fathom
