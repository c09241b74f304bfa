// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/schema_panel.h"

#include <QEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QSplitter>
#include <QToolTip>
#include <algorithm>

#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_header.h"
#include "views/panels/widgets/heading.h"

namespace fathom {

namespace {

enum SchemaColumn { kSchemaName, kType, kUsed };
enum Use { kUnused, kGoldOnly, kPredictedOnly, kBoth };

Use useOf(bool gold, bool predicted) {
  return gold && predicted ? kBoth : gold ? kGoldOnly : predicted ? kPredictedOnly : kUnused;
}

QColor colourOf(Use use, const Theme& theme) {
  switch (use) {
    case kGoldOnly:
      return theme.finished;
    case kPredictedOnly:
      return theme.diverged;
    case kBoth:
      return theme.accent;
    default:
      return theme.separator;
  }
}

QString useText(Use use) {
  switch (use) {
    case kGoldOnly:
      return SchemaPanel::tr("gold");
    case kPredictedOnly:
      return SchemaPanel::tr("predicted");
    case kBoth:
      return SchemaPanel::tr("both");
    default:
      return {};
  }
}

bool joins(const SchemaUse& use, int a, int b) {
  const auto wanted = std::minmax(a, b);
  return std::find(use.joins.begin(), use.joins.end(), std::pair<int, int>(wanted)) != use.joins.end();
}

QString joinText(const SchemaUse& use, const SpiderSchema& schema) {
  QStringList parts;
  for (const auto& [a, b] : use.joins)
    parts.append(fromUtf8(schema.columnText(a) + " = " + schema.columnText(b)));
  return parts.isEmpty() ? SchemaPanel::tr("no join") : nameText(parts);
}

}  // namespace

SchemaGraph::SchemaGraph(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setMinimumSize(140, 90);
}

void SchemaGraph::setSchema(const SpiderSchema* schema) {
  m_schema = schema;
  m_gold = m_predicted = {};
  m_current = -1;
  place();
  update();
}

void SchemaGraph::setUse(const SchemaUse& gold, const SchemaUse& predicted) {
  m_gold = gold;
  m_predicted = predicted;
  update();
}

void SchemaGraph::setCurrentTable(int table) {
  m_current = table;
  update();
}

void SchemaGraph::place() {
  if (m_schema == nullptr || m_schema->tables.empty()) return;
  const int count = int(m_schema->tables.size());
  m_gridColumns = count <= 3 ? qMax(1, qMin(count, 2)) : count <= 12 ? 3 : 4;
  m_gridRows = (count + m_gridColumns - 1) / m_gridColumns;
  m_cells = placeTables(*m_schema, m_gridColumns);
}

QRectF SchemaGraph::boxOf(int table) const {
  const SchemaCell cell = m_cells[std::size_t(table)];
  const double width = double(this->width()) / m_gridColumns, height = double(this->height()) / m_gridRows;
  const double box = qMin(height - 8, fontMetrics().height() + 8.0);
  const double gap = qMin(20.0, width * 0.12);
  return {cell.column * width + gap / 2, cell.row * height + (height - box) / 2, width - gap, box};
}

void SchemaGraph::paintEvent(QPaintEvent*) {
  if (m_schema == nullptr || m_schema->tables.empty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& theme = Theme::of(palette());
  const auto line = [&](int a, int b, Use use) {
    const int left = m_schema->columns[std::size_t(a)].table, right = m_schema->columns[std::size_t(b)].table;
    if (left < 0 || right < 0 || left == right) return;
    QColor colour = use == kUnused ? theme.secondary : colourOf(use, theme);
    if (use == kUnused) colour.setAlphaF(0.45F);
    painter.setPen(
        QPen(colour, use == kUnused ? 1 : 2.5, use == kPredictedOnly ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(boxOf(left).center(), boxOf(right).center());
  };
  for (const auto& [a, b] : m_schema->foreignKeys)
    if (useOf(joins(m_gold, a, b), joins(m_predicted, a, b)) == kUnused) line(a, b, kUnused);
  for (const auto& [a, b] : m_predicted.joins) line(a, b, useOf(joins(m_gold, a, b), true));
  for (const auto& [a, b] : m_gold.joins)
    if (!joins(m_predicted, a, b)) line(a, b, kGoldOnly);
  for (int t = 0; t < int(m_schema->tables.size()); ++t) {
    const Use use = useOf(m_gold.tables.count(t) > 0, m_predicted.tables.count(t) > 0);
    const QRectF box = boxOf(t);
    QColor fill = colourOf(use, theme);
    painter.setPen(QPen(use == kUnused ? theme.secondary : fill, use == kUnused ? 1 : 2));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box, 3, 3);
    if (use != kUnused) {
      fill.setAlphaF(0.16F);
      painter.setBrush(fill);
      painter.drawRoundedRect(box, 3, 3);
    }
    if (t == m_current) {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(theme.text, 1, Qt::DotLine));
      painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 4, 4);
    }
    painter.setPen(use == kUnused ? theme.secondary : theme.text);
    const QString name = fromUtf8(m_schema->tables[std::size_t(t)].originalName);
    painter.drawText(box.adjusted(4, 0, -4, 0), Qt::AlignCenter,
                     fontMetrics().elidedText(name, Qt::ElideRight, int(box.width()) - 8));
  }
}

void SchemaGraph::mousePressEvent(QMouseEvent* event) {
  for (int t = 0; m_schema != nullptr && t < int(m_schema->tables.size()); ++t)
    if (boxOf(t).contains(event->position())) Q_EMIT tableClicked(t);
}

bool SchemaGraph::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_schema != nullptr) {
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int t = 0; t < int(m_schema->tables.size()); ++t) {
      if (!boxOf(t).contains(help->pos())) continue;
      const SpiderTable& table = m_schema->tables[std::size_t(t)];
      QStringList columns;
      for (const int column : table.columns)
        columns.append(fromUtf8(m_schema->columns[std::size_t(column)].originalName));
      QToolTip::showText(help->globalPos(),
                         QStringLiteral("%1: %2").arg(fromUtf8(table.originalName), nameText(columns)));
      return true;
    }
    QToolTip::hideText();
  }
  return QWidget::event(event);
}

SchemaPanel::SchemaPanel(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_graph(new SchemaGraph(this)),
      m_tree(new QTreeWidget(this)),
      m_legend(wrappedLabel(this)),
      m_path(wrappedLabel(this)) {
  m_tree->setHeader(new ElidedHeader(Qt::Horizontal, m_tree));
  m_tree->setHeaderLabels({tr("Table, column"), tr("Type"), tr("Used by")});
  m_tree->setAccessibleName(tr("Schema"));
  m_tree->header()->setStretchLastSection(false);
  m_tree->header()->setTextElideMode(Qt::ElideRight);
  for (int column = 0; column < m_tree->columnCount(); ++column)
    m_tree->headerItem()->setToolTip(column, m_tree->headerItem()->text(column));
  m_tree->header()->setSectionResizeMode(kSchemaName, QHeaderView::Interactive);
  m_tree->header()->setSectionResizeMode(kType, QHeaderView::Stretch);
  m_tree->header()->setSectionResizeMode(kUsed, QHeaderView::Interactive);
  m_tree->viewport()->installEventFilter(this);
  m_tree->setUniformRowHeights(true);
  evenRows(m_tree);
  m_tree->setIndentation(14);
  m_legend->setTextFormat(Qt::RichText);
  m_path->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  m_split = new QSplitter(Qt::Vertical, this);
  fillSplitter(m_split, {m_graph, m_tree}, {150, 220});
  makeColumn(this, {m_title, {m_split, 1}, m_legend, m_path}, metrics::kGrid,
             {0, metrics::kMargin, metrics::kMargin, 0});
  setHeadingRank(m_title, HeadingRank::Panel);
  connect(m_graph, &SchemaGraph::tableClicked, this, [this](int table) {
    QTreeWidgetItem* item = m_tree->topLevelItem(table);
    item->setExpanded(true);
    m_tree->setCurrentItem(item);
    m_tree->scrollToItem(item, QAbstractItemView::PositionAtTop);
  });
  connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    while (item != nullptr && item->parent() != nullptr) item = item->parent();
    m_graph->setCurrentTable(item == nullptr ? -1 : m_tree->indexOfTopLevelItem(item));
  });
}

// In a low and wide place graph and tree stand beside each other.
void SchemaPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_split->setOrientation(width() > 2 * height() ? Qt::Horizontal : Qt::Vertical);
}

void SchemaPanel::showSchema(const SpiderSchema* schema) {
  if (m_schema == schema) return;
  m_schema = schema;
  m_gold = m_predicted = {};
  m_graph->setSchema(schema);
  m_path->hide();
  m_title->setText(schema == nullptr ? tr("No schema of this database is known.")
                                     : tr("Schema of %1").arg(fromUtf8(schema->dbId)));
  fillTree();
}

void SchemaPanel::fillTree() {
  m_tree->clear();
  if (m_schema == nullptr) return;
  for (const SpiderTable& table : m_schema->tables) {
    auto* top = new QTreeWidgetItem(m_tree, {fromUtf8(table.originalName)});
    top->setToolTip(0, fromUtf8(table.name));
    for (const int id : table.columns) {
      const SpiderColumn& column = m_schema->columns[std::size_t(id)];
      QString type = fromUtf8(column.type);
      if (column.primary) type += tr(", key");
      for (const auto& [from, to] : m_schema->foreignKeys)
        if (from == id) type += QStringLiteral(" → ") + fromUtf8(m_schema->columnText(to));
      auto* item = new QTreeWidgetItem(top, {fromUtf8(column.originalName), type});
      item->setData(0, Qt::UserRole, id);
      item->setToolTip(0, fromUtf8(column.name));
      item->setToolTip(1, type);
    }
  }
}

void SchemaPanel::showUse(const PreparedSql& gold, const PreparedSql& predicted) {
  if (m_schema == nullptr) return;
  m_gold = schemaUse(gold);
  m_predicted = schemaUse(predicted);
  m_graph->setUse(m_gold, m_predicted);
  m_graph->setToolTip({});
  m_graph->setAccessibleName(joinPath());
  showText(m_path, joinPath());
  markTree();
}

// Marks and the legend of their colours.
void SchemaPanel::colourTree() {
  const Theme& theme = Theme::of(palette());
  const auto mark = [&theme](QTreeWidgetItem* item, Use use) {
    item->setText(2, useText(use));
    item->setForeground(2, colourOf(use, theme));
    QFont font = item->font(0);
    font.setWeight(use == kUnused ? QFont::Normal : QFont::DemiBold);
    item->setFont(0, font);
    item->setForeground(0, use == kUnused ? theme.secondary : theme.text);
    item->setForeground(1, theme.secondary);
  };
  for (int t = 0; t < m_tree->topLevelItemCount(); ++t) {
    QTreeWidgetItem* top = m_tree->topLevelItem(t);
    mark(top, useOf(m_gold.tables.count(t) > 0, m_predicted.tables.count(t) > 0));
    for (int i = 0; i < top->childCount(); ++i) {
      const int id = top->child(i)->data(0, Qt::UserRole).toInt();
      mark(top->child(i), useOf(m_gold.columns.count(id) > 0, m_predicted.columns.count(id) > 0));
    }
  }
  const auto swatch = [&theme](Use use, const QString& text) {
    return QStringLiteral("<span style=\"color:%1\">■</span> %2")
        .arg(colourOf(use, theme).name(), text.toHtmlEscaped());
  };
  m_legend->setText(QStringList{swatch(kBoth, tr("both")), swatch(kGoldOnly, tr("gold only")),
                                swatch(kPredictedOnly, tr("predicted only"))}
                        .join(QStringLiteral(" &nbsp; ")));
}

void SchemaPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !m_legend->text().isEmpty()) colourTree();
}

void SchemaPanel::markTree() {
  colourTree();
  QTreeWidgetItem* first = nullptr;
  for (int t = 0; t < m_tree->topLevelItemCount(); ++t) {
    QTreeWidgetItem* top = m_tree->topLevelItem(t);
    const bool used = m_gold.tables.count(t) + m_predicted.tables.count(t) > 0;
    top->setExpanded(used);
    if (used && first == nullptr) first = top;
  }
  shareWidth();
  if (first != nullptr) m_tree->scrollToItem(first, QAbstractItemView::PositionAtTop);
}

bool SchemaPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_tree->viewport() && event->type() == QEvent::Resize) shareWidth();
  return QWidget::eventFilter(watched, event);
}

// Names first: types and marks take what is left.
void SchemaPanel::shareWidth() {
  m_tree->resizeColumnToContents(kUsed);
  m_tree->resizeColumnToContents(kSchemaName);
  const int room = m_tree->viewport()->width() - m_tree->columnWidth(kUsed);
  m_tree->setColumnWidth(kSchemaName, qMin(m_tree->columnWidth(kSchemaName), qMax(80, room - room / 4)));
}

QString SchemaPanel::joinPath() const {
  if (m_schema == nullptr || (m_gold.joins.empty() && m_predicted.joins.empty())) return {};
  const QString gold = joinText(m_gold, *m_schema), predicted = joinText(m_predicted, *m_schema);
  if (gold == predicted) return tr("Both join: %1").arg(gold);
  return tr("Gold: %1").arg(gold) + QLatin1Char('\n') + tr("Predicted: %1").arg(predicted);
}

}  // namespace fathom
