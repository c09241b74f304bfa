// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/errors_actions.h"

#include "core/review/review_kind.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

QByteArray keyId(int key) {
  return "errors.category" + QByteArray::number(key);
}

QStringList tipsForSql() {
  QStringList tips;
  if (const auto sql = findReviewKind("sql"); sql.ok())
    for (const ReviewCategory& category : (*sql)->categories)
      if (category.byPerson) tips.append(phraseText(category.help));
  return tips;
}

}  // namespace

ErrorsActions::ErrorsActions(QObject* parent) : WorkspaceActions(parent) {
  makeOpening();
  addSeparator();
  makeReviewing();
  addSeparator();
  makeLooking();
  for (const QAction* each : keyed()) {
    m_keyTitles.append(each->isVisible() ? each->text() : QString());
    m_keyTips.append(each->toolTip());
  }
  disableAllBut("errors.help", {"errors.open", "errors.open_kind", "errors.sample"});
}

void ErrorsActions::makeOpening() {
  add("errors.open", tr("&Open SQL predictions…"), QStringLiteral("import"), {},
      tr("Gold SQL, schemas and the predictions of any number of models"));
  add("errors.open_kind", tr("Open predi&ctions of another task…"), QStringLiteral("import"), {},
      tr("Classes, numbers, spans, choices or translations of any number of models"));
  add("errors.sample", tr("Generate the &sample"), QStringLiteral("data"), {},
      tr("A small data set with databases and two imaginary models"));
}

void ErrorsActions::makeReviewing() {
  // Short, for buttons; in the order of the kind. Other kinds may have more (nameKeys).
  const QStringList titles = {tr("&1 False neg."), tr("&2 Column"), tr("&3 Sketch"), tr("&4 Both"),
                              tr("&5 Gold is wrong")};
  const QStringList tips = tipsForSql();
  for (int key = 1; key <= int(kMostCategoryKeys); ++key) {
    const bool known = key <= titles.size();
    QAction* action = add(keyId(key).constData(), known ? titles[key - 1] : QString::number(key), {},
                          QKeySequence(Qt::Key_0 + key),
                          tips.value(key - 1, tr("A further category of this kind of predictions")));
    action->setCheckable(true);
    action->setVisible(known);
    if (known) action->setIconText(titles[key - 1]);
  }
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
  QAction* alone = add("errors.alone", tr("SQL a&lone"), QStringLiteral("in-two"), QKeySequence(Qt::Key_S),
                       tr("The two queries have all the room; what is said of them is folded"));
  alone->setCheckable(true);
  QAction* facets =
      add("errors.facets", tr("&Unfold the facets"), QStringLiteral("filter"), QKeySequence(Qt::Key_F),
          tr("Kinds of examples to be ticked; the list has the room while they are folded"));
  facets->setCheckable(true);
  add("errors.revert", tr("SQL as in the &files"), QStringLiteral("revert"), {},
      tr("Takes back what was typed into the two queries"));
  add("errors.pin", tr("Pin the e&xample"), QStringLiteral("star"), QKeySequence(Qt::Key_B),
      tr("The current example stays in view beside others; again: no longer"));
  add("errors.note", tr("Write a no&te"), QStringLiteral("note"), QKeySequence(Qt::Key_T),
      tr("A note on this example"));
  addSeparator();
  add("errors.help", tr("&Help on Errors"), QStringLiteral("info"), QKeySequence(Qt::Key_F1),
      tr("What the categories mean, the keys, the filter"));
}

QList<QAction*> ErrorsActions::keyed() const {
  QList<QAction*> all;
  for (int key = 1; key <= int(kMostCategoryKeys); ++key) all.append(action(QString::fromLatin1(keyId(key))));
  return all;
}

void ErrorsActions::bindKeys(const std::function<void(int)>& chosen) {
  for (int key = 1; key <= int(kMostCategoryKeys); ++key)
    bind(keyId(key).constData(), [chosen, key] { chosen(key - 1); });
}

void ErrorsActions::nameKeys(const QStringList& titles, const QStringList& tips) {
  if (titles == m_named) return;
  m_named = titles;
  const QList<QAction*> actions = keyed();
  for (qsizetype i = 0; i < actions.size(); ++i) {
    QString title = titles.isEmpty() ? m_keyTitles.value(i) : titles.value(i);
    const bool shown = !title.isEmpty();
    if (shown && !titles.isEmpty()) title = QStringLiteral("&%1 %2").arg(i + 1).arg(title);
    actions[i]->setVisible(shown);
    if (!shown) continue;
    actions[i]->setText(title);
    actions[i]->setIconText(title);
    actions[i]->setToolTip(titles.isEmpty() ? m_keyTips.value(i) : tips.value(i));
    actions[i]->setStatusTip(actions[i]->toolTip());
  }
}

}  // namespace fathom
