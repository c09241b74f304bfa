// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/group_bar.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/theme.h"
#include "views/panels/train/condition_completer.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/tables/asked_item.h"
#include "views/tables/grouping_choice.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

constexpr int kGroupRestMs = 200;

}  // namespace

GroupBar::GroupBar(RunTableModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_line(filterLine(this, tr("layers, task or name:*_s#"), tr("Group the runs by"))),
      m_close(flatButton(this, QStringLiteral("close"), tr("Group by the seed alone"))),
      m_problem(wrappedLabel(this, QStringLiteral("groupProblem"))) {
  m_line->setObjectName(QStringLiteral("groupBy"));
  m_line->setToolTip(
      tr("Options whose values runs of a group have in common: layers, task.\nname:*_s# puts names together: "
         "* says the group, # is a number that tells its runs apart; name: alone leaves out a number behind "
         "seed, run, trial or the like.\nThe bands of seeds in the curves follow."));
  m_close->setObjectName(QStringLiteral("groupClose"));
  auto* label = new QLabel(tr("Group by"), this);
  label->setBuddy(m_line);
  new ConditionCompleter(m_line, [model] { return askableOptions(model->runs()); });
  makeColumn(this,
             {makeRow({label, {m_line, 1}, m_close}, kStyleGap,
                      {metrics::kMargin, 0, metrics::kGrid, metrics::kGrid}),
              m_problem},
             0);
  m_problem->hide();
  hide();
  m_rest.setSingleShot(true);
  m_rest.setInterval(kGroupRestMs);
  connect(m_line, &QLineEdit::textEdited, &m_rest, qOverload<>(&QTimer::start));
  connect(&m_rest, &QTimer::timeout, this, [this] { take(m_line->text()); });
  // Enter, and a line that is left, ask for them at once.
  connect(m_line, &QLineEdit::editingFinished, this, [this] {
    if (m_rest.isActive()) take(m_line->text());
  });
  connect(m_close, &QToolButton::clicked, this, [this] { choose({}); });
  connect(model->grouping(), &GroupingChoice::changed, this, &GroupBar::showChosen);
}

void GroupBar::edit() {
  show();
  m_line->setFocus(Qt::ShortcutFocusReason);
  m_line->selectAll();
}

void GroupBar::choose(const QString& text) {
  m_line->setText(text);
  take(text);
  setVisible(!m_model->grouping()->bySeeds());
}

// A text that is not understood leaves the groups as they are until it is.
void GroupBar::take(const QString& text) {
  m_rest.stop();
  const Status status = m_model->grouping()->set(text);
  m_problem->setVisible(!status.ok());
  if (!status.ok()) return m_problem->setText(phraseText(status.error().phrase()));
  Q_EMIT chosen();
}

void GroupBar::showChosen() {
  const GroupingChoice& grouping = *m_model->grouping();
  if (m_line->hasFocus()) return;  // somebody is writing it
  m_line->setText(fromUtf8(grouping.grouping().text()));
  m_problem->hide();
  setVisible(!grouping.bySeeds());
}

void GroupBar::addChoice(QMenu* menu, const QString& title, const QString& text) {
  QAction* action = menu->addAction(title);
  action->setCheckable(true);
  action->setChecked(m_model->grouping()->grouping().text() == toUtf8(text));
  connect(action, &QAction::triggered, this, [this, text] { choose(text); });
}

void GroupBar::fillMenu(QMenu* menu) {
  constexpr qsizetype kMostOffered = 10;
  addChoice(menu, tr("The seed alone"), {});
  addChoice(menu, tr("The name without its number"), QStringLiteral("name:"));
  menu->addSeparator();
  for (const QString& key : m_model->differingConfigKeys().mid(0, kMostOffered))
    addChoice(menu, literalActionText(key), key);
  menu->addSeparator();
  QAction* other = menu->addAction(tr("Options or a name pattern…"), this, &GroupBar::edit);
  other->setObjectName(QStringLiteral("groupByOther"));
}

void GroupBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  m_rest.stop();
  m_line->clearFocus();
  showChosen();
}

}  // namespace fathom
