// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/errors_actions.h"

namespace fathom {

ErrorsActions::ErrorsActions(QObject* parent) : WorkspaceActions(parent) {
  makeOpening();
  addSeparator();
  makeReviewing();
  addSeparator();
  makeLooking();
  disableAllBut("errors.help", {"errors.open", "errors.sample"});
}

void ErrorsActions::makeOpening() {
  add("errors.open", tr("&Open predictions…"), QStringLiteral("import"), {},
      tr("Gold SQL, schemas and the predictions of any number of models"));
  add("errors.sample", tr("Generate the &sample"), QStringLiteral("data"), {},
      tr("A small data set with databases and two imaginary models"));
}

void ErrorsActions::makeReviewing() {
  const QString titles[] = {tr("&1 False neg."), tr("&2 Column"), tr("&3 Sketch"), tr("&4 Both")};
  const QString tips[] = {tr("False negative: right, but the metric does not see it; then the next one"),
                          tr("Wrong columns or tables; then the next one"),
                          tr("Wrong shape of the query; then the next one"),
                          tr("Wrong columns and wrong shape; then the next one")};
  for (int i = 0; i < 4; ++i) {
    const QByteArray id = "errors.category" + QByteArray::number(i + 1);
    QAction* action = add(id.constData(), titles[i], {}, QKeySequence(Qt::Key_1 + i), tips[i]);
    action->setCheckable(true);
    action->setIconText(titles[i]);
  }
  add("errors.gold_wrong", tr("&Gold is wrong"), {}, QKeySequence(Qt::Key_5),
      tr("The gold query itself is wrong; then the next one"));
  add("errors.clear", tr("&0 Clear"), {}, QKeySequence(Qt::Key_0), tr("What the program says counts again"));
  add("errors.next", tr("&Next wrong one"), QStringLiteral("down"), QKeySequence(Qt::Key_N),
      tr("The next wrong prediction of the list"));
  add("errors.previous", tr("&Previous wrong one"), QStringLiteral("up"), QKeySequence(Qt::Key_P),
      tr("The wrong prediction before"));
}

void ErrorsActions::makeLooking() {
  add("errors.review", tr("&Review"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
      tr("The predictions one by one"));
  add("errors.compare", tr("Co&mparison"), QStringLiteral("compare"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), tr("All models against each other"));
  add("errors.export_figure", tr("Export the figure of the comparison…"), QStringLiteral("export"), {},
      tr("PDF, SVG, PNG or PGF; the recipe is kept in the project"));
  add("errors.export_table", tr("Export the table of the comparison…"), QStringLiteral("export"), {},
      tr("LaTeX, CSV or Markdown, by the ending of the name"));
  addSeparator();
  add("errors.try", tr("Predict &again…"), QStringLiteral("retry"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
      tr("Changes the question or its links and asks the model of the run again"));
  add("errors.ask", tr("As&k a question…"), QStringLiteral("search"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A),
      tr("A question of one's own to any database of the data"));
  add("errors.predict", tr("Pre&dict"), QStringLiteral("run"), QKeySequence(Qt::CTRL | Qt::Key_Return),
      tr("What the model says to the question as it stands here"));
  add("errors.original", tr("Or&iginal question"), QStringLiteral("revert"), {},
      tr("Question and links as they were at first"));
  addSeparator();
  QAction* edit = add("errors.edit", tr("&Edit the SQL"), QStringLiteral("note"),
                      QKeySequence(Qt::CTRL | Qt::Key_E), tr("Change either query to try something"));
  edit->setCheckable(true);
  add("errors.revert", tr("SQL as in the &files"), QStringLiteral("revert"), {},
      tr("Takes back what was typed into the two queries"));
  add("errors.note", tr("Write a no&te"), QStringLiteral("note"), QKeySequence(Qt::Key_T),
      tr("A note on this example"));
  addSeparator();
  add("errors.help", tr("&Help on Errors"), QStringLiteral("info"), QKeySequence(Qt::Key_F1),
      tr("What the categories mean, the keys, the filter"));
}

std::array<QAction*, 4> ErrorsActions::categories() const {
  return {action(QStringLiteral("errors.category1")), action(QStringLiteral("errors.category2")),
          action(QStringLiteral("errors.category3")), action(QStringLiteral("errors.category4"))};
}

}  // namespace fathom
