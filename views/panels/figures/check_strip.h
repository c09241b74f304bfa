// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/figure/figure_checks.h"
#include "views/look/qt_names.h"

namespace fathom {

// The checks of a page in one line, each with a sign and a word; tooltips name the texts it is about.
class CheckStrip : public QWidget {
  Q_OBJECT
 public:
  explicit CheckStrip(QWidget* parent = nullptr);
  // `empty`: the panels without data, and why, one line each; `computable`: some lack what can be computed
  // here.
  void setChecks(const FigureChecks& checks, const QStringList& empty = {}, bool computable = false);
  void clear();
  // All in words, as a screen reader says them.
  QString text() const;

 Q_SIGNALS:
  void computeRequested();

 private:
  struct Item {
    QLabel* sign;
    QLabel* label;
  };
  void set(int item, bool good, const QString& text, const QString& details);
  Item m_items[7];
  QPushButton* m_compute;
};

}  // namespace fathom
