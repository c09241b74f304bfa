// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace fathom {

// One line of text that ends in an ellipsis where it does not fit and then shows itself whole as a tooltip.
// Never asks for more than a few characters of width, so it never widens a window.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
  void setFullText(const QString& text);
  const QString& fullText() const { return m_full; }
  // Shown under the text in the tooltip; with a hint the tooltip is there even when nothing is cut.
  void setHint(const QString& hint);
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void elide();
  QString m_full;
  QString m_hint;
};

}  // namespace fathom
