// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/review/judgement_book.h"
#include "views/look/qt_names.h"

namespace fathom {

class ReviewedPredictions;

// What people said about the current prediction, newest first: when, who, what, with which note, and what the
// program said then; after that what they said when this system answered otherwise. An older entry can be
// set again, as a further change. Read from the library while it is in view.
class JudgementHistory : public QWidget {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit JudgementHistory(ReviewedPredictions* review, QWidget* parent = nullptr);
  QTreeWidget* list() const { return m_list; }

 Q_SIGNALS:
  void failed(const fathom::Error& error);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  QString titleOf(const std::string& category) const;
  void addEntry(const CategoryOverride& entry, bool current, bool stale);
  void refreshButton();
  void setAgain();
  ReviewedPredictions* m_review;
  QTreeWidget* m_list;
  QPushButton* m_again;
  std::vector<CategoryOverride> m_entries;  // parallel to the rows
};

}  // namespace fathom
