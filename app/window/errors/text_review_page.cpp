// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/text_review_page.h"

#include <QSplitter>

#include "app/window/errors/errors_actions.h"
#include "views/panels/errors/judgement_bar.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/text_example_panel.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/natural_split.h"

namespace fathom {

TextReviewPage::TextReviewPage(const ReviewPageParts& parts, QWidget* parent)
    : ReviewPage(parts, parent), m_example(new TextExamplePanel(review(), this)) {
  auto* columns = new QSplitter(Qt::Horizontal, this);
  fillSplitter(columns, {predictions(), {m_example, 1}}, {460, 750});
  new NaturalSplit(columns, [this] { return predictionsWidth(); }, {.least = 0.2, .most = 0.6});
  m_example->setMinimumWidth(280);
  makeParts(columns);
  const auto action = [&parts](const char* id) { return parts.actions->action(QLatin1String(id)); };
  m_example->judgementBar()->setActions(parts.actions->keyed(), action("errors.clear"));
  m_example->setActions({action("errors.pin"), action("errors.previous"), action("errors.next")});
  parts.actions->bind("errors.pin", [this] { m_example->togglePin(); });
  connect(m_example, &TextExamplePanel::failed, this,
          [this](const Error& error) { messages().report(error); });
}

// An example has a few lines: in a wide window the list of all of them has the room, with its facets beside.
int TextReviewPage::predictionsWidth() {
  constexpr int kWideCharacters = 260;
  const bool wide = width() >= kWideCharacters * fontMetrics().averageCharWidth();
  predictions()->setFacetsBeside(wide);
  return wide ? width() * 3 / 5 : qMin(predictions()->naturalWidth(), width() * 2 / 5);
}

void TextReviewPage::keep() {
  m_example->notes()->keep();
}

NoteLines* TextReviewPage::notes() const {
  return m_example->notes();
}

void TextReviewPage::refreshOwnActions(bool reviewing, bool) {
  parts().actions->enable({"errors.pin"}, reviewing);
  for (const char* ofSql : {"errors.edit", "errors.alone"})
    parts().actions->action(QLatin1String(ofSql))->setChecked(false);
}

QList<QWidget*> TextReviewPage::placesOf(Part) const {
  return {predictions(), m_example};
}

QStringList TextReviewPage::helpOfKind() const {
  return {QStringLiteral("review_kinds"), QStringLiteral("errors_workspace")};
}

PanelSet textReviewPageEntry() {
  return {"texts", [](const ReviewPageParts& parts, QWidget* parent) -> ReviewPage* {
            return new TextReviewPage(parts, parent);
          }};
}

}  // namespace fathom
