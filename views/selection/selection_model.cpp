// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/selection/selection_model.h"

namespace fathom {

void SelectionModel::set(Dimension dimension, const QStringList& items, const QString& current,
                         QObject* source) {
  Selection next = m_selection;
  next.set(dimension, items, current);
  replace(next, source);
}

void SelectionModel::setCurrent(Dimension dimension, const QString& item, QObject* source) {
  QStringList items = of(dimension).items;
  if (!items.contains(item)) items << item;
  set(dimension, items, item, source);
}

Status SelectionModel::apply(const QString& text, QObject* source) {
  FATHOM_TRY(const Selection named, Selection::fromText(text));
  Selection next = m_selection;
  for (std::size_t i = 0; i < kDimensions; ++i) {
    const auto dimension = static_cast<Dimension>(i);
    const DimensionSelection& part = named.of(dimension);
    if (!part.items.isEmpty()) next.set(dimension, part.items, part.current);
  }
  replace(next, source);
  return {};
}

void SelectionModel::replace(const Selection& selection, QObject* source) {
  // A view that answers a change by changing the selection again would never end; its answer is the last one
  // taken.
  constexpr int kDeepest = 4;
  if (m_depth >= kDeepest) return;
  const Selection before = m_selection;
  m_selection = selection;
  ++m_depth;
  for (std::size_t i = 0; i < kDimensions; ++i) {
    const auto dimension = static_cast<Dimension>(i);
    if (before.of(dimension) != m_selection.of(dimension)) Q_EMIT changed(dimension, source);
  }
  --m_depth;
}

}  // namespace fathom
