// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/asked_item.h"

#include <QSet>
#include <algorithm>
#include <deque>
#include <utility>

#include "core/library/queue/queue_folder.h"
#include "views/look/engine_text.h"

namespace fathom {

// Answers of a run of the window to a condition.
class AskedItem : public AskedRun {
 public:
  AskedItem(const RunItem& run, const ItemCondition& asked) : m_run(run), m_asked(asked) {}

  void field(RunField field, AskedFacts& facts) const override {
    const auto text = [&](const QString& word) { facts.push_back(AskedFact::of(kept(word))); };
    const auto number = [&facts](double value) { facts.push_back(AskedFact::of(value)); };
    switch (field) {
      case RunField::Name:
        return text(m_run.name);
      case RunField::State:
        return facts.push_back(AskedFact::of(std::string_view(runStateName(m_run.state))));
      case RunField::Cause:
        return text(m_run.cause);
      case RunField::Preset:
        return text(m_run.preset);
      case RunField::Notes:
        return text(m_run.note);
      case RunField::Tags:
        if (m_run.tags.isEmpty()) text({});
        for (const QString& tag : m_run.tags) text(tag);
        return;
      case RunField::Starred:
        return facts.push_back(AskedFact::flag(m_run.star));
      case RunField::Updates:
        return number(double(m_run.step));
      case RunField::Total:
        if (m_run.totalSteps > 0) number(double(m_run.totalSteps));
        return;
      case RunField::Time:
        if (m_run.durationSeconds > 0) number(m_run.durationSeconds);
        return;
      case RunField::Started:
        if (m_run.created.isValid()) number(double(m_run.created.toSecsSinceEpoch()));
        return;
      case RunField::Attempts:
        return number(m_run.attempts);
      case RunField::Source:
        return text(m_run.origin);
      case RunField::Place:
        if (!m_run.origin.isEmpty()) return text({});
        return text(m_run.job.place.isEmpty() ? QString::fromLatin1(kLocalPlace) : m_run.job.place);
    }
  }

  void metrics(const AskedName& name, bool best, bool whole, AskedFacts& facts) const override {
    const QMap<QString, double>& values = best ? m_run.best : m_run.last;
    ItemCondition::Fits& known = m_asked.m_fits[std::size_t(name.number)];
    for (auto value = values.cbegin(); value != values.cend(); ++value) {
      auto fit = known.constFind(value.key());
      if (fit == known.cend()) fit = known.insert(value.key(), fitOf(toUtf8(value.key()), name));
      if (*fit == (whole ? 2 : 1)) facts.push_back(AskedFact::of(*value));
    }
  }

  void options(const AskedName& name, AskedFacts& facts) const override {
    AskedFacts ends;
    ItemCondition::OptionFits& known = m_asked.m_optionFits[std::size_t(name.number)];
    for (const SharedOption* option : m_run.config.all()) {
      auto fit = known.constFind(option);
      if (fit == known.cend()) fit = known.insert(option, fitOf(option->key, name));
      if (*fit > 0) (*fit == 2 ? facts : ends).push_back(factOf(*option));
    }
    if (facts.empty()) facts.swap(ends);
  }

 private:
  static int fitOf(const std::string& name, const AskedName& asked) {
    return isAskedFor(name, asked.lower, true) ? 2 : isAskedFor(name, asked.lower, false) ? 1 : 0;
  }
  std::string_view kept(const QString& text) const { return m_texts.emplace_back(toUtf8(text)); }
  AskedFact factOf(const SharedOption& option) const {
    if (option.value.is_number()) return AskedFact::of(option.value.get<double>());
    if (option.value.is_boolean()) return AskedFact::flag(option.value.get<bool>());
    return AskedFact::of(kept(option.text));
  }
  const RunItem& m_run;
  const ItemCondition& m_asked;
  mutable std::deque<std::string> m_texts;
};

bool ItemCondition::holds(const RunItem& run) const {
  m_fits.resize(m_condition.names().size());
  m_optionFits.resize(m_fits.size());
  return m_condition.holds(AskedItem(run, *this));
}

std::vector<Phrase> ItemCondition::unmet(const QVector<RunItem>& runs) const {
  std::vector<Phrase> sentences;
  if (runs.isEmpty()) return sentences;
  m_fits.resize(m_condition.names().size());
  m_optionFits.resize(m_fits.size());
  std::vector<std::string> known;
  for (const AskedName& name : m_condition.names()) {
    const bool met = name.kind == AskedName::Kind::Field ||
                     std::any_of(runs.cbegin(), runs.cend(), [&](const RunItem& run) {
                       return m_condition.has(name, AskedItem(run, *this));
                     });
    if (met) continue;
    if (known.empty()) known = askableNames(runs);
    sentences.push_back(unmetName(name.name, known));
  }
  return sentences;
}

namespace {

constexpr qsizetype kMostAsked = 1000;  // runs, within a frame

std::vector<std::string> sortedNames(const QSet<QString>& names) {
  std::vector<std::string> sorted;
  for (const QString& name : names) sorted.push_back(toUtf8(name));
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

void addOptions(const RunItem& run, QSet<QString>& names) {
  for (const SharedOption* option : run.config.all()) names.insert(fromUtf8(option->key));
}

}  // namespace

std::vector<std::string> askableNames(const QVector<RunItem>& runs) {
  QSet<QString> names;
  for (qsizetype i = qMax<qsizetype>(0, runs.size() - kMostAsked); i < runs.size(); ++i) {
    for (const auto* values : {&runs[i].best, &runs[i].last})
      for (auto value = values->cbegin(); value != values->cend(); ++value) names.insert(value.key());
    addOptions(runs[i], names);
  }
  return sortedNames(names);
}

std::vector<std::string> askableOptions(const QVector<RunItem>& runs) {
  QSet<QString> names;
  for (qsizetype i = qMax<qsizetype>(0, runs.size() - kMostAsked); i < runs.size(); ++i)
    addOptions(runs[i], names);
  return sortedNames(names);
}

}  // namespace fathom
