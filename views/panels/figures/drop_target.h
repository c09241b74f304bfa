// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

namespace fathom {

// Lies over a page while something is dragged: the place where it would go, with a word about what happens
// there, and the other places in thin lines. The mouse goes through it.
class DropTarget : public QWidget {
  Q_OBJECT
 public:
  explicit DropTarget(QWidget* parent);
  // Boxes are in pixels of the parent. `allowed`: false shows that nothing would change.
  void showAt(const QRect& target, const QVector<QRect>& places, const QString& word, bool allowed);
  QRect target() const { return m_target; }
  QString word() const { return m_word; }
  bool allowed() const { return m_allowed; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect m_target;
  QVector<QRect> m_places;
  QString m_word;
  bool m_allowed = true;
};

}  // namespace fathom
