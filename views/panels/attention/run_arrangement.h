// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// The chosen runs in a figure: side by side, or one of them as large as the page. Not there for one
// run, which is large anyway.
class RunArrangement : public QWidget {
  Q_OBJECT
 public:
  explicit RunArrangement(QWidget* parent = nullptr);
  // The runs that are chosen, by id, under their names; the one that was large stays, else the first is.
  void setRuns(const QStringList& ids, const QStringList& names);
  // The one that alone is shown; empty: all of them.
  QString onlyRun() const;
  bool oneLarge() const;
  void setOneLarge(bool one);
  QToolButton* oneButton() const { return m_one; }
  QToolButton* besideButton() const { return m_beside; }
  QComboBox* run() const { return m_run; }

 Q_SIGNALS:
  void changed();

 private:
  void follow();
  QToolButton* m_one;
  QToolButton* m_beside;
  QComboBox* m_run;
};

}  // namespace fathom
