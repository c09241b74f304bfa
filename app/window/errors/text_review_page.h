// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/errors/review_page.h"

namespace fathom {

class TextExamplePanel;

// The panels of predictions that are texts, labels, numbers or places in a text: the example with all
// answers, beside the list of them.
class TextReviewPage : public ReviewPage {
  Q_OBJECT
 public:
  TextReviewPage(const ReviewPageParts& parts, QWidget* parent);
  TextExamplePanel* example() const { return m_example; }
  void keep() override;

 protected:
  NoteLines* notes() const override;
  void refreshOwnActions(bool reviewing, bool writable) override;
  QList<QWidget*> placesOf(Part part) const override;
  QStringList helpOfKind() const override;

 private:
  int predictionsWidth();
  TextExamplePanel* m_example;
};

}  // namespace fathom
