// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/trainability_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include "core/analysis/training/stack_phrase.h"
#include "core/base/json/phrase_json.h"
#include "views/figure/axis_scale.h"
#include "views/figures/sample_notes.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/train/trainability_figure.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/mark_canvas_view.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

constexpr int kHeight = 240, kFactorBarWidth = 320;

QString numberText(const Json& json) {
  const auto value = realFromJson(json);
  return value.ok() ? metricText(*value) : QStringLiteral("–");
}

QString textOf(const Json& json, const char* key) {
  const Json value = json.value(key, Json(""));
  return value.is_string() ? fromUtf8(value.get<std::string>()) : QString();
}

QString verdictText(const QString& verdict) {
  if (verdict == QLatin1String("green")) return TrainabilityView::tr("Will learn");
  if (verdict == QLatin1String("doubtful")) return TrainabilityView::tr("Doubtful");
  return TrainabilityView::tr("Will probably not learn");
}

// State whose colour a verdict has.
QString verdictState(const QString& verdict) {
  if (verdict == QLatin1String("green")) return QStringLiteral("finished");
  return verdict == QLatin1String("doubtful") ? QStringLiteral("stopped") : QStringLiteral("failed");
}

QStandardItem* cell(const QString& text) {
  auto* item = new QStandardItem(text);
  item->setEditable(false);
  item->setToolTip(text);
  return item;
}

QStandardItem* numberCell(const Json& json) {
  QStandardItem* item = cell(numberText(json));
  if (const auto value = realFromJson(json); value.ok()) item->setToolTip(numberInFull(*value));
  return item;
}

}  // namespace

CheckWords checkWords(const Json& check) {
  const QString verdict = textOf(check, "verdict");
  return {verdict == QLatin1String("green") ? TrainabilityView::tr("fine") : verdictText(verdict),
          phraseText(readPhrase(check, "reason")), phraseText(readPhrase(check, "change"))};
}

TrainabilityView::TrainabilityView(QWidget* parent)
    : QWidget(parent),
      m_stack(new QStackedWidget(this)),
      m_checks(new QStandardItemModel(this)),
      m_scales(new QStandardItemModel(this)) {
  m_stack->addWidget(makeBusy());
  m_stack->addWidget(makeReport());
  makeColumn(this, {m_stack}, kStyleGap, {metrics::kMargin, 0, metrics::kMargin, 0});
  setFixedHeight(kHeight);
  setAccessibleName(tr("Trainability"));
}

QWidget* TrainabilityView::makeBusy() {
  auto* busy = new QWidget(m_stack);
  m_phase = wrappedLabel(busy);
  m_bar = new QProgressBar(busy);
  m_bar->setMaximumWidth(kFactorBarWidth);
  m_bar->setTextVisible(false);
  m_cancel = new QPushButton(tr("Cancel"), busy);
  m_cancel->setObjectName(QStringLiteral("cancelTrainability"));
  auto* row = makeRow({{m_bar, 1}, m_cancel, BoxPart::stretch(1)});
  makeColumn(busy, {BoxPart::stretch(1), m_phase, row, BoxPart::stretch(1)}, kStyleGap, kStyleMargins);
  connect(m_cancel, &QPushButton::clicked, this, [this] {
    // Without a job that runs there is only a message, and the button closes it.
    if (m_bar->isVisible()) Q_EMIT cancelRequested();
    Q_EMIT closed();
  });
  return busy;
}

QWidget* TrainabilityView::makeReport() {
  auto* report = new QWidget(m_stack);
  m_depths = new MarkCanvasView(report);
  m_depths->setAccessibleName(tr("Numbers by depth"));
  m_pages = new QTabWidget(report);
  m_pages->setDocumentMode(true);
  makeTables(report);
  m_pages->addTab(m_checkTable, tr("Reasons"));
  m_pages->addTab(m_depths, tr("By depth"));
  m_pages->addTab(m_scaleTable, tr("Scales"));
  makeColumn(report, {makeHead(report), {m_pages, 1}}, metrics::kGrid);
  return report;
}

QWidget* TrainabilityView::makeHead(QWidget* report) {
  auto* head = new QWidget(report);
  m_verdict = new QLabel(head);
  m_verdict->setObjectName(QStringLiteral("trainabilityVerdict"));
  QFont font = m_verdict->font();
  font.setBold(true);
  m_verdict->setFont(font);
  m_note = wrappedLabel(head);
  m_close = flatButton(head, QStringLiteral("close"), tr("Hide the check"));
  connect(m_close, &QToolButton::clicked, this, &TrainabilityView::closed);
  auto* help =
      flatTextButton(head, QStringLiteral("?"), tr("What is looked at, and where the limits come from"));
  help->setAccessibleName(tr("Help about the check"));
  connect(help, &QToolButton::clicked, this, &TrainabilityView::showHelp);
  makeRow(head, {m_verdict, {m_note, 1}, help, m_close});
  return head;
}

void TrainabilityView::makeTables(QWidget* report) {
  m_checkTable = compactTable(m_checks, tr("What was looked at"), report);
  m_checkTable->setWordWrap(true);
  m_checkTable->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_scaleTable = compactTable(m_scales, tr("Scales of the stacks"), report);
}

void TrainabilityView::showProgress(const ProgressUpdate& update) {
  m_stack->setCurrentIndex(0);
  m_bar->show();
  m_cancel->setText(tr("Cancel"));
  fathom::showProgress(m_bar, update);
  QString text = tr("Checking trainability");
  if (!update.phase.empty()) text += QStringLiteral(" · ") + engineText(update.phase);
  m_phase->setText(text);
}

void TrainabilityView::showError(const Error& error) {
  m_stack->setCurrentIndex(0);
  m_bar->hide();
  m_cancel->setText(tr("Close"));
  m_phase->setText(phraseText(error.phrase()));
}

void TrainabilityView::showReport(const Json& report) {
  const QString verdict = textOf(report, "verdict");
  m_verdict->setText(verdictText(verdict));
  setTextColour(m_verdict, Theme::of(palette()).state(verdictState(verdict)));
  QStringList notes;
  for (const Phrase& note : readPhrases(report, "notes")) notes.append(phraseText(note));
  if (const Json sample = report.value("sample", Json()); sample.is_object())
    notes.append(phraseText(samplePhrase(sample)));
  m_note->setText(notes.join(QLatin1Char(' ')));
  fillChecks(report);
  fillScales(report);
  m_report = report;
  drawDepths();
  m_stack->setCurrentIndex(1);
}

// A model without a finite number has nothing to draw.
void TrainabilityView::drawDepths() {
  if (m_pages == nullptr || m_report.empty()) return;
  const FigureSpec spec = trainabilityFigure(m_report);
  const bool drawn =
      !spec.panels.empty() && m_depths->setFigure(spec, screenStyle(Theme::of(palette()).dark, font())).ok();
  m_pages->setTabEnabled(1, drawn);
  m_depths->setAccessibleDescription(phraseText(spec.summary));
}

void TrainabilityView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) drawDepths();
}

void TrainabilityView::fillChecks(const Json& report) {
  m_checks->clear();
  m_checks->setHorizontalHeaderLabels({tr("Verdict"), tr("Reason"), tr("Would help")});
  bool helps = false;
  for (const Json& check : report.value("checks", Json::array())) {
    const CheckWords words = checkWords(check);
    QStandardItem* verdict = cell(words.verdict);
    verdict->setForeground(Theme::of(palette()).state(verdictState(textOf(check, "verdict"))));
    m_checks->appendRow({verdict, cell(words.reason), cell(words.change)});
    helps = helps || !words.change.isEmpty();
  }
  m_checkTable->setColumnHidden(2, !helps);
  m_checkTable->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_checkTable->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  m_checkTable->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
}

void TrainabilityView::fillScales(const Json& report) {
  m_scales->clear();
  m_scales->setHorizontalHeaderLabels({tr("Stack"), tr("Layers"), QStringLiteral("µ"), tr("Input"),
                                       tr("Last sum"), tr("Predicted"), tr("Shift")});
  for (int column = 0; column < m_scales->columnCount(); ++column)
    m_scales->horizontalHeaderItem(column)->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) |
                                                             Qt::AlignVCenter);
  m_scales->horizontalHeaderItem(2)->setToolTip(tr("Largest norm of an input vector"));
  m_scales->horizontalHeaderItem(3)->setToolTip(tr("Root mean square of what enters the stack"));
  m_scales->horizontalHeaderItem(4)->setToolTip(
      tr("Root mean square of the last sub-layer's sum of stream and branch, before its norm"));
  m_scales->horizontalHeaderItem(5)->setToolTip(
      tr("What independent branches of the initial sizes would give"));
  m_scales->horizontalHeaderItem(6)->setToolTip(
      tr("Relative change of the output by a random step of the peak learning rate"));
  for (const Json& stack : report.value("stacks", Json::array())) {
    const Json measured = stack.value("measured_scale", Json::array()),
               predicted = stack.value("predicted_scale", Json::array()),
               shift = stack.value("output_shift", Json::object());
    const auto last = [](const Json& list) { return list.empty() ? Json() : list.back(); };
    QList<QStandardItem*> row = {cell(phraseText(stackPhrase(stack.value("stack", "")))),
                                 cell(QString::number(stack.value("layers", 0)))};
    for (const Json& number : {stack.value("mu", Json()), stack.value("input_scale", Json()), last(measured),
                               last(predicted), shift.value("at_peak_rate", Json())})
      row.append(numberCell(number));
    for (qsizetype column = 1; column < row.size(); ++column)
      row[column]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_scales->appendRow(row);
  }
  m_scaleTable->resizeColumnsToContents();
}

void TrainabilityView::showHelp() {
  HelpWindow::openAt(this, {QStringLiteral("trainability")});
}

void TrainabilityView::markOutdated() {
  if (m_stack->currentIndex() == 1) m_note->setText(tr("The options have changed since."));
}

}  // namespace fathom
