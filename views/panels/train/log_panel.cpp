// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/log_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/tables/log_model.h"

namespace fathom {

LogPanel::LogPanel(LogModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_filter(new LogFilterModel(this)),
      m_level(new QComboBox(this)),
      m_search(searchLine(this, tr("Search the log"))),
      m_table(rowTable(m_filter, tr("Log"), this)),
      m_empty(wrappedLabel(this)),
      m_remark(wrappedLabel(this)) {
  m_filter->setSourceModel(model);
  m_level->addItem(tr("Everything"), static_cast<int>(LogLine::Level::Detail));
  m_level->addItem(tr("Warnings and errors"), static_cast<int>(LogLine::Level::Warning));
  m_level->addItem(tr("Errors"), static_cast<int>(LogLine::Level::Error));
  m_level->setAccessibleName(tr("Which lines"));
  m_table->setWordWrap(false);
  m_table->verticalHeader()->setDefaultSectionSize(metrics::kTableRow - metrics::kGrid);
  m_table->horizontalHeader()->hide();
  m_table->horizontalHeader()->setStretchLastSection(true);
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  m_table->setColumnWidth(LogModel::Time, 11 * digit);
  m_table->setColumnWidth(LogModel::Kind, 15 * digit);
  const QAction* copy = addKeyAction(m_table, tr("Copy"), QKeySequence::Copy);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_empty->setAlignment(Qt::AlignCenter);
  m_remark->setContentsMargins(metrics::kMargin, 0, metrics::kMargin, metrics::kGrid);
  m_remark->hide();
  auto* bar = makeRow({{m_search, 1}, m_level}, kStyleGap,
                      {metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid});
  makeColumn(this, {bar, {m_empty, 1}, {m_table, 1}, m_remark}, 0);
  connect(copy, &QAction::triggered, this, &LogPanel::copySelection);
  connect(m_level, &QComboBox::currentIndexChanged, this, [this] {
    m_filter->setMinimumLevel(static_cast<LogLine::Level>(m_level->currentData().toInt()));
    updateState();
  });
  connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_filter->setText(text);
    updateState();
  });
  connect(m_table->verticalScrollBar(), &QScrollBar::sliderMoved, this,
          [this](int value) { m_follow = value >= m_table->verticalScrollBar()->maximum(); });
  connect(m_filter, &QAbstractItemModel::rowsInserted, this, [this] {
    updateState();
    if (m_follow) m_table->scrollToBottom();
  });
  connect(m_filter, &QAbstractItemModel::modelReset, this, [this] {
    m_follow = true;
    updateState();
  });
  updateState();
}

void LogPanel::setRunName(const QString& name) {
  m_run = name;
  updateState();
}

void LogPanel::setRemark(const QString& remark) {
  showText(m_remark, remark);
}

void LogPanel::updateState() {
  const bool any = m_filter->rowCount() > 0;
  m_table->setVisible(any);
  m_empty->setVisible(!any);
  if (any) return;
  if (m_run.isEmpty()) {
    m_empty->setText(tr("Select a run to read its log."));
  } else if (m_model->rowCount() == 0) {
    m_empty->setText(tr("%1 has not written anything yet.").arg(m_run));
  } else {
    m_empty->setText(tr("No line of the log matches."));
  }
}

void LogPanel::copySelection() const {
  QStringList lines;
  QModelIndexList rows = m_table->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end(),
            [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
  for (const QModelIndex& row : rows) {
    QStringList cells;
    for (int column = 0; column < LogModel::Columns; ++column)
      cells.append(row.siblingAtColumn(column).data().toString());
    lines.append(cells.join(QLatin1Char('\t')));
  }
  QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace fathom
