// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace fathom {

// A line across a page where a border between two rows or columns would go, with the sizes of both. The mouse
// goes through it.
class DividerLine : public QWidget {
  Q_OBJECT
 public:
  explicit DividerLine(QWidget* parent);
  // `at` in pixels of the parent.
  void showAt(bool column, double at, const QString& sizes);
  QString sizes() const { return m_sizes; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool m_column = false;
  double m_at = 0;
  QString m_sizes;
};

}  // namespace fathom
