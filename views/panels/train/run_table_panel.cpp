// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/run_table_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <utility>

#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/train/condition_completer.h"
#include "views/panels/train/eye_controls.h"
#include "views/panels/train/fold_controls.h"
#include "views/panels/train/group_bar.h"
#include "views/panels/train/run_table_delegate.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/frozen_columns.h"
#include "views/tables/asked_item.h"
#include "views/tables/grouping_choice.h"
#include "views/tables/run_fold_model.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

constexpr int kFitMilliseconds = 400;
constexpr int kLeastRows = 6;

QTableView* makeTable(QWidget* parent) {
  auto* table = new QTableView(parent);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setSortingEnabled(true);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setDragEnabled(true);
  table->setTabKeyNavigation(false);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setEditTriggers(QAbstractItemView::EditKeyPressed);
  table->setContextMenuPolicy(Qt::CustomContextMenu);
  table->setAccessibleName(RunTablePanel::tr("Runs"));
  table->setObjectName(QStringLiteral("runTable"));
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(metrics::kTableRow);
  table->horizontalHeader()->setSectionsMovable(true);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
  table->horizontalHeader()->setMinimumSectionSize(metrics::kIcon);
  return table;
}

}  // namespace

RunTablePanel::RunTablePanel(RunTableModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_filter(new RunFilterModel(this)),
      m_rows(nullptr),
      m_filterBox(searchLine(this, tr("Filter: words, layers=12 or valid.bleu > 30"))),
      m_problem(wrappedLabel(this)),
      m_count(new QLabel(this)),
      m_columns(flatButton(this, QStringLiteral("columns"), tr("Choose the columns"))),
      m_columnMenu(new QMenu(this)),
      m_stack(new QStackedWidget(this)),
      m_table(makeTable(this)),
      m_empty(new EmptyState(this)),
      m_nothingMatches(new EmptyState(this)),
      m_clearFilter(new QAction(tr("Clear the filter"), this)),
      m_eyes(new EyeControls(
          model, m_table, [this] { return selectedRuns(); }, this)),
      m_folds(nullptr),
      m_groups(new GroupBar(model, this)),
      m_options(flatTextButton(this, tr("Options"), tr("Columns of the options in which the runs differ"))) {
  m_filter->setSourceModel(model);
  m_rows = new RunFoldModel(model, m_filter, this);
  m_table->setModel(m_rows);
  m_table->setItemDelegate(new RunTableDelegate(m_table));
  m_folds = new FoldControls(m_rows, m_table);
  m_table->sortByColumn(RunTableModel::Started, Qt::DescendingOrder);
  m_table->installEventFilter(this);
  m_table->viewport()->installEventFilter(this);
  m_filterBox->setAccessibleName(tr("Filter the runs"));
  m_filterBox->setToolTip(
      m_filterBox->placeholderText() + QLatin1Char('\n') +
      tr("Words are looked for in name, state, outcome, tags, notes, preset, task and the columns of "
         "options; all must be there.\nlayers=12 or layers:12 asks the configuration.\nvalid.bleu > 30 and "
         "(layers >= 12 or state = diverged) is a condition: metrics (best.x, last.x), options, name, state, "
         "tags, updates, time and started, joined by and, or, not.\n/pattern/ is a regular expression over "
         "the name."));
  m_filterBox->setObjectName(QStringLiteral("runFilter"));
  new ConditionCompleter(m_filterBox, [model] { return askableNames(model->runs()); });
  m_problem->setObjectName(QStringLiteral("filterProblem"));
  m_problem->hide();
  m_options->setObjectName(QStringLiteral("differingOptions"));
  m_options->setCheckable(true);
  connect(m_options, &QToolButton::clicked, this, &RunTablePanel::showDiffering);
  m_columns->setObjectName(QStringLiteral("columns"));
  m_columns->setText(tr("Columns"));
  m_columns->setAccessibleName({});
  m_columns->setPopupMode(QToolButton::InstantPopup);
  m_columns->setMenu(m_columnMenu);
  m_columnMenu->setToolTipsVisible(true);
  m_stack->addWidget(m_table);
  m_stack->addWidget(m_empty);
  m_stack->addWidget(m_nothingMatches);
  m_nothingMatches->setActions({m_clearFilter});
  auto* bar = makeRow({{m_filterBox, 1}, m_count, m_eyes->button(), m_options, m_columns}, kStyleGap,
                      {metrics::kMargin, metrics::kGrid, metrics::kGrid, metrics::kGrid});
  makeColumn(this, {bar, m_problem, m_groups, {m_stack, 1}}, 0);
  connect(m_groups, &GroupBar::chosen, this, [this] { m_rows->setFolds(true); });
  connect(m_filterBox, &QLineEdit::textChanged, this, &RunTablePanel::applyFilter);
  connect(m_clearFilter, &QAction::triggered, m_filterBox, &QLineEdit::clear);
  connect(m_columnMenu, &QMenu::aboutToShow, this, &RunTablePanel::fillColumnMenu);
  connectTable();
  watchRegrouping();
  connectHeader();
  sizeColumns();
  m_frozen = new FrozenColumns(m_table, {RunTableModel::Eye, RunTableModel::Star, RunTableModel::Name});
  m_eyes->watch(m_frozen);
  m_folds->watch(m_frozen);
  setTabOrders({m_filterBox, m_eyes->button(), m_options, m_columns, m_table});
  m_ages.setInterval(1000);
  connect(&m_ages, &QTimer::timeout, this, [this] {
    if (m_model->hasHeard() && !m_table->isColumnHidden(RunTableModel::Place)) m_table->viewport()->update();
  });
  m_ages.start();
  updateStack();
}

// Rows that are made anew, fold or form a group are the same runs: what was selected stays so.
void RunTablePanel::watchRegrouping() {
  connect(m_rows, &QAbstractItemModel::modelAboutToBeReset, this, &RunTablePanel::keepSelection);
  connect(m_rows, &QAbstractItemModel::modelReset, this, &RunTablePanel::reselect);
  connect(m_rows, &RunFoldModel::aboutToRegroup, this, &RunTablePanel::keepSelection);
  connect(m_rows, &RunFoldModel::regrouped, this, &RunTablePanel::reselect);
}

void RunTablePanel::keepSelection() {
  if (m_kept.depth++ > 0) return;
  m_kept.selecting = std::exchange(m_selecting, true);
  m_kept.runs = selectedRuns();
  m_kept.groups.clear();
  for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
    if (row.data(RunFoldModel::GroupRole).toInt() != 0)
      for (const QString& run : row.data(RunTableModel::MembersRole).toStringList())
        m_kept.groups.insert(run);
  m_kept.current = currentRun();
  m_kept.currentIsGroup =
      m_awayCurrent.isEmpty() && m_table->currentIndex().data(RunFoldModel::GroupRole).toInt() != 0;
}

// A run that is folded away stays selected, as in a tree. Only one that is gone is told.
void RunTablePanel::reselect() {
  if (--m_kept.depth > 0) return;
  QItemSelection selection;
  const QSet<QString> there = takeRows({m_kept.runs.cbegin(), m_kept.runs.cend()}, selection);
  m_table->selectionModel()->select(selection,
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  takeCurrent();
  m_selecting = m_kept.selecting;
  if (there.size() < m_kept.runs.size() && !m_selecting) Q_EMIT selectionChanged();
}

// Selects the rows that show these runs; the rest of those that are there is away. A folded group is selected
// with all of its runs, an open one where its own row was.
QSet<QString> RunTablePanel::takeRows(const QSet<QString>& runs, QItemSelection& selection) {
  QSet<QString> there, shown;
  m_away.clear();
  for (int row = 0; !runs.isEmpty() && row < m_rows->rowCount(); ++row) {
    const QModelIndex index = m_rows->index(row, RunTableModel::Name);
    const int group = index.data(RunFoldModel::GroupRole).toInt();
    const QStringList members = index.data(RunTableModel::MembersRole).toStringList();
    bool takes = !members.isEmpty();
    for (const QString& run : members) {
      takes = takes && runs.contains(run) && (group != 2 || m_kept.groups.contains(run));
      if (runs.contains(run)) there.insert(run);
    }
    if (index.data(RunFoldModel::MemberRole).toBool() && m_kept.groups.contains(members.value(0)))
      takes = takes && !shown.contains(members.first());
    if (!takes) continue;
    selection.select(index, index);
    for (const QString& run : members) shown.insert(run);
  }
  for (const QString& run : std::as_const(m_kept.runs))
    if (there.contains(run) && !shown.contains(run)) m_away.append(run);
  return there;
}

// The row that was current, or that of its group while it is folded away.
void RunTablePanel::takeCurrent() {
  m_awayCurrent.clear();
  const int group = m_rows->groupRow(m_kept.current), run = m_rows->runRow(m_kept.current);
  const bool ofGroup =
      group >= 0 &&
      m_rows->index(group, 0).data(RunTableModel::MembersRole).toStringList().contains(m_kept.current);
  int row = run;
  if (ofGroup && (m_kept.currentIsGroup || run < 0)) row = group;
  if (row < 0) return;
  if (row == group && !m_kept.currentIsGroup) m_awayCurrent = m_kept.current;
  if (m_table->currentIndex().row() != row) focusRow(m_rows->index(row, RunTableModel::Name));
}

void RunTablePanel::connectTable() {
  const auto tell = [this] {
    if (m_selecting) return;
    m_away.clear();
    m_awayCurrent.clear();
    Q_EMIT selectionChanged();
  };
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, tell);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, tell);
  connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() > RunTableModel::Star && index.data(RunFoldModel::GroupRole).toInt() == 0)
      Q_EMIT activated(index.data(RunTableModel::UuidRole).toString());
  });
  connect(m_table, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    m_eyes->enableActions();
    menu.addActions(m_eyes->actions());
    menu.addSeparator();
    for (QAction* action : m_context) {  // nothing: a line between groups
      if (action == nullptr) {
        menu.addSeparator();
      } else {
        menu.addAction(action);
      }
    }
    menu.exec(m_table->viewport()->mapToGlobal(at));
  });
  connect(m_filter, &QAbstractItemModel::rowsInserted, this, &RunTablePanel::updateStack);
  connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &RunTablePanel::updateStack);
  connect(m_filter, &QAbstractItemModel::modelReset, this, &RunTablePanel::updateStack);
  // The filter loses a row before the model does.
  connect(m_model, &QAbstractItemModel::rowsRemoved, this, &RunTablePanel::updateStack);
}

void RunTablePanel::connectHeader() {
  const QHeaderView* header = m_table->horizontalHeader();
  connect(header, &QHeaderView::sectionMoved, this, [this] {
    if (m_sizing) return;
    keepNameFirst();
    Q_EMIT layoutChanged();
  });
  connect(header, &QHeaderView::sectionResized, this, [this](int column, int before, int now) {
    if (m_sizing || before == 0 || now == 0) return;
    m_sized.insert(m_model->columnId(column));
    makeRoom();
    Q_EMIT layoutChanged();
  });
  connect(header, &QHeaderView::sortIndicatorChanged, this, &RunTablePanel::layoutChanged);
  // Texts of cells change while runs are live: the fit comes so seldom that nothing twitches.
  m_fit.setSingleShot(true);
  m_fit.setInterval(kFitMilliseconds);
  connect(&m_fit, &QTimer::timeout, this, &RunTablePanel::sizeColumns);
  const auto soon = [this] {
    if (!m_fit.isActive()) m_fit.start();
  };
  connect(m_model, &QAbstractItemModel::dataChanged, this, soon);
  connect(m_model, &QAbstractItemModel::rowsInserted, this, soon);
  connect(m_model, &QAbstractItemModel::modelReset, this, soon);
  // Means with their deviation are wider than scores. Queued: the rows are folded anew first.
  connect(m_model->grouping(), &GroupingChoice::changed, this, &RunTablePanel::sizeColumns,
          Qt::QueuedConnection);
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(m_model, signal, this, &RunTablePanel::naturalHeightChanged);
  connect(m_model, &QAbstractItemModel::modelReset, this, &RunTablePanel::naturalHeightChanged);
}

void RunTablePanel::setEmptyText(const QString& text) {
  m_empty->setText(text);
}

void RunTablePanel::setActions(const QList<QAction*>& context, const QList<QAction*>& whenEmpty) {
  m_context = context;
  m_empty->setActions(whenEmpty);
}

void RunTablePanel::applyFilter(const QString& text) {
  QString problem;
  m_rows->hold();
  const bool fine = m_filter->setFilter(text, &problem);
  m_rows->release();
  m_problem->setVisible(!fine);
  m_problem->setText(problem);
  updateStack();
}

void RunTablePanel::updateStack() {
  const int all = m_model->rowCount();
  const int shown = m_filter->rowCount();
  m_count->setText(all == shown ? QString() : tr("%1 of %2").arg(shown).arg(all));
  if (shown == 0 && all > 0) {
    const QStringList lines = QStringList(tr("No run matches “%1”.").arg(m_filter->filter()));
    m_nothingMatches->setText((lines + m_filter->unmetNames()).join(QLatin1Char('\n')));
  }
  m_stack->setCurrentWidget(shown > 0 ? static_cast<QWidget*>(m_table)
                            : all > 0 ? m_nothingMatches
                                      : m_empty);
}

int RunTablePanel::naturalHeight() const {
  const int rows = qMax(kLeastRows, m_rows->rowCount());
  return height() - m_stack->height() + m_table->horizontalHeader()->sizeHint().height() +
         rows * m_table->verticalHeader()->defaultSectionSize() + metrics::kMargin;
}

QStringList RunTablePanel::selectedRuns() const {
  QStringList uuids;
  QModelIndexList rows = m_table->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end(),
            [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
  for (const QModelIndex& row : rows) uuids += row.data(RunTableModel::MembersRole).toStringList();
  uuids += m_away;
  uuids.removeDuplicates();  // of a group and of its runs
  return uuids;
}

QString RunTablePanel::currentRun() const {
  if (!m_awayCurrent.isEmpty()) return m_awayCurrent;
  const QModelIndex current = m_table->currentIndex();
  return current.isValid() ? current.data(RunTableModel::UuidRole).toString() : QString();
}

// Row of a chosen run; of its group where that is folded and chosen as a whole.
QModelIndex RunTablePanel::shownIndex(const QString& uuid, const QSet<QString>& chosen) {
  const int group = m_rows->groupRow(uuid);
  const QModelIndex index = m_rows->index(group, RunTableModel::Name);
  const QStringList runs = index.data(RunTableModel::MembersRole).toStringList();
  if (runs.contains(uuid) && m_rows->runRow(uuid) < 0) {
    const bool whole = std::all_of(runs.cbegin(), runs.cend(),
                                   [&chosen](const QString& run) { return chosen.contains(run); });
    if (whole) return index;
    m_rows->setOpen(group, true);
  }
  const int row = m_rows->runRow(uuid);
  return row < 0 ? QModelIndex() : m_rows->index(row, RunTableModel::Name);
}

void RunTablePanel::selectRuns(const QStringList& uuids, const QString& current) {
  m_selecting = true;
  m_away.clear();
  m_awayCurrent.clear();
  const QSet<QString> chosen(uuids.cbegin(), uuids.cend());
  for (const QString& uuid : uuids) shownIndex(uuid, chosen);  // rows move while groups open
  QItemSelection selection;
  QModelIndex focus;
  for (const QString& uuid : uuids) {
    const QModelIndex shown = shownIndex(uuid, chosen);
    if (!shown.isValid()) continue;
    if (!focus.isValid() || uuid == current) focus = shown;
    selection.select(shown, shown);
  }
  m_away.clear();  // of the selection before, while groups opened
  m_awayCurrent.clear();
  m_table->selectionModel()->select(selection,
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (focus.isValid()) {
    focusRow(focus);
    showFirstColumn();
  }
  m_selecting = false;
}

// Up and down only: the first columns stay in sight.
void RunTablePanel::focusRow(const QModelIndex& row) {
  const int across = m_table->horizontalScrollBar()->value();
  m_table->selectionModel()->setCurrentIndex(row, QItemSelectionModel::NoUpdate);
  m_table->scrollTo(row);
  m_table->horizontalScrollBar()->setValue(across);
}

void RunTablePanel::copySelection() const {
  QStringList lines;
  const QHeaderView* header = m_table->horizontalHeader();
  const auto line = [&](const auto& cell) {
    QStringList cells;
    for (int visual = 0; visual < header->count(); ++visual) {
      const int column = header->logicalIndex(visual);
      if (column > RunTableModel::Star && !header->isSectionHidden(column)) cells.append(cell(column));
    }
    return cells.join(QLatin1Char('\t'));
  };
  lines.append(line([this](int column) { return m_model->headerData(column, Qt::Horizontal).toString(); }));
  for (const QString& uuid : selectedRuns()) {
    const int row = m_model->rowOf(uuid);
    lines.append(line([this, row](int column) { return m_model->index(row, column).data().toString(); }));
  }
  QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void RunTablePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) sizeColumns();
}

bool RunTablePanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table->viewport()) {
    if (event->type() == QEvent::Resize) makeRoom();
    return QWidget::eventFilter(watched, event);
  }
  if (event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Copy)) {
      copySelection();
      return true;
    }
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    const bool ofGroup = m_table->currentIndex().data(RunFoldModel::GroupRole).toInt() != 0;
    if (enter && !ofGroup && !currentRun().isEmpty()) {
      Q_EMIT activated(currentRun());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace fathom
