// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// Content of a view that has nothing to show: one sentence and one or two buttons, the first in the
// accent.
class EmptyState : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyState(QWidget* parent = nullptr);
  void setText(const QString& text);
  QString text() const;
  // Buttons made of actions; the first one is what somebody new wants. Actions are borrowed.
  void setActions(const QList<QAction*>& actions);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLabel* m_label;
  QHBoxLayout* m_buttons;
};

}  // namespace fathom
