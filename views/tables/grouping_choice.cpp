// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/grouping_choice.h"

#include <utility>

#include "core/base/json/json_members.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr std::size_t kGroupingsKept = 20;

}  // namespace

void GroupingChoice::begin(const QString& project) {
  if (project == m_project) return;
  m_kept = save();
  m_project = project;
  RunGrouping wanted;
  for (const Json& kept : m_kept) {
    if (memberText(kept, "project") != toUtf8(project)) continue;
    if (auto parsed = RunGrouping::parse(memberText(kept, "by")); parsed.ok()) wanted = std::move(*parsed);
    break;
  }
  const bool same = wanted.text() == m_grouping.text();
  m_grouping = std::move(wanted);
  if (!same) Q_EMIT changed();
}

Status GroupingChoice::set(const QString& text) {
  FATHOM_TRY(RunGrouping wanted, RunGrouping::parse(toUtf8(text)));
  if (wanted.text() == m_grouping.text()) return {};
  m_grouping = std::move(wanted);
  Q_EMIT changed();
  return {};
}

QString GroupingChoice::groupOf(const RunItem& run) const {
  return fromUtf8(m_grouping.groupOf(toUtf8(run.name), [&run](const RunGrouping::Take& take) {
    for (const SharedOption* option : run.config.all())
      take(option->key, [option] { return toUtf8(option->text); });
  }));
}

Json GroupingChoice::save() const {
  Json all = Json::array();
  if (!m_project.isEmpty() && !bySeeds())
    all.push_back({{"project", toUtf8(m_project)}, {"by", m_grouping.text()}});
  for (const Json& kept : m_kept)
    if (all.size() < kGroupingsKept && memberText(kept, "project") != toUtf8(m_project)) all.push_back(kept);
  return all;
}

void GroupingChoice::restore(const Json& kept) {
  if (!kept.is_array()) return;
  const QString project = std::exchange(m_project, QString());
  m_kept = kept;
  begin(project);
}

}  // namespace fathom
