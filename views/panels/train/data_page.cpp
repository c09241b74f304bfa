// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/data_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/train/length_histogram.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/progress_page.h"

namespace fathom {

namespace {

constexpr const char* kSplits[] = {"train", "validation", "test"};

QString splitTitle(const QString& split) {
  if (split == QLatin1String("train")) return DataPage::tr("Training");
  if (split == QLatin1String("validation")) return DataPage::tr("Validation");
  if (split == QLatin1String("test")) return DataPage::tr("Test");
  return split;
}

// Names of the texts of an example, as the tasks give them.
QString columnTitle(const QString& column) {
  if (column == QLatin1String("source")) return DataPage::tr("Source");
  if (column == QLatin1String("target")) return DataPage::tr("Target");
  if (column == QLatin1String("masked")) return DataPage::tr("Masked");
  if (column == QLatin1String("text")) return DataPage::tr("Text");
  return column;
}

// The number at a path of members, or nothing.
std::optional<double> numberAt(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* name : path) {
    if (!at->is_object() || !at->contains(name)) return std::nullopt;
    at = &(*at)[name];
  }
  return at->is_number() ? std::optional<double>(at->get<double>()) : std::nullopt;
}

QString countText(std::optional<double> value) {
  return value ? QLocale().toString(qlonglong(*value)) : QStringLiteral("–");
}

template <class Add>
void addTranslationCounts(const Add& add) {
  add(DataPage::tr("Pairs"), {"pairs"});
  add(DataPage::tr("Mean source length (tokens)"), {"source_lengths", "mean"}, 1, 1);
  add(DataPage::tr("Mean target length (tokens)"), {"target_lengths", "mean"}, 1, 1);
  add(DataPage::tr("Longest source"), {"source_lengths", "longest"});
  add(DataPage::tr("Longest target"), {"target_lengths", "longest"});
  add(DataPage::tr("Dropped: too long"), {"dropped_too_long"});
  add(DataPage::tr("Source cut to the longest length"), {"cut_source"});
  add(DataPage::tr("Target cut to the longest length"), {"cut_target"});
  add(DataPage::tr("Unknown tokens, source"), {"unknown_source"}, 100, 2, QStringLiteral(" %"));
  add(DataPage::tr("Unknown tokens, target"), {"unknown_target"}, 100, 2, QStringLiteral(" %"));
  add(DataPage::tr("Batches"), {"batches", "count"});
  add(DataPage::tr("Target tokens a batch"), {"batches", "mean_target_tokens"});
}

template <class Add>
void addMaskedWordCounts(const Add& add) {
  add(DataPage::tr("Lines"), {"lines"});
  add(DataPage::tr("Skipped lines"), {"skipped_lines"});
  add(DataPage::tr("Documents"), {"documents"});
  add(DataPage::tr("Sentences"), {"sentences"});
  add(DataPage::tr("Examples"), {"examples"});
  add(DataPage::tr("Tokens"), {"tokens"});
  add(DataPage::tr("Masked tokens"), {"masked"});
  add(DataPage::tr("Pairs with a random second sentence"), {"random_next"});
  add(DataPage::tr("Mean length (tokens)"), {"lengths", "mean"}, 1, 1);
  add(DataPage::tr("Longest example"), {"lengths", "longest"});
}

LengthHistogram::Data histogramData(const QString& title, const Json& json) {
  LengthHistogram::Data data;
  data.title = title;
  data.count = qint64(numberAt(json, {"count"}).value_or(0));
  data.longest = qint64(numberAt(json, {"longest"}).value_or(0));
  data.mean = numberAt(json, {"mean"}).value_or(0);
  data.median = numberAt(json, {"median"}).value_or(0);
  if (!json.contains("histogram") || !json["histogram"].is_array()) return data;
  for (const Json& bin : json["histogram"])
    data.bins.append({qint64(numberAt(bin, {"from"}).value_or(0)), qint64(numberAt(bin, {"to"}).value_or(0)),
                      qint64(numberAt(bin, {"count"}).value_or(0))});
  return data;
}

}  // namespace

DataPage::DataPage(QWidget* parent)
    : QWidget(parent),
      m_stack(new QStackedWidget(this)),
      m_message(new EmptyState(this)),
      m_busy(new ProgressPage(m_stack)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(metrics::kMargin);
  layout->addWidget(makeHead());
  layout->addWidget(m_stack, 1);
  m_stack->addWidget(m_message);
  m_stack->addWidget(m_busy);
  connect(m_busy, &ProgressPage::cancelRequested, this, &DataPage::cancelRequested);
  m_stack->addWidget(makeContent());
  m_message->setText(tr("The data of the new run has not been read yet."));
}

QWidget* DataPage::makeHead() {
  auto* head = new QWidget(this);
  auto* title = new QLabel(tr("Data"), head);
  QFont font = title->font();
  font.setPointSizeF(font.pointSizeF() * 1.3);
  title->setFont(font);
  m_again = new QPushButton(icon(QStringLiteral("retry")), tr("Read again"), head);
  auto* close = new QToolButton(head);
  close->setIcon(icon(QStringLiteral("close")));
  close->setAutoRaise(true);
  close->setFocusPolicy(Qt::StrongFocus);
  close->setToolTip(tr("Back to the new run"));
  close->setAccessibleName(tr("Back to the new run"));
  auto* layout = new QHBoxLayout(head);
  layout->setContentsMargins(metrics::kMargin, metrics::kMargin, metrics::kMargin, 0);
  layout->addWidget(title);
  layout->addStretch();
  layout->addWidget(m_again);
  layout->addWidget(close);
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
  m_counts->setAccessibleName(tr("Counts of the splits"));
  auto* plots = new QWidget(upper);
  m_split = new QComboBox(plots);
  m_split->setAccessibleName(tr("Split"));
  m_source = new LengthHistogram(plots);
  m_target = new LengthHistogram(plots);
  auto* plotLayout = new QVBoxLayout(plots);
  plotLayout->setContentsMargins(metrics::kMargin, 0, metrics::kMargin, 0);
  plotLayout->addWidget(m_split);
  plotLayout->addWidget(m_source, 1);
  plotLayout->addWidget(m_target, 1);
  upper->setStretchFactor(0, 1);
  upper->setStretchFactor(1, 1);
  auto* lower = new QWidget(splitter);
  m_search = new QLineEdit(lower);
  m_search->setPlaceholderText(tr("Search the examples"));
  m_search->setAccessibleName(tr("Search the examples"));
  m_search->setClearButtonEnabled(true);
  m_search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  m_exampleModel = new QStandardItemModel(this);
  m_exampleFilter = new QSortFilterProxyModel(this);
  m_exampleFilter->setSourceModel(m_exampleModel);
  m_exampleFilter->setFilterKeyColumn(-1);
  m_exampleFilter->setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_examples = new QTableView(lower);
  m_examples->setModel(m_exampleFilter);
  m_examples->setAccessibleName(tr("Examples"));
  m_examples->setShowGrid(false);
  m_examples->setTabKeyNavigation(false);
  m_examples->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_examples->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_examples->verticalHeader()->hide();
  m_examples->verticalHeader()->setDefaultSectionSize(metrics::kTableRow);
  m_examples->horizontalHeader()->setStretchLastSection(true);
  auto* lowerLayout = new QVBoxLayout(lower);
  lowerLayout->setContentsMargins(0, 0, 0, 0);
  lowerLayout->setSpacing(metrics::kGrid);
  auto* searchRow = new QHBoxLayout;
  searchRow->setContentsMargins(metrics::kMargin, metrics::kGrid, metrics::kMargin, 0);
  searchRow->addWidget(m_search);
  lowerLayout->addLayout(searchRow);
  lowerLayout->addWidget(m_examples, 1);
  splitter->setSizes({320, 260});
  connect(m_split, &QComboBox::currentIndexChanged, this, &DataPage::fillHistograms);
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
  m_message->setText(fromUtf8(error.text()));
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
  for (const char* split : kSplits)
    if (summary.statistics.contains(split))
      m_split->addItem(splitTitle(QString::fromLatin1(split)), QString::fromLatin1(split));
  fillCounts();
  fillReading();
  fillHistograms();
  fillExamples();
}

void DataPage::fillCounts() {
  m_counts->clear();
  QStringList head = {tr("What")};
  QVector<const Json*> splits;
  for (const char* split : kSplits) {
    if (!m_summary.statistics.contains(split)) continue;
    head.append(splitTitle(QString::fromLatin1(split)));
    splits.append(&m_summary.statistics[split]);
  }
  m_counts->setHeaderLabels(head);
  for (int i = 1; i < head.size(); ++i)
    m_counts->headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
  // A row that no split has belongs to another task.
  const auto add = [&](const QString& title, std::initializer_list<const char*> path, double factor = 1,
                       int decimals = 0, const QString& unit = {}) {
    QVector<std::optional<double>> values;
    for (const Json* split : splits) values.append(numberAt(*split, path));
    if (std::none_of(values.begin(), values.end(), [](const auto& value) { return value.has_value(); }))
      return;
    auto* item = new QTreeWidgetItem(m_counts, {title});
    item->setToolTip(0, title);
    for (int i = 0; i < values.size(); ++i) {
      item->setText(i + 1, values[i] ? QLocale().toString(*values[i] * factor, 'f', decimals) + unit
                                     : QStringLiteral("–"));
      item->setTextAlignment(i + 1, Qt::AlignRight);
    }
  };
  addTranslationCounts(add);
  addMaskedWordCounts(add);
}

void DataPage::fillReading() {
  const Json& statistics = m_summary.statistics;
  if (statistics.contains("overlap") && statistics["overlap"].is_object()) {
    auto* overlap = new QTreeWidgetItem(m_counts, {tr("Same sentences in two splits")});
    for (const auto& [key, value] : statistics["overlap"].items()) {
      const QStringList pair = fromUtf8(key).split(QLatin1Char('_'));
      const QString title =
          pair.size() == 2 ? tr("%1 and %2").arg(splitTitle(pair[0]), splitTitle(pair[1])) : fromUtf8(key);
      const QString text =
          tr("%1: source %2, target %3, pair %4")
              .arg(title, countText(numberAt(value, {"source"})), countText(numberAt(value, {"target"})),
                   countText(numberAt(value, {"pair"})));
      auto* item = new QTreeWidgetItem(overlap, {text});
      item->setToolTip(0, text);
      item->setFirstColumnSpanned(true);
    }
  }
  if (statistics.contains("read") && statistics["read"].is_object()) {
    for (const auto& [file, read] : statistics["read"].items()) {
      auto* item = new QTreeWidgetItem(m_counts, {tr("Read: %1").arg(splitTitle(fromUtf8(file)))});
      item->setText(1, tr("%1 lines").arg(countText(numberAt(read, {"lines"}))));
      if (!read.contains("skipped") || !read["skipped"].is_object()) continue;
      for (const auto& [kind, bad] : read["skipped"].items()) {
        const QString count = countText(numberAt(bad, {"count"}));
        auto* line = new QTreeWidgetItem(item, {tr("skipped: %1").arg(engineText(kind)), count});
        if (bad.contains("first_lines"))
          line->setToolTip(1, tr("first lines: %1").arg(fromUtf8(bad["first_lines"].dump())));
      }
    }
  }
  m_counts->expandAll();
  for (int column = 0; column < m_counts->columnCount(); ++column) m_counts->resizeColumnToContents(column);
}

void DataPage::fillHistograms() {
  const std::string split = toUtf8(m_split->currentData().toString());
  const Json& statistics = m_summary.statistics;
  if (!statistics.contains(split)) return;
  const Json& one = statistics[split];
  const bool pairs = one.contains("source_lengths");
  m_target->setVisible(pairs);
  if (!pairs) {
    m_source->setData(histogramData(tr("Lengths"), one.value("lengths", Json::object())));
    return;
  }
  m_source->setData(histogramData(tr("Source lengths"), one["source_lengths"]));
  m_target->setData(histogramData(tr("Target lengths"), one.value("target_lengths", Json::object())));
}

void DataPage::fillExamples() {
  m_exampleModel->clear();
  QStringList head = {tr("Split"), tr("No.")};
  for (const QString& column : m_summary.columns) head.append(columnTitle(column));
  m_exampleModel->setHorizontalHeaderLabels(head);
  for (const DataSummary::Example& example : std::as_const(m_summary.examples)) {
    QList<QStandardItem*> row = {new QStandardItem(splitTitle(example.split)),
                                 new QStandardItem(QLocale().toString(example.index))};
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
