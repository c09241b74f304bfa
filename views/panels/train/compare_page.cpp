// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/compare_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <utility>

#include "views/figures/figure_entry.h"
#include "views/look/engine_text.h"
#include "views/look/figure_language.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/mark_canvas_view.h"

namespace fathom {

namespace {

constexpr int kWidestCompared = 420;
constexpr const char* kComparingFigures[] = {"difference_curve", "option_scatter", "option_parallel",
                                             "rank_scaling"};

void copyToClipboard(const QString& text) {
  QApplication::clipboard()->setText(text);
}

// Takes the entries of a choice, and the one that was chosen before where it is still there.
void refill(QComboBox* box, const QVector<QPair<QString, QString>>& entries, const QString& chosen) {
  const QSignalBlocker block(box);
  box->clear();
  for (const auto& [id, title] : entries) box->addItem(title, id);
  box->setCurrentIndex(qMax(box->findData(chosen), entries.isEmpty() ? -1 : 0));
}

}  // namespace

ComparePage::ComparePage(QWidget* parent)
    : QWidget(parent),
      m_model(new ComparisonModel(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(this)) {
  setObjectName(QStringLiteral("comparePage"));
  makeColumn(this, {makeHead(), {m_stack, 1}}, metrics::kMargin);
  m_empty->setText(
      tr("Select two or more runs in the table (Ctrl or Shift and a click) and compare them: Ctrl+M."));
  auto* parts = new QSplitter(Qt::Vertical, m_stack);
  m_table = rowTable(m_model, tr("Runs side by side"), parts);
  m_table->setObjectName(QStringLiteral("compareTable"));
  setFocusProxy(m_table);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->horizontalHeader()->setHighlightSections(false);
  auto* above = new QWidget(parts);
  makeColumn(above, {makeBar(), {m_table, 1}}, metrics::kGrid);
  fillSplitter(parts, {{above, 3}, {makeFigure(), 2}}, {400, 260});
  m_stack->addWidget(m_empty);
  m_stack->addWidget(parts);
}

QWidget* ComparePage::makeHead() {
  auto* head = new QWidget(this);
  m_asText = new QPushButton(icon(QStringLiteral("copy")), tr("Copy as text"), head);
  m_asLatex = new QPushButton(icon(QStringLiteral("copy")), tr("Copy as LaTeX"), head);
  m_asText->setToolTip(tr("The table with all digits, tabs between its columns"));
  m_asLatex->setToolTip(tr("A row a run: deciding options, scores with the best in bold, differences"));
  auto* help = flatTextButton(head, QStringLiteral("?"), tr("How runs are compared"));
  help->setAccessibleName(tr("Help about comparing"));
  auto* close = flatButton(head, QStringLiteral("close"), tr("Back to the curves"));
  makeRow(head, {pageTitle(head, tr("Compare runs")), BoxPart::stretch(), m_asText, m_asLatex, help, close},
          kStyleGap, {metrics::kMargin, metrics::kMargin, metrics::kMargin, 0});
  connect(m_asText, &QPushButton::clicked, this, [this] { copyToClipboard(m_model->asText()); });
  connect(m_asLatex, &QPushButton::clicked, this, &ComparePage::copyLatex);
  connect(help, &QToolButton::clicked, this,
          [this] { HelpWindow::openAt(this, {QStringLiteral("compare_runs")}); });
  connect(close, &QToolButton::clicked, this, &ComparePage::closed);
  return head;
}

QWidget* ComparePage::makeBar() {
  auto* bar = new QWidget(this);
  m_base = narrowChoice(bar, tr("Run that the others are compared with"), 22);
  m_base->setObjectName(QStringLiteral("compareBase"));
  m_score = narrowChoice(bar, tr("Which value of a run"), 12);
  m_score->addItem(tr("at the end"), false);
  m_score->addItem(tr("best value"), true);
  m_seeds = new QCheckBox(tr("Seeds together"), bar);
  m_seeds->setToolTip(
      tr("One column for runs that differ only in the seed: mean, deviation, interval and test"));
  m_split = narrowChoice(bar, tr("Part of the data whose predictions are tested"), 12);
  m_split->addItem(tr("validation"), QStringLiteral("validation"));
  m_split->addItem(tr("test part"), QStringLiteral("test"));
  m_test = new QPushButton(tr("Test predictions"), bar);
  m_test->setObjectName(QStringLiteral("comparePredictions"));
  m_cancel = new QPushButton(tr("Cancel"), bar);
  m_cancel->hide();
  m_left = wrappedLabel(bar, QStringLiteral("compareLeft"));
  m_note = wrappedLabel(bar, QStringLiteral("compareNote"));
  m_left->hide();
  m_note->hide();
  offerTest();
  auto* baseLabel = new QLabel(tr("Compared with"), bar);
  baseLabel->setBuddy(m_base);
  auto* scoreLabel = new QLabel(tr("Values"), bar);
  scoreLabel->setBuddy(m_score);
  auto* row = makeRow(
      {baseLabel, m_base, scoreLabel, m_score, m_seeds, BoxPart::stretch(), m_split, m_test, m_cancel},
      metrics::kMargin, {metrics::kMargin, 0, metrics::kMargin, 0});
  makeColumn(bar, {row, m_left, m_note}, metrics::kGrid);
  connect(m_base, &QComboBox::activated, this, [this] {
    CompareChoice choice = m_choice;
    choice.base = m_base->currentData().toString();
    choose(choice);
  });
  connect(m_score, &QComboBox::activated, this, [this] {
    CompareChoice choice = m_choice;
    choice.best = m_score->currentData().toBool();
    choose(choice);
  });
  connect(m_seeds, &QCheckBox::toggled, this, [this](bool together) {
    CompareChoice choice = m_choice;
    choice.seedsTogether = together;
    choose(choice);
  });
  connect(m_test, &QPushButton::clicked, this,
          [this] { Q_EMIT testRequested(m_split->currentData().toString()); });
  connect(m_cancel, &QPushButton::clicked, this, &ComparePage::testCancelled);
  return bar;
}

QWidget* ComparePage::makeFigure() {
  auto* figure = new QWidget(this);
  m_figureKind = narrowChoice(figure, tr("Figure of the runs"), 22);
  m_figureKind->setObjectName(QStringLiteral("compareFigureKind"));
  fillFigures(m_figureKind);
  m_metric = narrowChoice(figure, tr("Metric of the figure"), 16);
  m_metric->setObjectName(QStringLiteral("compareMetric"));
  m_option = narrowChoice(figure, tr("Option of the figure"), 20);
  m_option->setObjectName(QStringLiteral("compareOption"));
  m_figure = new QPushButton(icon(QStringLiteral("figure")), tr("Figure"), figure);
  m_figure->setObjectName(QStringLiteral("compareFigure"));
  m_figure->setToolTip(tr("This figure on a page of its own, in Figures"));
  m_figureNote = wrappedLabel(figure, QStringLiteral("compareFigureNote"));
  m_canvas = new MarkCanvasView(figure);
  m_canvas->setAccessibleName(tr("Figure of the comparison"));
  auto* row = makeRow({m_figureKind, m_metric, m_option, {m_figureNote, 1}, m_figure}, metrics::kMargin,
                      {metrics::kMargin, 0, metrics::kMargin, 0});
  makeColumn(figure, {row, {m_canvas, 1}}, metrics::kGrid);
  m_choice.figure = m_figureKind->currentData().toString();
  connect(m_figureKind, &QComboBox::activated, this, [this] {
    CompareChoice choice = m_choice;
    choice.figure = m_figureKind->currentData().toString();
    choose(choice);
  });
  connect(m_metric, &QComboBox::activated, this, [this] {
    CompareChoice choice = m_choice;
    choice.metric = m_metric->currentData().toString();
    choose(choice);
  });
  connect(m_option, &QComboBox::activated, this, [this] {
    CompareChoice choice = m_choice;
    choice.option = m_option->currentData().toString();
    choose(choice);
  });
  connect(m_figure, &QPushButton::clicked, this, &ComparePage::figureRequested);
  connect(m_canvas, &MarkCanvasView::clicked, this, [this](const QString& selection) {
    if (selection.startsWith(QLatin1String("run:")))
      Q_EMIT runPicked(selection.mid(4).section(QLatin1Char('/'), 0, 0));
  });
  return figure;
}

void ComparePage::fillFigures(QComboBox* box) {
  for (const char* id : kComparingFigures)
    if (const auto entry = findFigure(id); entry.ok())
      box->addItem(engineText(entry->title), QString::fromLatin1(id));
}

// As tabs and digits it is still there.
void ComparePage::copyLatex() {
  const auto latex = m_model->asLatex();
  if (!latex.ok()) return showTestNote(tr("Not copied: %1").arg(phraseText(latex.error().phrase())));
  copyToClipboard(fromUtf8(*latex));
}

void ComparePage::choose(CompareChoice choice) {
  if (choice == m_choice) return;
  m_choice = std::move(choice);
  offerTest();
  Q_EMIT chosen();
}

void ComparePage::setRuns(const QVector<QPair<QString, QString>>& runs, const QString& base) {
  refill(m_base, runs, base);
  m_choice.base = m_base->currentData().toString();
  m_stack->setCurrentIndex(runs.size() < 2 ? 0 : 1);
  for (QPushButton* each : {m_asText, m_asLatex}) each->setEnabled(runs.size() > 1);
}

void ComparePage::setLeft(qsizetype left) {
  const qsizetype columns = m_base->count();
  showText(m_left, left == 0 ? QString()
                             : tr("Compared are the first %1 of the %2 runs that are selected.")
                                   .arg(columns)
                                   .arg(columns + left));
}

void ComparePage::setMetrics(const QVector<QPair<QString, QString>>& metrics) {
  refill(m_metric, metrics, m_choice.metric);
  m_choice.metric = m_metric->currentData().toString();
}

void ComparePage::setOptions(const QVector<QPair<QString, QString>>& options) {
  refill(m_option, options, m_choice.option);
  m_choice.option = m_option->currentData().toString();
  const auto entry = findFigure(toUtf8(m_choice.figure));
  const OptionSchema fields(entry.ok() ? entry->fields : std::vector<OptionField>(), {});
  m_option->setVisible(fields.find("option") != nullptr);
  m_metric->setVisible(fields.find("metric") != nullptr);
}

void ComparePage::setSeedsPossible(bool possible) {
  m_seeds->setVisible(possible);
  if (possible) return;
  const QSignalBlocker block(m_seeds);
  m_seeds->setChecked(false);
  m_choice.seedsTogether = false;
  offerTest();
}

// A column of several runs has no predictions of its own.
void ComparePage::offerTest() {
  const bool single = !m_choice.seedsTogether;
  for (QWidget* each : {static_cast<QWidget*>(m_split), static_cast<QWidget*>(m_test)})
    each->setEnabled(single && m_cancel->isHidden());
  m_test->setToolTip(
      single ? tr("Do the runs differ on the same examples? Predictions that are not stored are made first")
             : tr("Predictions are tested run by run, without “Seeds together”"));
}

// Widths that somebody chose stay while the columns do.
void ComparePage::fitTable() {
  QStringList heads;
  for (int column = 0; column < m_model->columnCount(); ++column)
    heads.append(m_model->headerData(column, Qt::Horizontal).toString());
  if (std::exchange(m_heads, heads) != heads) fitColumns(m_table, kWidestCompared);
}

void ComparePage::showComparison(const RunComparison& comparison, const OptionSchema& titles,
                                 const QVector<QColor>& colours) {
  m_model->setComparison(comparison, titles, colours);
  spanHeadings();
  fitTable();
}

void ComparePage::spanHeadings() {
  m_table->clearSpans();
  if (m_model->columnCount() < 2) return;
  for (const int row : m_model->headings()) m_table->setSpan(row, 0, 1, m_model->columnCount());
}

void ComparePage::showTest(const std::optional<ComparisonTest>& test) {
  m_cancel->hide();
  offerTest();
  m_model->setTest(test);
  spanHeadings();
  if (!test) return;
  fitColumns(m_table, kWidestCompared);  // intervals are wider than scores
  m_table->scrollToBottom();
}

void ComparePage::showTesting(const ProgressUpdate& update) {
  m_cancel->show();
  offerTest();
  QString text = tr("Testing the predictions");
  if (!update.phase.empty()) text += QStringLiteral(" · ") + engineText(update.phase);
  showTestNote(text);
}

void ComparePage::showTestNote(const QString& note) {
  showText(m_note, note);
}

void ComparePage::showFigure(const FigureSpec& spec) {
  m_spec = spec;
  QStringList notes;
  for (const Phrase& note : spec.notes) notes.append(phraseText(note));
  m_figureNote->setText(notes.join(QStringLiteral(" · ")));
  m_figure->setEnabled(true);
  drawFigure();
}

void ComparePage::showFigureNote(const QString& note) {
  m_spec = {};
  m_figureNote->setText(note);
  m_figure->setEnabled(false);
  m_canvas->hide();
}

void ComparePage::drawFigure() {
  if (m_spec.panels.empty()) return;
  const bool drawn =
      m_canvas->setFigure(inWindowLanguage(m_spec), screenStyle(Theme::of(palette()).dark, font())).ok();
  m_canvas->setVisible(drawn);
  if (drawn) m_canvas->replot();
  m_canvas->setAccessibleDescription(phraseText(m_spec.summary));
}

void ComparePage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  m_oldLook = !isVisible();
  if (!m_oldLook) drawFigure();
}

void ComparePage::showEvent(QShowEvent* event) {
  if (std::exchange(m_oldLook, false)) drawFigure();
  QWidget::showEvent(event);
}

}  // namespace fathom
