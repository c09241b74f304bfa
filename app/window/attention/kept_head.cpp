// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/attention/kept_head.h"

#include <QWidget>
#include <algorithm>
#include <utility>

#include "views/panels/attention/figure_choices.h"
#include "views/selection/selection_model.h"

namespace fathom {

namespace {

constexpr std::pair<Dimension, const char*> kPlaces[] = {{Dimension::Layer, "layer"},
                                                         {Dimension::Head, "head"}};
constexpr qlonglong kMostNumber = 1'000'000'000;

}  // namespace

// Maps of all heads have the two options greyed.
bool KeptHead::counts() const {
  for (const auto& [dimension, key] : kPlaces) {
    const QWidget* control = m_choices->control(QLatin1String(key));
    if (control == nullptr || !control->isEnabledTo(m_choices)) return false;
  }
  return true;
}

bool KeptHead::follow() const {
  const Json before = m_choices->values();
  if (m_selection->current(Dimension::Head).isEmpty()) return false;
  for (const auto& [dimension, key] : kPlaces) {
    bool known = false;
    const qlonglong number = m_selection->current(dimension).toLongLong(&known);
    if (known) m_choices->choose(key, std::min(number, kMostNumber) + 1);  // options count from 1
  }
  return counts() && before != m_choices->values();
}

void KeptHead::choose(const QString& key) const {
  const bool place = std::any_of(std::begin(kPlaces), std::end(kPlaces),
                                 [&key](const auto& each) { return key == QLatin1String(each.second); });
  if (!place || !counts()) return;
  Selection next = m_selection->selection();
  const Json& values = m_choices->values();
  for (const auto& [dimension, key] : kPlaces)
    next.set(dimension, {QString::number(values.value(key, 1) - 1)});
  m_selection->replace(next, m_source);
}

}  // namespace fathom
