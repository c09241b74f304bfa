// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <vector>

namespace fathom {

// Heights of the rows of a page, or widths of its columns, as numbers between colons ("60 : 40 : 40"), in any
// unit; empty: nobody has set them. What is no list of numbers above 0 is said beside the field and not
// taken.
class TrackSharesField : public QLineEdit {
  Q_OBJECT
 public:
  // `unset` stands in it while it is empty.
  TrackSharesField(const QString& unset, const QString& accessibleName, QWidget* parent = nullptr);
  // `tracks`: how many there are; more shares than that are not shown.
  void setShares(const std::vector<double>& shares, int tracks);

 Q_SIGNALS:
  void edited(const std::vector<double>& shares);

 private:
  void take();
  QString m_shown, m_help;
};

}  // namespace fathom
