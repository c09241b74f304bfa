// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/errors_actions.h"

#include <QLineEdit>
#include <QStackedWidget>
#include <utility>

#include "app/window/errors/errors_workspace.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/prediction_panel.h"

namespace fathom {

ErrorsActions::ErrorsActions(std::function<ErrorsWorkspace*()> workspace, QObject* parent)
    : WorkspaceActions(parent), m_workspace(std::move(workspace)) {
  makeOpening();
  addSeparator();
  makeReviewing();
  addSeparator();
  makeLooking();
  refresh(nullptr);
}

void ErrorsActions::makeOpening() {
  add("errors.open", tr("&Open predictions…"), QStringLiteral("import"), {},
      tr("Gold SQL, schemas and the predictions of any number of models"),
      [this] { m_workspace()->showOpenPage(); });
  add("errors.sample", tr("Generate the &sample"), QStringLiteral("data"), {},
      tr("A small data set with databases and two imaginary models"),
      [this] { m_workspace()->openSample(); });
}

void ErrorsActions::makeReviewing() {
  const QString titles[] = {tr("&1 False neg."), tr("&2 Column"), tr("&3 Sketch"), tr("&4 Both")};
  const QString tips[] = {tr("False negative: right, but the metric does not see it; then the next one"),
                          tr("Wrong columns or tables; then the next one"),
                          tr("Wrong shape of the query; then the next one"),
                          tr("Wrong columns and wrong shape; then the next one")};
  for (int i = 0; i < 4; ++i) {
    const QByteArray id = "errors.category" + QByteArray::number(i + 1);
    const ErrorCategory category = kReviewCategories[std::size_t(i)];
    QAction* action = add(id.constData(), titles[i], {}, QKeySequence(Qt::Key_1 + i), tips[i],
                          [this, category] { m_workspace()->setCategory(category); });
    action->setCheckable(true);
    action->setIconText(titles[i]);
  }
  add("errors.gold_wrong", tr("&Gold is wrong"), {}, QKeySequence(Qt::Key_5),
      tr("The gold query itself is wrong; then the next one"),
      [this] { m_workspace()->setCategory(ErrorCategory::GoldError); });
  add("errors.clear", tr("&0 Clear"), {}, QKeySequence(Qt::Key_0), tr("What the program says counts again"),
      [this] { m_workspace()->clearCategory(); });
  add("errors.next", tr("&Next wrong one"), QStringLiteral("down"), QKeySequence(Qt::Key_N),
      tr("The next wrong prediction of the list"), [this] { m_workspace()->goWrong(1); });
  add("errors.previous", tr("&Previous wrong one"), QStringLiteral("up"), QKeySequence(Qt::Key_P),
      tr("The wrong prediction before"), [this] { m_workspace()->goWrong(-1); });
}

void ErrorsActions::makeLooking() {
  add("errors.review", tr("&Review"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
      tr("The predictions one by one"), [this] { m_workspace()->showReview(); });
  add("errors.compare", tr("Co&mparison"), QStringLiteral("compare"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), tr("All models against each other"),
      [this] { m_workspace()->showComparison(); });
  add("errors.export_figure", tr("Export the figure of the comparison…"), QStringLiteral("export"), {},
      tr("PDF, SVG, PNG or PGF; the recipe is kept in the project"),
      [this] { m_workspace()->exportFigure(); });
  add("errors.export_table", tr("Export the table of the comparison…"), QStringLiteral("export"), {},
      tr("LaTeX, CSV or Markdown, by the ending of the name"), [this] { m_workspace()->exportTable(); });
  addSeparator();
  QAction* edit =
      add("errors.edit", tr("&Edit the SQL"), QStringLiteral("note"), QKeySequence(Qt::CTRL | Qt::Key_E),
          tr("Change either query to try something"), [this] {
            m_workspace()->showReview();
            m_workspace()->example()->setEditing(action(QStringLiteral("errors.edit"))->isChecked());
          });
  edit->setCheckable(true);
  add("errors.revert", tr("SQL as in the &files"), QStringLiteral("revert"), {},
      tr("Takes back what was typed into the two queries"), [this] { m_workspace()->example()->revert(); });
  add("errors.note", tr("Write a no&te"), QStringLiteral("note"), QKeySequence(Qt::Key_T),
      tr("A note on this example"), [this] { m_workspace()->example()->editNote(); });
  addSeparator();
  add("errors.help", tr("&Help on Errors"), QStringLiteral("info"), QKeySequence(Qt::Key_F1),
      tr("What the categories mean, the keys, the filter"), [this] { m_workspace()->showHelp(); });
}

std::array<QAction*, 4> ErrorsActions::categories() const {
  return {action(QStringLiteral("errors.category1")), action(QStringLiteral("errors.category2")),
          action(QStringLiteral("errors.category3")), action(QStringLiteral("errors.category4"))};
}

void ErrorsActions::refresh(const ErrorsWorkspace* workspace) {
  const ErrorReview* review = workspace == nullptr ? nullptr : workspace->review();
  const bool loaded = review != nullptr && !review->empty();
  const bool reviewing = loaded && review->currentModel() >= 0 && review->currentExample() >= 0 &&
                         workspace->pages()->currentIndex() == ErrorsWorkspace::kReview;
  const bool writable = reviewing && review->canBeChanged();
  const PredictionState state =
      reviewing ? review->state(review->currentModel(), review->currentExample()) : PredictionState();
  for (QAction* action : categories()) action->setEnabled(writable && state.wrong);
  enable({"errors.gold_wrong"}, writable && state.wrong);
  enable({"errors.clear"}, writable && state.human);
  enable({"errors.edit", "errors.revert", "errors.note"}, writable);
  enable({"errors.next", "errors.previous"}, reviewing);
  enable({"errors.review", "errors.compare", "errors.export_figure", "errors.export_table"}, loaded);
  if (!reviewing) action(QStringLiteral("errors.edit"))->setChecked(false);
}

}  // namespace fathom
