// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace fathom {

// A line to type in that lies over the text it changes, as wide as what is typed.
class TextInPlace : public QLineEdit {
  Q_OBJECT
 public:
  explicit TextInPlace(QWidget* parent);
  // `box` in pixels of the parent.
  void openAt(const QRectF& box, const QString& text, const QString& placeholder);

 Q_SIGNALS:
  void taken();
  void left();  // Esc
  void wentOn(bool forward);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void fit();
  QRectF m_box;
};

}  // namespace fathom
