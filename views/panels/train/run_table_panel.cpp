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

#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/train/run_table_delegate.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/empty_state.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

// More configuration keys than this make a menu nobody reads; the search box of the form finds the rest.
constexpr int kMaxConfigChoices = 40;

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
  table->horizontalHeader()->setMinimumSectionSize(metrics::kFormRow);
  return table;
}

}  // namespace

RunTablePanel::RunTablePanel(RunTableModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_filter(new RunFilterModel(this)),
      m_filterBox(searchLine(this, tr("Filter: words, option=value or /pattern/"))),
      m_problem(wrappedLabel(this)),
      m_count(new QLabel(this)),
      m_columns(flatButton(this, QStringLiteral("columns"), tr("Choose the columns"))),
      m_columnMenu(new QMenu(this)),
      m_stack(new QStackedWidget(this)),
      m_table(makeTable(this)),
      m_empty(new EmptyState(this)),
      m_nothingMatches(new EmptyState(this)),
      m_clearFilter(new QAction(tr("Clear the filter"), this)) {
  m_filter->setSourceModel(model);
  m_table->setModel(m_filter);
  m_table->setItemDelegate(new RunTableDelegate(m_table));
  m_table->sortByColumn(RunTableModel::Started, Qt::DescendingOrder);
  m_table->installEventFilter(this);
  m_table->viewport()->installEventFilter(this);
  m_filterBox->setAccessibleName(tr("Filter the runs"));
  m_filterBox->setToolTip(tr(
      "Words are looked for in name, state, outcome, tags, notes, preset, task and the columns of options; "
      "all must be there.\nlayers=12 or layers:12 asks the configuration.\n/pattern/ is a regular "
      "expression over the name."));
  m_filterBox->setObjectName(QStringLiteral("runFilter"));
  m_problem->hide();
  m_columns->setText(tr("Columns"));
  m_columns->setAccessibleName({});
  m_columns->setPopupMode(QToolButton::InstantPopup);
  m_columns->setMenu(m_columnMenu);
  m_columnMenu->setToolTipsVisible(true);
  m_stack->addWidget(m_table);
  m_stack->addWidget(m_empty);
  m_stack->addWidget(m_nothingMatches);
  m_nothingMatches->setActions({m_clearFilter});
  auto* bar = makeRow({{m_filterBox, 1}, m_count, m_columns}, kStyleGap,
                      {metrics::kMargin, metrics::kGrid, metrics::kGrid, metrics::kGrid});
  makeColumn(this, {bar, m_problem, {m_stack, 1}}, 0);
  connect(m_filterBox, &QLineEdit::textChanged, this, &RunTablePanel::applyFilter);
  connect(m_clearFilter, &QAction::triggered, m_filterBox, &QLineEdit::clear);
  connect(m_columnMenu, &QMenu::aboutToShow, this, &RunTablePanel::fillColumnMenu);
  const auto tell = [this] {
    if (!m_selecting) Q_EMIT selectionChanged();
  };
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, tell);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, tell);
  connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != RunTableModel::Star)
      Q_EMIT activated(index.data(RunTableModel::UuidRole).toString());
  });
  connect(m_table, &QTableView::customContextMenuRequested, this, [this](const QPoint& at) {
    QMenu menu(this);
    for (QAction* action : m_context) {  // nothing: a line between groups
      if (action == nullptr) {
        menu.addSeparator();
      } else {
        menu.addAction(action);
      }
    }
    menu.exec(m_table->viewport()->mapToGlobal(at));
  });
  connect(m_table->horizontalHeader(), &QHeaderView::sectionMoved, this, &RunTablePanel::layoutChanged);
  connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this,
          [this](int column, int before, int now) {
            if (m_sizing || before == 0 || now == 0) return;
            m_sized.insert(m_model->columnId(column));
            makeRoom();
            Q_EMIT layoutChanged();
          });
  connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
          &RunTablePanel::layoutChanged);
  connect(m_filter, &QAbstractItemModel::rowsInserted, this, &RunTablePanel::updateStack);
  connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &RunTablePanel::updateStack);
  connect(m_filter, &QAbstractItemModel::modelReset, this, &RunTablePanel::updateStack);
  // The filter loses a row before the model does.
  connect(m_model, &QAbstractItemModel::rowsRemoved, this, &RunTablePanel::updateStack);
  sizeColumns();
  updateStack();
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
  const bool fine = m_filter->setFilter(text, &problem);
  m_problem->setVisible(!fine);
  m_problem->setText(tr("The pattern is malformed: %1").arg(problem));
  updateStack();
}

void RunTablePanel::updateStack() {
  const int all = m_model->rowCount();
  const int shown = m_filter->rowCount();
  m_count->setText(all == shown ? QString() : tr("%1 of %2").arg(shown).arg(all));
  m_nothingMatches->setText(tr("No run matches “%1”.").arg(m_filter->filter()));
  m_stack->setCurrentWidget(shown > 0 ? static_cast<QWidget*>(m_table)
                            : all > 0 ? m_nothingMatches
                                      : m_empty);
}

QStringList RunTablePanel::selectedRuns() const {
  QStringList uuids;
  QModelIndexList rows = m_table->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end(),
            [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
  for (const QModelIndex& row : rows) uuids.append(row.data(RunTableModel::UuidRole).toString());
  return uuids;
}

QString RunTablePanel::currentRun() const {
  const QModelIndex current = m_table->currentIndex();
  return current.isValid() ? current.data(RunTableModel::UuidRole).toString() : QString();
}

void RunTablePanel::selectRuns(const QStringList& uuids, const QString& current) {
  QItemSelection selection;
  QModelIndex focus;
  for (const QString& uuid : uuids) {
    const int row = m_model->rowOf(uuid);
    if (row < 0) continue;
    const QModelIndex shown = m_filter->mapFromSource(m_model->index(row, RunTableModel::Name));
    if (!shown.isValid()) continue;
    if (!focus.isValid() || uuid == current) focus = shown;
    selection.select(shown, shown);
  }
  m_selecting = true;
  m_table->selectionModel()->select(selection,
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (focus.isValid()) {
    // Up and down only: the first columns stay in sight.
    const int across = m_table->horizontalScrollBar()->value();
    m_table->selectionModel()->setCurrentIndex(focus, QItemSelectionModel::NoUpdate);
    m_table->scrollTo(focus);
    m_table->horizontalScrollBar()->setValue(across);
    showFirstColumn();
  }
  m_selecting = false;
}

int RunTablePanel::columnOf(const QString& id) const {
  for (int column = 0; column < m_model->columnCount(); ++column)
    if (m_model->columnId(column) == id) return column;
  return -1;
}

int RunTablePanel::usualWidth(int column) const {
  const QFontMetrics text = m_table->fontMetrics();
  const int digit = text.horizontalAdvance(QLatin1Char('0'));
  const QString head = m_model->headerData(column, Qt::Horizontal).toString();
  switch (column) {
    case RunTableModel::Star:
      return metrics::kFormRow;
    case RunTableModel::Name:
      return 25 * digit;
    case RunTableModel::State:
      return 13 * digit;
    case RunTableModel::Started:
      return 18 * digit;
    default:
      return qBound(8 * digit, text.horizontalAdvance(head) + 4 * digit, 18 * digit);
  }
}

// What a column may shrink to: a name to its colour and its ends, a state to its icon and word.
int RunTablePanel::leastWidth(int column) const {
  const QFontMetrics text = m_table->fontMetrics();
  const int digit = text.horizontalAdvance(QLatin1Char('0'));
  const int icon = metrics::kIcon + 4 * metrics::kGrid;
  if (column == RunTableModel::Name) return 10 * digit + icon;
  if (column != RunTableModel::State) return usualWidth(column);
  const QString finished = runStateLook(QStringLiteral("finished")).word;
  return qMin(usualWidth(column), text.horizontalAdvance(finished) + icon);
}

void RunTablePanel::sizeColumns() {
  m_sizing = true;
  for (int column = 0; column < m_model->columnCount(); ++column)
    if (!m_sized.contains(m_model->columnId(column))) m_table->setColumnWidth(column, usualWidth(column));
  m_sizing = false;
  makeRoom();
}

// State and progress, and what stands before them, within the view as far as nobody wanted it otherwise.
void RunTablePanel::makeRoom() {
  const QHeaderView* header = m_table->horizontalHeader();
  int last = -1, needed = 0;
  for (const int column : {RunTableModel::State, RunTableModel::Progress})
    if (!header->isSectionHidden(column)) last = qMax(last, header->visualIndex(column));
  m_sizing = true;
  for (const int column : {RunTableModel::Name, RunTableModel::State})
    if (!m_sized.contains(m_model->columnId(column))) m_table->setColumnWidth(column, usualWidth(column));
  for (int visual = 0; visual <= last; ++visual) needed += header->sectionSize(header->logicalIndex(visual));
  int excess = needed - m_table->viewport()->width();
  for (const int column : {RunTableModel::Name, RunTableModel::State}) {
    if (m_sized.contains(m_model->columnId(column)) || header->isSectionHidden(column)) continue;
    const int width = header->sectionSize(column);
    const int least = qMin(width, leastWidth(column));
    const int fitting = qBound(least, width - excess, width);
    m_table->setColumnWidth(column, fitting);
    excess -= width - fitting;
  }
  m_sizing = false;
  showFirstColumn();
}

// Nobody scrolls by less than a column to hide it: the table went to the name when it was narrow.
void RunTablePanel::showFirstColumn() {
  const QHeaderView* header = m_table->horizontalHeader();
  QScrollBar* bar = m_table->horizontalScrollBar();
  if (bar->value() <= header->sectionSize(header->logicalIndex(0))) bar->setValue(0);
}

void RunTablePanel::addChoice(QMenu* menu, const QString& column, const QString& title, bool shown) {
  QAction* action = menu->addAction(literalActionText(title));
  action->setCheckable(true);
  action->setChecked(shown);
  action->setToolTip(column.section(QLatin1Char(':'), 1));
  connect(action, &QAction::toggled, this, [this, column](bool on) { toggleColumn(column, on); });
}

void RunTablePanel::fillColumnMenu() {
  m_columnMenu->clear();
  for (int column = RunTableModel::State; column < RunTableModel::FixedColumns; ++column)
    addChoice(m_columnMenu, m_model->columnId(column), m_model->headerData(column, Qt::Horizontal).toString(),
              !m_table->isColumnHidden(column));
  m_columnMenu->addSection(tr("Best value of"));
  const MetricCatalogue metrics = m_model->metricCatalogue();
  for (const QString& metric : m_model->knownMetrics())
    addChoice(m_columnMenu, QStringLiteral("metric:") + metric, metricTitle(metrics.of(toUtf8(metric))),
              m_model->metricColumns().contains(metric));
  QMenu* options = m_columnMenu->addMenu(tr("Options"));
  options->setToolTipsVisible(true);
  const QStringList chosen = m_model->configColumns();
  QStringList keys = chosen;
  for (const QString& key : m_model->knownConfigKeys())
    if (!keys.contains(key) && keys.size() < kMaxConfigChoices) keys.append(key);
  for (const QString& key : std::as_const(keys))
    addChoice(options, QStringLiteral("config:") + key, key, chosen.contains(key));
  options->setEnabled(!keys.isEmpty());
}

void RunTablePanel::toggleColumn(const QString& id, bool shown) {
  const auto toggled = [&](QStringList list) {
    const QString name = id.section(QLatin1Char(':'), 1);
    list.removeAll(name);
    if (shown) list.append(name);
    return list;
  };
  const QByteArray layout = saveLayout();
  if (id.startsWith(QLatin1String("metric:"))) {
    m_model->setMetricColumns(toggled(m_model->metricColumns()));
  } else if (id.startsWith(QLatin1String("config:"))) {
    m_model->setConfigColumns(toggled(m_model->configColumns()));
  } else {
    m_table->setColumnHidden(columnOf(id), !shown);
    makeRoom();
    Q_EMIT layoutChanged();
    return;
  }
  // The columns after the changed one have new places; the layout is by name.
  sizeColumns();
  Json json = Json::parse(layout.toStdString());
  json.erase("metrics");
  json.erase("options");
  restoreLayout(QByteArray::fromStdString(json.dump()));
  Q_EMIT layoutChanged();
}

QByteArray RunTablePanel::saveLayout() const {
  const QHeaderView* header = m_table->horizontalHeader();
  Json json;
  json["metrics"] = Json::array();
  for (const QString& metric : m_model->metricColumns()) json["metrics"].push_back(toUtf8(metric));
  json["options"] = Json::array();
  for (const QString& key : m_model->configColumns()) json["options"].push_back(toUtf8(key));
  json["columns"] = Json::array();
  for (int visual = 0; visual < header->count(); ++visual) {
    const int column = header->logicalIndex(visual);
    const QString id = m_model->columnId(column);
    json["columns"].push_back({{"id", toUtf8(id)},
                               {"width", header->isSectionHidden(column) ? 0 : header->sectionSize(column)},
                               {"chosen", m_sized.contains(id)}});
  }
  json["sort"] = toUtf8(m_model->columnId(qMax(0, header->sortIndicatorSection())));
  json["descending"] = header->sortIndicatorOrder() == Qt::DescendingOrder;
  return QByteArray::fromStdString(json.dump());
}

void RunTablePanel::restoreLayout(const QByteArray& text) {
  const Json json = Json::parse(text.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  const auto words = [&json](const char* key) {
    QStringList list;
    if (json.contains(key) && json[key].is_array())
      for (const Json& item : json[key])
        if (item.is_string()) list.append(fromUtf8(item.get<std::string>()));
    return list;
  };
  if (json.contains("metrics")) m_model->setMetricColumns(words("metrics"));
  if (json.contains("options")) m_model->setConfigColumns(words("options"));
  QHeaderView* header = m_table->horizontalHeader();
  m_sized.clear();
  sizeColumns();
  int visual = 0;
  if (json.contains("columns") && json["columns"].is_array()) {
    for (const Json& item : json["columns"]) {
      if (!item.is_object() || !item.contains("id") || !item["id"].is_string()) continue;
      const int column = columnOf(fromUtf8(item["id"].get<std::string>()));
      if (column < 0) continue;
      header->moveSection(header->visualIndex(column), visual++);
      const int width =
          item.contains("width") && item["width"].is_number_integer() ? item["width"].get<int>() : 80;
      header->setSectionHidden(column, width == 0 && column != RunTableModel::Name);
      // Layouts from before widths had a "chosen": a width that is not the usual one was.
      const bool chosen = item.contains("chosen") ? item["chosen"] == true : width != usualWidth(column);
      if (width <= 0 || !chosen) continue;
      m_sized.insert(m_model->columnId(column));
      m_sizing = true;
      header->resizeSection(column, qBound(20, width, 2000));
      m_sizing = false;
    }
    makeRoom();
  }
  if (!json.contains("sort") || !json["sort"].is_string()) return;
  const int sortColumn = columnOf(fromUtf8(json["sort"].get<std::string>()));
  if (sortColumn >= 0)
    m_table->sortByColumn(sortColumn,
                          json.value("descending", true) ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void RunTablePanel::copySelection() const {
  QStringList lines;
  const QHeaderView* header = m_table->horizontalHeader();
  const auto line = [&](const auto& cell) {
    QStringList cells;
    for (int visual = 0; visual < header->count(); ++visual) {
      const int column = header->logicalIndex(visual);
      if (column != RunTableModel::Star && !header->isSectionHidden(column)) cells.append(cell(column));
    }
    return cells.join(QLatin1Char('\t'));
  };
  lines.append(line([this](int column) { return m_filter->headerData(column, Qt::Horizontal).toString(); }));
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
    if (enter && !currentRun().isEmpty()) {
      Q_EMIT activated(currentRun());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace fathom
