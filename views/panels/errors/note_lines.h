// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/errors/result.h"
#include "views/look/qt_names.h"

namespace fathom {

class ReviewedPredictions;

// Note and tags of the current example, as people keep them: in the library when a line is left, or another
// example is shown.
class NoteLines : public QWidget {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit NoteLines(ReviewedPredictions* review, QWidget* parent);
  QString note() const;
  void edit();  // the note
  void keep();
  QLineEdit* line() const { return m_note; }

 Q_SIGNALS:
  void failed(const fathom::Error& error);

 private:
  void show();
  void keepTags();
  bool changes() const;
  void report(const Status& status);
  ReviewedPredictions* m_review;
  int m_example = -1;
  QLineEdit* m_note;
  QLineEdit* m_tags;
};

}  // namespace fathom
