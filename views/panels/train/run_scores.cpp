// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/run_scores.h"

#include <QHeaderView>
#include <QLocale>

#include "views/figure/axis_scale.h"
#include "views/look/aligned_numbers.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/compact_table.h"

namespace fathom {

namespace {

constexpr int kTitleRole = Qt::UserRole + 1;

// Names of scores in a narrow column: long ones are broken between words.
QString inTwoLines(const QString& title) {
  constexpr qsizetype kOneLine = 12;
  const qsizetype at = title.size() > kOneLine ? title.lastIndexOf(QLatin1Char(' '), kOneLine) : -1;
  return at > 0 ? title.left(at) + QLatin1Char('\n') + title.mid(at + 1) : title;
}

// A cell of the scores where there is least room.
QString narrowest(const QTreeWidgetItem* item, int column) {
  const QString title = item->data(0, kTitleRole).toString();
  return column == 0 && !title.isEmpty() ? inTwoLines(title) : item->text(column);
}

// One section for every part of the data: values measured while training first, then those measured on
// data the model does not learn from. A perplexity stands once: where base 2 is there, not that of e too.
QVector<QStringList> scoreSections(const RunItem& run) {
  QStringList names = run.last.keys();
  for (const QString& name : run.best.keys())
    if (!names.contains(name)) names.append(name);
  QVector<QStringList> sections(2);
  for (const QString& name : std::as_const(names))
    if (!names.contains(name + QLatin1Char('2')))
      sections[name.contains(QLatin1Char('.')) ? 1 : 0].append(name);
  return sections;
}

}  // namespace

RunScores::RunScores(QWidget* parent) : QTreeWidget(parent) {
  setHeaderLabels({tr("Score"), tr("Best"), tr("Latest")});
  setAccessibleName(tr("Scores"));
  setTextElideMode(Qt::ElideRight);
  setRootIsDecorated(false);
  setIndentation(metrics::kGroupGap);
  evenRows(this);
  setUniformRowHeights(false);
  header()->setStretchLastSection(false);
  header()->setMinimumSectionSize(metrics::kFormRow);
  header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  // Queued: a stretched column has its width only after the header was laid out.
  connect(header(), &QHeaderView::sectionResized, this, &RunScores::breakTitles, Qt::QueuedConnection);
  connect(header(), &QHeaderView::geometriesChanged, this, &RunScores::breakTitles, Qt::QueuedConnection);
  for (int column = 1; column < columnCount(); ++column)
    headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

// So wide that no word of a name is cut, whatever the size of the text.
int RunScores::scoresWidth() const {
  constexpr int kMost = 340;
  int width = 0;
  for (int column = 0; column < columnCount(); ++column) {
    int most = column == 0 ? 0 : header()->sectionSizeHint(column);
    for (int row = 0; row < topLevelItemCount(); ++row)
      for (const QString& line : narrowest(topLevelItem(row), column).split(QLatin1Char('\n')))
        most = qMax(most, fontMetrics().horizontalAdvance(line) + 2 * metrics::kGrid);
    width += most;
  }
  return qMin(width + 2 * frameWidth() + metrics::kGrid, kMost);
}

void RunScores::setScores(const RunItem& run) {
  clear();
  const QVector<QStringList> sections = scoreSections(run);
  for (int section = 0; section < sections.size(); ++section) {
    if (sections[section].isEmpty()) continue;
    auto* heading = new QTreeWidgetItem(this, {section == 0 ? tr("Training") : tr("Validation")});
    heading->setFlags(Qt::ItemIsEnabled);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(0, bold);
    heading->setFirstColumnSpanned(true);
    addScores(run, sections[section]);
  }
  alignScores();
  setMinimumWidth(scoresWidth());
  breakTitles();
}

void RunScores::addScores(const RunItem& run, const QStringList& names) {
  const MetricCatalogue metrics(run.metrics);
  for (const QString& name : names) {
    const QString title = metricTitle(metrics.of(toUtf8(name)));
    const bool hasBest = run.best.contains(name);
    const bool hasStep = run.bestStep.contains(name);
    QString best = hasBest ? metricText(run.best[name]) : QStringLiteral("–");
    if (hasBest && hasStep) best += QStringLiteral(" (%1)").arg(QLocale().toString(run.bestStep[name]));
    auto* item = new QTreeWidgetItem(
        this, {title, best, run.last.contains(name) ? metricText(run.last[name]) : QStringLiteral("–")});
    item->setData(0, kTitleRole, title);
    item->setToolTip(0, title == name ? name : title + QLatin1Char('\n') + name);
    for (int column = 1; column < columnCount(); ++column)
      item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    if (hasBest) item->setToolTip(1, numberInFull(run.best[name]));
    if (run.last.contains(name)) item->setToolTip(2, numberInFull(run.last[name]));
  }
}

// Digits of a column stand below each other, whatever decimals each score has. Screen readers say the number
// without what pads it.
void RunScores::alignScores() {
  for (int column = 1; column < columnCount(); ++column) {
    QStringList texts;
    for (int row = 0; row < topLevelItemCount(); ++row) texts.append(topLevelItem(row)->text(column));
    const QStringList aligned = alignedNumbers(texts);
    for (int row = 0; row < topLevelItemCount(); ++row) {
      topLevelItem(row)->setData(column, Qt::AccessibleTextRole, texts[row]);
      topLevelItem(row)->setText(column, aligned[row]);
    }
  }
}

// One line where the column has room for it.
void RunScores::breakTitles() {
  const int room = columnWidth(0) - 2 * metrics::kGrid;
  const QFontMetrics words = fontMetrics();
  for (int row = 0; row < topLevelItemCount(); ++row) {
    QTreeWidgetItem* item = topLevelItem(row);
    const QString title = item->data(0, kTitleRole).toString();
    if (title.isEmpty()) continue;  // of a section
    const QString shown = words.horizontalAdvance(title) <= room ? title : inTwoLines(title);
    if (item->text(0) != shown) item->setText(0, shown);
    const int lines = 1 + static_cast<int>(shown.count(QLatin1Char('\n')));
    const QSize size(0, lines * words.lineSpacing() + metrics::kGrid);
    if (item->sizeHint(0) != size) item->setSizeHint(0, size);
  }
}

}  // namespace fathom
