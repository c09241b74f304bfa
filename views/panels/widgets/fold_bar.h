// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// Panels that are folded away, in a line as high as a button: each unfolds its panel and folds it again. A
// note beside the title says what is in it.
class FoldBar : public QWidget {
  Q_OBJECT
 public:
  explicit FoldBar(QWidget* parent = nullptr);
  // `toggle`: checkable, on while the panel is shown; borrowed. `aside`: at the right end of the line.
  void add(const QString& id, QAction* toggle, const QString& iconName, bool aside = false);
  // "3 waiting", empty = nothing; `alarm`: something went wrong in there.
  void setNote(const QString& id, const QString& note, bool alarm = false);
  QToolButton* button(const QString& id) const { return m_folds.value(id).button; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Fold {
    QToolButton* button = nullptr;
    QAction* toggle = nullptr;
    QString iconName, note;
    bool alarm = false;
  };
  void show(const Fold& fold);
  QHash<QString, Fold> m_folds;
  QHBoxLayout* m_line;
};

}  // namespace fathom
