// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "views/selection/selection.h"

namespace fathom {

// The selection of the window. One per window, GUI thread. A change carries the view it came from: every
// other view follows, the source does not, so there are no feedback loops. Setting what is already there
// emits nothing.
class SelectionModel : public QObject {
  Q_OBJECT

 public:
  explicit SelectionModel(QObject* parent = nullptr) : QObject(parent) {}
  const Selection& selection() const { return m_selection; }
  const DimensionSelection& of(Dimension dimension) const { return m_selection.of(dimension); }
  QString current(Dimension dimension) const { return m_selection.current(dimension); }

  // `source` may be null (restored session, shell).
  void set(Dimension dimension, const QStringList& items, const QString& current, QObject* source);
  void setCurrent(Dimension dimension, const QString& item, QObject* source);  // adds it where it is missing
  // Only the dimensions that the text names; the others stay. A click on a figure mark does this.
  Status apply(const QString& text, QObject* source);
  void replace(const Selection& selection, QObject* source);

 Q_SIGNALS:
  // One signal per dimension that changed.
  void changed(fathom::Dimension dimension, QObject* source);

 private:
  Selection m_selection;
  int m_depth = 0;
};

}  // namespace fathom
