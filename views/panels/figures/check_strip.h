// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/figure/figure_checks.h"
#include "views/look/qt_names.h"

namespace fathom {

// What can be done here against a fault of the page.
struct CheckOffers {
  bool compute = false;  // what panels without data lack
  bool dashes = false;   // lines that are alike without colour get dashes
  bool fit = false;      // a page that is too high becomes lower, one that is too narrow gets fewer columns
  double narrowMm = 0;   // width of columns in which figures have no room; 0: they have
};

// The checks of a page in one line, each with a sign and a word; tooltips name the texts it is about.
class CheckStrip : public QWidget {
  Q_OBJECT
 public:
  explicit CheckStrip(QWidget* parent = nullptr);
  // `empty`: the panels without data, and why, one line each.
  void setChecks(const FigureChecks& checks, const QStringList& empty = {}, const CheckOffers& offers = {});
  void clear();
  // All in words, as a screen reader says them.
  QString text() const;

 Q_SIGNALS:
  void computeRequested();
  void dashesRequested();
  void fitRequested();

 private:
  struct Item {
    QWidget* both;
    QLabel* sign;
    QLabel* label;
  };
  void set(int item, bool good, const QString& text, const QString& details);
  QPushButton* button(QWidget* beside, const char* name, const QString& text, const QString& tip);
  Item m_items[7];
  QPushButton* m_compute;
  QPushButton* m_dashes;
  QPushButton* m_fit;
};

}  // namespace fathom
