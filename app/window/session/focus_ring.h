// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include "views/look/qt_names.h"

namespace fathom {

// A ring of the accent, two pixels wide, over what has the keyboard where its style draws none: lists, trees,
// tables, texts, sliders, drawings. Buttons and fields have theirs from the style (appearance.h).
class FocusRing : public QObject {
  Q_OBJECT
 public:
  explicit FocusRing(QObject* parent = nullptr);
  ~FocusRing() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show(QWidget* widget);
  QPointer<QWidget> m_ring;
};

}  // namespace fathom
