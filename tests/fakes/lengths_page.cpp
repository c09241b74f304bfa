// SPDX-License-Identifier: Apache-2.0
// A set of panels that a test adds: beside the list of predictions stands how many words the text has.
#include <QLabel>
#include <QSplitter>

#include "app/window/errors/errors_actions.h"
#include "app/window/errors/review_page.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/widgets/boxes.h"

namespace fathom {

namespace {

class LengthsPage : public ReviewPage {
 public:
  LengthsPage(const ReviewPageParts& parts, QWidget* parent)
      : ReviewPage(parts, parent), m_words(new QLabel(this)), m_notes(new NoteLines(review(), this)) {
    m_words->setObjectName(QStringLiteral("lengthsWords"));
    auto* beside = new QWidget(this);
    makeColumn(beside, {m_words, m_notes}, 0);
    auto* columns = new QSplitter(Qt::Horizontal, this);
    fillSplitter(columns, {predictions(), {beside, 1}}, {460, 750});
    makeParts(columns);
    connect(review(), &ReviewedPredictions::currentChanged, this, [this] {
      const int example = review()->currentExample();
      m_words->setText(example < 0 ? QString()
                                   : QString::fromStdString(review()->example(example).references.front()));
    });
  }
  void keep() override { m_notes->keep(); }

 protected:
  NoteLines* notes() const override { return m_notes; }
  void refreshOwnActions(bool, bool) override {}
  QList<QWidget*> placesOf(Part) const override { return {predictions(), m_notes}; }
  QStringList helpOfKind() const override { return {QStringLiteral("review_kinds")}; }

 private:
  QLabel* m_words;
  NoteLines* m_notes;
};

}  // namespace

PanelSet lengthsPageEntry() {
  return {"lengths", [](const ReviewPageParts& parts, QWidget* parent) -> ReviewPage* {
            return new LengthsPage(parts, parent);
          }};
}

}  // namespace fathom
