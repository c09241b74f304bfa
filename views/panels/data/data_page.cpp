// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/data/data_page.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "core/tasks/linked_examples.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/data/length_histogram.h"
#include "views/panels/data/links_view.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/progress_page.h"

namespace fathom {

namespace {

// The member at a path of names joined with dots, or null.
const Json* memberAt(const Json& json, const std::string& path) {
  const Json* at = &json;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const auto found = at->is_object() ? at->find(path.substr(begin, end - begin)) : at->end();
    if (found == at->end()) return nullptr;
    at = &*found;
    begin = end + 1;
  }
  return at;
}

std::optional<double> numberAt(const Json& json, const std::string& path) {
  const Json* at = memberAt(json, path);
  return at != nullptr && at->is_number() ? std::optional<double>(at->get<double>()) : std::nullopt;
}

QString countText(std::optional<double> value) {
  return value ? QLocale().toString(qlonglong(*value)) : QStringLiteral("–");
}

LengthHistogram::Data histogramData(const QString& title, const Json& json) {
  LengthHistogram::Data data;
  data.title = title;
  data.count = qint64(numberAt(json, "count").value_or(0));
  data.longest = qint64(numberAt(json, "longest").value_or(0));
  data.mean = numberAt(json, "mean").value_or(0);
  data.median = numberAt(json, "median").value_or(0);
  if (!json.contains("histogram") || !json["histogram"].is_array()) return data;
  for (const Json& bin : json["histogram"])
    data.bins.append({qint64(numberAt(bin, "from").value_or(0)), qint64(numberAt(bin, "to").value_or(0)),
                      qint64(numberAt(bin, "count").value_or(0))});
  return data;
}

LengthHistogram::Data countsData(const QString& title, const Json& json) {
  LengthHistogram::Data data;
  data.title = title;
  for (const auto& [label, value] : json.items()) {
    const qint64 count = value.is_number() ? qint64(value.get<double>()) : 0;
    const auto at = qint64(data.bins.size());
    data.labels.append(fromUtf8(label));
    data.bins.append({at, at + 1, count});
    data.count += count;
  }
  return data;
}

}  // namespace

DataPage::DataPage(QWidget* parent)
    : QWidget(parent),
      m_stack(new QStackedWidget(this)),
      m_message(new EmptyState(this)),
      m_busy(new ProgressPage(m_stack)) {
  makeColumn(this, {makeHead(), {m_stack, 1}}, metrics::kMargin);
  m_stack->addWidget(m_message);
  m_stack->addWidget(m_busy);
  connect(m_busy, &ProgressPage::cancelRequested, this, &DataPage::cancelRequested);
  m_stack->addWidget(makeContent());
  m_message->setText(tr("The data of the new run has not been read yet."));
}

QWidget* DataPage::makeHead() {
  auto* head = new QWidget(this);
  QLabel* title = pageTitle(head, tr("Data"));
  m_again = new QPushButton(icon(QStringLiteral("retry")), tr("Read again"), head);
  auto* close = flatButton(head, QStringLiteral("close"), tr("Back to the new run"));
  makeRow(head, {title, BoxPart::stretch(), m_again, close}, kStyleGap,
          {metrics::kMargin, metrics::kMargin, metrics::kMargin, 0});
  connect(m_again, &QPushButton::clicked, this, &DataPage::readRequested);
  connect(close, &QToolButton::clicked, this, &DataPage::closed);
  return head;
}

QWidget* DataPage::makeContent() {
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->setChildrenCollapsible(false);
  auto* upper = new QSplitter(splitter);
  upper->setChildrenCollapsible(false);
  m_counts = new QTreeWidget(upper);
  m_counts->setRootIsDecorated(true);
  m_counts->setUniformRowHeights(true);
  m_counts->header()->setStretchLastSection(false);
  evenRows(m_counts);
  m_counts->setAccessibleName(tr("Counts of the splits"));
  auto* pictures = new QScrollArea(upper);
  pictures->setFrameShape(QFrame::NoFrame);
  pictures->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  pictures->setWidgetResizable(true);
  m_plots = new QWidget(pictures);
  m_split = new QComboBox(m_plots);
  m_split->setAccessibleName(tr("Split"));
  makeColumn(m_plots, {m_split}, kStyleGap, {metrics::kMargin, 0, metrics::kMargin, 0});
  pictures->setWidget(m_plots);
  pictures->viewport()->setAutoFillBackground(false);
  m_plots->setAutoFillBackground(false);
  upper->setStretchFactor(0, 1);
  upper->setStretchFactor(1, 1);
  m_lower = new QSplitter(splitter);
  m_lower->setChildrenCollapsible(false);
  auto* lower = new QWidget(m_lower);
  m_search = searchLine(lower, tr("Search the examples"));
  m_exampleModel = new QStandardItemModel(this);
  m_exampleFilter = new QSortFilterProxyModel(this);
  m_exampleFilter->setSourceModel(m_exampleModel);
  m_exampleFilter->setFilterKeyColumn(-1);
  m_exampleFilter->setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_examples = rowTable(m_exampleFilter, tr("Examples"), lower);
  m_examples->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_examples->horizontalHeader()->setStretchLastSection(true);
  auto* searchRow = makeRow({m_search}, kStyleGap, {metrics::kMargin, metrics::kGrid, metrics::kMargin, 0});
  makeColumn(lower, {searchRow, {m_examples, 1}}, metrics::kGrid);
  splitter->setSizes({320, 260});
  connect(m_split, &QComboBox::currentIndexChanged, this, &DataPage::fillPictures);
  connect(m_search, &QLineEdit::textChanged, m_exampleFilter, &QSortFilterProxyModel::setFilterFixedString);
  return splitter;
}

void DataPage::showProgress(const ProgressUpdate& update) {
  m_stack->setCurrentIndex(1);
  m_again->setEnabled(false);
  m_busy->setProgress({}, update);
}

void DataPage::showError(const Error& error) {
  m_again->setEnabled(true);
  m_message->setText(phraseText(error.phrase()));
  m_stack->setCurrentIndex(0);
}

void DataPage::showCancelled() {
  m_again->setEnabled(true);
  m_message->setText(tr("Reading was cancelled."));
  m_stack->setCurrentIndex(0);
}

void DataPage::showSummary(const DataSummary& summary) {
  m_summary = summary;
  m_again->setEnabled(true);
  m_stack->setCurrentIndex(2);
  m_split->clear();
  for (const auto& split : kDataSplits)
    if (summary.statistics.contains(split.word))
      m_split->addItem(splitTitle(QString::fromLatin1(split.word)), QString::fromLatin1(split.word));
  fillCounts();
  fillOverlap();
  fillReading();
  fillPictures();
  fillExamples();
  fillLinks();
}

void DataPage::setUndoStack(QUndoStack* stack) {
  m_undo = stack;
  if (m_links != nullptr) m_links->setUndoStack(stack);
}

// Most tasks have none: the view is made when it is first needed.
void DataPage::fillLinks() {
  if (m_links == nullptr) {
    if (m_summary.links == nullptr) return;
    m_links = new LinksView(m_lower);
    m_links->setUndoStack(m_undo);
    connect(m_links, &LinksView::keepRequested, this, &DataPage::keepLinksRequested);
    connect(m_examples->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
              if (!row.isValid()) return;
              const QModelIndex part = m_exampleFilter->mapToSource(row).siblingAtColumn(0);
              m_links->showExample(part.data(Qt::UserRole).toString(),
                                   part.siblingAtColumn(1).data(Qt::UserRole).toLongLong());
            });
  }
  m_links->setExamples(m_summary.links, m_summary.counts, m_summary.data);
}

void DataPage::fillCounts() {
  m_counts->clear();
  QStringList head = {tr("What")};
  QVector<const Json*> splits;
  for (const auto& split : kDataSplits) {
    if (!m_summary.statistics.contains(split.word)) continue;
    head.append(splitTitle(QString::fromLatin1(split.word)));
    splits.append(&m_summary.statistics[split.word]);
  }
  m_counts->setHeaderLabels(head);
  for (int i = 1; i < head.size(); ++i)
    m_counts->headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
  for (const StatisticField& field : m_summary.shown) {
    if (field.kind != StatisticField::Kind::Number) continue;
    QVector<std::optional<double>> values;
    for (const Json* split : splits) values.append(numberAt(*split, field.path));
    if (std::none_of(values.begin(), values.end(), [](const auto& value) { return value.has_value(); }))
      continue;
    const QString title = engineText(field.title);
    const QString unit = field.unit.empty() ? QString() : QLatin1Char(' ') + engineText(field.unit);
    auto* item = new QTreeWidgetItem(m_counts, {title});
    item->setToolTip(0, title);
    for (int i = 0; i < values.size(); ++i) {
      item->setText(i + 1, values[i]
                               ? QLocale().toString(*values[i] * field.factor, 'f', field.decimals) + unit
                               : QStringLiteral("–"));
      item->setTextAlignment(i + 1, Qt::AlignRight | Qt::AlignVCenter);
      if (values[i]) item->setToolTip(i + 1, QLocale().toString(*values[i] * field.factor, 'g', 9) + unit);
    }
  }
}

void DataPage::fillOverlap() {
  const Json* pairs = memberAt(m_summary.statistics, "overlap");
  if (pairs == nullptr || !pairs->is_object()) return;
  auto* overlap = new QTreeWidgetItem(m_counts, {tr("Same sentences in two splits")});
  for (const auto& [key, value] : pairs->items()) {
    const QStringList pair = fromUtf8(key).split(QLatin1Char('_'));
    const QString title =
        pair.size() == 2 ? tr("%1 and %2").arg(splitTitle(pair[0]), splitTitle(pair[1])) : fromUtf8(key);
    QStringList counts;
    for (const StatisticField& field : m_summary.shown)
      if (field.kind == StatisticField::Kind::Overlap)
        counts.append(engineText(field.title) + QLatin1Char(' ') + countText(numberAt(value, field.path)));
    const QString text = tr("%1: %2").arg(title, counts.join(tr(", ", "between the items of a list")));
    auto* item = new QTreeWidgetItem(overlap, {text});
    item->setToolTip(0, text);
    item->setFirstColumnSpanned(true);
  }
}

void DataPage::fillReading() {
  const Json& statistics = m_summary.statistics;
  if (statistics.contains("read") && statistics["read"].is_object()) {
    for (const auto& [file, read] : statistics["read"].items()) {
      auto* item = new QTreeWidgetItem(m_counts, {tr("Read: %1").arg(splitTitle(fromUtf8(file)))});
      const auto lines = numberAt(read, "lines");
      item->setText(1, (lines == 1.0 ? tr("%1 line") : tr("%1 lines")).arg(countText(lines)));
      item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
      if (!read.contains("skipped") || !read["skipped"].is_object()) continue;
      for (const auto& [kind, bad] : read["skipped"].items()) {
        const QString count = countText(numberAt(bad, "count"));
        auto* line = new QTreeWidgetItem(item, {tr("skipped: %1").arg(engineText(kind)), count});
        line->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        if (bad.contains("first_lines"))
          line->setToolTip(1, tr("first lines: %1").arg(fromUtf8(bad["first_lines"].dump())));
      }
    }
  }
  m_counts->expandAll();
  for (int column = 0; column < m_counts->columnCount(); ++column) m_counts->resizeColumnToContents(column);
}

LengthHistogram* DataPage::picture(int index) {
  while (m_pictures.size() <= index) {
    m_pictures.append(new LengthHistogram(m_plots));
    static_cast<QVBoxLayout*>(m_plots->layout())->addWidget(m_pictures.last(), 1);
  }
  return m_pictures[index];
}

void DataPage::fillPictures() {
  const Json* split = memberAt(m_summary.statistics, toUtf8(m_split->currentData().toString()));
  if (split == nullptr) return;
  int used = 0;
  for (const StatisticField& field : m_summary.shown) {
    const Json* value = memberAt(*split, field.path);
    if (value == nullptr || !value->is_object()) continue;
    if (field.kind == StatisticField::Kind::Lengths)
      picture(used++)->setData(histogramData(engineText(field.title), *value));
    else if (field.kind == StatisticField::Kind::Counts)
      picture(used++)->setData(countsData(engineText(field.title), *value));
  }
  for (int i = 0; i < m_pictures.size(); ++i) m_pictures[i]->setVisible(i < used);
}

void DataPage::fillExamples() {
  m_exampleModel->clear();
  QStringList head = {tr("Split"), tr("No.")};
  for (const TextField& text : m_summary.texts) head.append(engineText(text.title));
  m_exampleModel->setHorizontalHeaderLabels(head);
  // Titles stand over their cells: numbers on the right, everything else on the left.
  for (int column = 0; column < head.size(); ++column)
    m_exampleModel->horizontalHeaderItem(column)->setTextAlignment(
        (column == 1 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  for (const DataSummary::Example& example : std::as_const(m_summary.examples)) {
    QList<QStandardItem*> row = {new QStandardItem(splitTitle(example.split)),
                                 new QStandardItem(QLocale().toString(example.index))};
    row[0]->setData(example.split, Qt::UserRole);
    row[1]->setData(example.index, Qt::UserRole);
    row[1]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (const QString& text : example.texts) {
      auto* item = new QStandardItem(text);
      item->setToolTip(text);
      row.append(item);
    }
    m_exampleModel->appendRow(row);
  }
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  m_examples->setColumnWidth(0, 11 * digit);
  m_examples->setColumnWidth(1, 8 * digit);
  for (int column = 2; column < head.size(); ++column) m_examples->setColumnWidth(column, 44 * digit);
}

}  // namespace fathom
