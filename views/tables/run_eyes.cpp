// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_eyes.h"

#include <algorithm>
#include <utility>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr std::size_t kProjectsKept = 12;
constexpr const char* kRestWords[] = {"newest", "open", "closed"};

QStringList stateWords(const Json& state, const char* key) {
  QStringList words;
  if (state.contains(key) && state[key].is_array())
    for (const Json& word : state[key])
      if (word.is_string()) words.append(fromUtf8(word.get<std::string>()));
  return words;
}

// A run that waits has its place among the others, too.
QDateTime timeOf(const RunItem& run) {
  return run.listed.isValid() ? run.listed : run.created;
}

bool isOf(const Json& state, const QString& project) {
  return state.is_object() && state.value("project", Json()) == Json(toUtf8(project));
}

}  // namespace

void RunEyes::begin(const QString& project) {
  if (project == m_project) return;
  m_kept = save();
  m_project = project;
  m_rest = Rest::Newest;
  m_byHand.clear();
  m_newest.clear();
  m_selected.clear();
  for (const Json& state : m_kept) {
    if (!isOf(state, project)) continue;
    for (const QString& run : stateWords(state, "open")) m_byHand.insert(run, true);
    for (const QString& run : stateWords(state, "closed")) m_byHand.insert(run, false);
    for (std::size_t i = 0; i < std::size(kRestWords); ++i)
      if (state.value("rest", Json()) == Json(kRestWords[i])) m_rest = static_cast<Rest>(i);
  }
  Q_EMIT changed();
}

void RunEyes::setRuns(const QVector<RunItem>& runs) {
  std::vector<const RunItem*> order;
  order.reserve(static_cast<std::size_t>(runs.size()));
  for (const RunItem& run : runs) order.push_back(&run);
  const auto end = order.begin() + std::min<qsizetype>(runs.size(), kNewest);
  std::partial_sort(order.begin(), end, order.end(),
                    [](const RunItem* a, const RunItem* b) { return timeOf(*a) > timeOf(*b); });
  QSet<QString> newest;
  for (auto run = order.begin(); run != end; ++run) newest.insert((*run)->uuid);
  if (std::exchange(m_newest, newest) != newest) Q_EMIT changed();
}

void RunEyes::setSelected(const QStringList& runs) {
  const QSet<QString> selected(runs.cbegin(), runs.cend());
  if (std::exchange(m_selected, selected) != selected) Q_EMIT changed();
}

bool RunEyes::isOpen(const QString& run) const {
  const auto byHand = m_byHand.constFind(run);
  if (byHand != m_byHand.cend()) return *byHand;
  return m_rest == Rest::Newest ? m_newest.contains(run) || m_selected.contains(run) : m_rest == Rest::Open;
}

void RunEyes::toggle(const QStringList& runs) {
  const bool any =
      std::any_of(runs.cbegin(), runs.cend(), [this](const QString& run) { return isOpen(run); });
  set(runs, !any);
}

void RunEyes::set(const QStringList& runs, bool open) {
  for (const QString& run : runs) m_byHand.insert(run, open);
  Q_EMIT changed();
}

void RunEyes::openOnly(const QStringList& runs) {
  m_rest = Rest::Closed;
  m_byHand.clear();
  set(runs, true);
}

void RunEyes::setAll(Rest rest) {
  m_rest = rest;
  m_byHand.clear();
  Q_EMIT changed();
}

Json RunEyes::state() const {
  Json state = {{"project", toUtf8(m_project)},
                {"rest", kRestWords[static_cast<std::size_t>(m_rest)]},
                {"open", Json::array()},
                {"closed", Json::array()}};
  for (auto run = m_byHand.cbegin(); run != m_byHand.cend(); ++run)
    state[*run ? "open" : "closed"].push_back(toUtf8(run.key()));
  return state;
}

Json RunEyes::save() const {
  Json all = Json::array();
  if (!m_project.isEmpty()) all.push_back(state());
  for (const Json& kept : m_kept)
    if (all.size() < kProjectsKept && !isOf(kept, m_project)) all.push_back(kept);
  return all;
}

void RunEyes::restore(const Json& kept) {
  if (!kept.is_array()) return;
  const QString project = std::exchange(m_project, QString());
  m_kept = kept;
  begin(project);
}

}  // namespace fathom
