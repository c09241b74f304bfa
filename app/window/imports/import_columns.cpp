// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/imports/import_columns.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <algorithm>

#include "core/imports/csv_columns.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kMostColumns = 300, kLongestName = 300;

// Title of a word of kColumnUses.
QString useTitle(const QString& use) {
  const QHash<QString, QString> titles = {{QStringLiteral("metric"), ImportColumns::tr("Metric")},
                                          {QStringLiteral("option"), ImportColumns::tr("Option")},
                                          {QStringLiteral("run"), ImportColumns::tr("Tells the runs apart")},
                                          {QStringLiteral("step"), ImportColumns::tr("Step")},
                                          {QStringLiteral("time"), ImportColumns::tr("Time")},
                                          {QStringLiteral("epoch"), ImportColumns::tr("Epoch")},
                                          {QStringLiteral("tokens"), ImportColumns::tr("Tokens")},
                                          {QStringLiteral("run_name"), ImportColumns::tr("Name of the run")},
                                          {QStringLiteral("name"), ImportColumns::tr("Name of a metric")},
                                          {QStringLiteral("value"), ImportColumns::tr("Value of a metric")},
                                          {QStringLiteral("skipped"), ImportColumns::tr("Left out")}};
  return titles.value(use, use);
}

}  // namespace

ImportColumns::ImportColumns(QWidget* parent)
    : QWidget(parent),
      m_heading(headingLabel(this, tr("Columns"))),
      m_list(columnList(this, {tr("Column"), tr("Example"), tr("Is")}, tr("Columns of the table"))) {
  m_list->setUniformRowHeights(true);
  m_list->setSelectionMode(QAbstractItemView::SingleSelection);
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  makeColumn(this, {m_heading, {m_list, 1}}, metrics::kGrid);
}

void ImportColumns::setColumns(const std::vector<SourceColumn>& columns, const ColumnUses& said) {
  m_said = said;
  const auto sameName = [](const SourceColumn& a, const SourceColumn& b) { return a.name == b.name; };
  // The choice that a person is at keeps the keyboard.
  if (std::equal(columns.begin(), columns.end(), m_columns.begin(), m_columns.end(), sameName)) {
    for (int i = 0; choice(i) != nullptr; ++i)
      choice(i)->setCurrentIndex(choice(i)->findData(fromUtf8(columns[std::size_t(i)].use)));
    return;
  }
  m_columns = columns;
  m_list->clear();
  for (int i = 0; i < int(columns.size()) && i < kMostColumns; ++i) addColumn(columns[std::size_t(i)]);
}

void ImportColumns::addColumn(const SourceColumn& column) {
  const QString name = fromUtf8(column.name).left(kLongestName);
  auto* item =
      new QTreeWidgetItem(m_list, {name.isEmpty() ? tr("(no name)") : name, fromUtf8(column.example)});
  for (const int each : {0, 1}) item->setToolTip(each, item->text(each));
  auto* box = new QComboBox(m_list);
  box->setAccessibleName(tr("What “%1” is").arg(name));
  for (const char* use : kColumnUses) box->addItem(useTitle(QLatin1String(use)), QLatin1String(use));
  box->setCurrentIndex(box->findData(fromUtf8(column.use)));
  item->setSizeHint(2, box->sizeHint());
  m_list->setItemWidget(item, 2, box);
  connect(box, &QComboBox::activated, this, [this, box, name = column.name] {
    m_said[name] = toUtf8(box->currentData().toString());
    Q_EMIT changed();
  });
}

QComboBox* ImportColumns::choice(int column) const {
  QTreeWidgetItem* item = m_list->topLevelItem(column);
  return item == nullptr ? nullptr : qobject_cast<QComboBox*>(m_list->itemWidget(item, 2));
}

}  // namespace fathom
