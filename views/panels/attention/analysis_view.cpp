// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/analysis_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <map>
#include <utility>

#include "views/figure/figure_style.h"
#include "views/figure/figure_text.h"
#include "views/look/engine_text.h"
#include "views/look/figure_language.h"
#include "views/look/foreign_text.h"
#include "views/look/help_pages.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/attention/detail_numbers.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/attention/folded_text.h"
#include "views/panels/attention/run_arrangement.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/heading.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/progress_page.h"
#include "views/tables/paper/figure_table.h"
#include "views/tables/paper/paper_table_model.h"

namespace fathom {

namespace {

constexpr int kWidestColumn = 260;
constexpr int kLeastDetail = 160, kLeastFigure = 160;
constexpr double kLines = 1.3, kLinesAround = 4;  // of text, for a word and for what is around the words

// Rows of words of a panel: the tokens at its vertical axis, or the words beside its lines.
double wordRows(const FigurePanel& panel) {
  if (panel.y.scale == AxisScale::Token) return static_cast<double>(panel.y.categories.size());
  const bool drawn = std::any_of(panel.marks.begin(), panel.marks.end(), [](const FigureMark& mark) {
    return std::holds_alternative<TextMark>(mark.shape);
  });
  return drawn && panel.y.minimum && panel.y.maximum ? *panel.y.maximum - *panel.y.minimum : 0;
}

// Pixels that no word of a detail lies on another one with.
int detailHeight(const FigureSpec& spec, const FigureStyle& style) {
  const TextFont font = style.font(style.tickPoints);
  const double line = TextLine(QStringLiteral("Ag"), font).height();
  double most = 0, around = 0;
  int rows = 0;
  for (const FigurePanel& panel : spec.panels) {
    rows = std::max(rows, panel.row + 1);
    most = std::max(most, kLines * wordRows(panel));
    double below = 0;  // words at the horizontal axis stand upright
    if (panel.x.scale == AxisScale::Token)
      for (const std::string& word : panel.x.categories)
        below = std::max(below, TextLine(fromUtf8(word), font).width());
    around += below + kLinesAround * line;
  }
  return most > 0 ? static_cast<int>(rows * most * line + around) : 0;
}

// Lines of text that the rows of cells of a panel need to be told apart.
double linesOf(const FigurePanel& panel) {
  constexpr double kLinesOfPanel = 8, kLinesOfCells = 2.2;
  int rows = 0;
  for (const FigureMark& mark : panel.marks)
    if (const auto* grid = std::get_if<GridMark>(&mark.shape))
      for (const GridCell& cell : grid->cells) rows = std::max(rows, cell.row + 1);
  // A square map is no higher than it is wide.
  const double words = panel.aspect ? 0 : kLinesAround + kLines * wordRows(panel);
  return std::max({kLinesOfPanel, kLinesAround + kLinesOfCells * rows, words});
}

// Every panel has room for its texts and a plot, every layer of it for its heads, every word for itself: a
// figure of many is scrolled. A few panels fit the window's least size.
int leastHeight(const FigureSpec& spec, int line) {
  constexpr int kFewRows = 2;
  std::map<int, double> lines;  // by row of panels
  for (const FigurePanel& panel : spec.panels)
    for (int row = panel.row; row < panel.row + panel.rowSpan; ++row)
      lines[row] = std::max(lines[row], linesOf(panel) / panel.rowSpan);
  double all = 0;
  bool cells = false;
  for (const auto& [row, needed] : lines) all += needed;
  for (const FigurePanel& panel : spec.panels) cells = cells || linesOf(panel) > linesOf({});
  return int(lines.size()) > kFewRows || cells ? std::max(kLeastFigure, int(all * line)) : kLeastFigure;
}

}  // namespace

AnalysisView::AnalysisView(QWidget* parent)
    : QWidget(parent),
      m_choices(new FigureChoices(this)),
      m_arrangement(new RunArrangement(this)),
      m_style(exportStyleChoice(this, tr("Style of the exported figure"),
                                tr("Width, fonts and sizes of the exported figure"))),
      m_asTable(new QToolButton(this)),
      m_export(new QToolButton(this)),
      m_partial(new QWidget(this)),
      m_partialText(new ElidedLabel({}, m_partial)),
      m_partialButton(new QToolButton(m_partial)),
      m_pages(new QStackedWidget(this)),
      m_message(new EmptyState(m_pages)),
      m_progress(new ProgressPage(m_pages)),
      m_figureArea(new QScrollArea(m_pages)),
      m_canvas(new AnalysisCanvas(m_figureArea)),
      m_table(new PaperTableModel(this)),
      m_tableView(compactTable(m_table, tr("Numbers of the figure"), m_pages)),
      m_columns(new QSplitter(Qt::Horizontal, this)),
      m_detailPart(new QWidget(m_columns)),
      m_detailTitle(new QLabel(m_detailPart)),
      m_detailModel(new PaperTableModel(this)),
      m_detailNumbers(compactTable(m_detailModel, tr("Numbers of the place"), m_detailPart)),
      m_detailArea(new QScrollArea(m_detailPart)),
      m_detail(new AnalysisCanvas(m_detailArea)),
      m_words(new FoldedText(this)) {
  m_pages->addWidget(m_message);
  m_pages->addWidget(m_progress);
  connect(m_progress, &ProgressPage::cancelRequested, this, &AnalysisView::cancelRequested);
  m_figureArea->setWidget(m_canvas);
  m_figureArea->setWidgetResizable(true);
  m_figureArea->setFrameShape(QFrame::NoFrame);
  m_figureArea->setFocusPolicy(Qt::NoFocus);
  m_pages->addWidget(m_figureArea);
  m_pages->addWidget(m_tableView);
  m_canvas->setMinimumSize(200, kLeastFigure);
  m_detail->setMinimumSize(160, kLeastDetail);
  makeDetail();
  m_words->text()->setAccessibleName(tr("What the figure shows"));
  auto* centre = new QWidget(m_columns);
  makeRow(m_partial, {{m_partialText, 1}, m_partialButton});
  m_partialButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_partialButton->setFocusPolicy(Qt::StrongFocus);
  m_partial->hide();
  makeColumn(centre, {m_choices, m_arrangement, m_partial, {m_pages, 1}, m_words, makeBottom()},
             metrics::kGrid, {0, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  m_columns->addWidget(centre);
  m_columns->addWidget(m_detailPart);
  m_columns->setStretchFactor(0, 1);
  m_columns->setCollapsible(0, false);
  m_columns->setSizes({620, 380});
  makeColumn(this, {m_columns});
  connect(m_canvas, &MarkCanvasView::clicked, this, &AnalysisView::placeClicked);
  connect(m_detail, &MarkCanvasView::clicked, this, &AnalysisView::placeClicked);
  connect(m_asTable, &QToolButton::toggled, this, &AnalysisView::setTableShown);
  connect(m_export, &QToolButton::clicked, this, &AnalysisView::exportRequested);
}

void AnalysisView::makeDetail() {
  setHeadingRank(m_detailTitle, HeadingRank::Panel);
  m_detailTitle->setWordWrap(true);
  m_detailTitle->setTextFormat(Qt::PlainText);
  m_detailNumbers->setObjectName(QStringLiteral("detailNumbers"));
  connect(m_detailNumbers->horizontalScrollBar(), &QScrollBar::rangeChanged, this,
          &AnalysisView::fitDetailNumbers);
  m_detailArea->setFrameShape(QFrame::NoFrame);
  m_detailArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_detailArea->setWidgetResizable(true);
  m_detailArea->setFocusPolicy(Qt::NoFocus);
  m_detailArea->setWidget(m_detail);
  makeColumn(m_detailPart, {m_detailTitle, m_detailNumbers, {m_detailArea, 1}}, metrics::kGrid,
             {metrics::kGrid, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  m_detailPart->hide();
}

QWidget* AnalysisView::makeBottom() {
  auto* bottom = new QWidget(this);
  m_asTable->setText(tr("Table"));
  m_asTable->setToolTip(tr("Show the numbers of the figure as a table"));
  m_asTable->setCheckable(true);
  m_export->setText(tr("Export…"));
  m_export->setIcon(icon(QStringLiteral("export")));
  m_export->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_export->setToolTip(tr("PDF, SVG, PNG or PGF; the recipe is kept in the project"));
  for (QToolButton* button : {m_asTable, m_export}) button->setFocusPolicy(Qt::StrongFocus);
  makeRow(bottom, {m_asTable, BoxPart::stretch(1), m_style, m_export}, metrics::kGrid);
  return bottom;
}

void AnalysisView::setFigure(const FigureEntry& entry, const Json& options) {
  m_id = fromUtf8(entry.id);
  m_choices->setFields(entry.fields, options, phraseText(entry.sentence));
  m_spec = {};
  showDetail(nullptr);
  tell();
}

QString AnalysisView::exportStyle() const {
  return m_style->currentData().toString();
}

void AnalysisView::setExportStyle(const QString& id) {
  if (const int index = m_style->findData(id); index >= 0) m_style->setCurrentIndex(index);
}

void AnalysisView::showFigure(const FigureSpec& spec) {
  m_spec = spec;
  m_table->setTable(tableOfFigure(inWindowLanguage(spec)));
  fitColumns(m_tableView, kWidestColumn);
  m_pages->setCurrentIndex(m_asTable->isChecked() ? kTable : kFigure);
  draw();
  tell();
}

void AnalysisView::draw() {
  if (m_spec.panels.empty()) return;
  const FigureStyle style = screenStyle(Theme::of(palette()).dark, font());
  const Status status = m_canvas->setFigure(inWindowLanguage(m_spec), style);
  if (!status.ok()) return showMessage(phraseText(status.error().phrase()), {});
  m_canvas->setMinimumHeight(leastHeight(m_spec, fontMetrics().height()));
  m_canvas->setAccessibleName(phraseText(m_spec.title));
  m_canvas->setAccessibleDescription(phraseText(m_spec.summary));
  m_canvas->replot();
}

void AnalysisView::showPartial(const QString& text, QAction* action) {
  m_partialText->setFullText(text);
  m_partialButton->setDefaultAction(action);
  m_partial->setVisible(!text.isEmpty());
}

void AnalysisView::showMessage(const QString& text, const QList<QAction*>& actions) {
  m_spec = {};
  m_partial->hide();
  m_message->setText(text);
  m_message->setActions(actions);
  m_pages->setCurrentIndex(kMessage);
  showDetail(nullptr);
  tell();
}

void AnalysisView::showProgress(const QString& title, const ProgressUpdate& update) {
  m_progress->setProgress(title, update);
  m_pages->setCurrentIndex(kProgress);
}

void AnalysisView::setProgressNote(const QString& text) {
  m_progress->setNote(text);
}

void AnalysisView::showDetail(const FigureSpec* spec) {
  m_detailSpec = spec == nullptr ? FigureSpec() : *spec;
  m_detailPart->setVisible(spec != nullptr);
  drawDetail();
  tell();
}

// As high as its rows; more of them than runs that stand side by side are scrolled.
void AnalysisView::showDetailNumbers() {
  m_detailModel->setTable(detailNumbers(inWindowLanguage(m_detailSpec)));
  m_detailNumbers->setVisible(m_detailModel->rowCount() > 0);
  fitColumns(m_detailNumbers, kWidestColumn);
  fitDetailNumbers();
}

// A scroll bar below the rows would lie on the last one.
void AnalysisView::fitDetailNumbers() {
  constexpr int kMostRows = 8;
  const QScrollBar* bar = m_detailNumbers->horizontalScrollBar();
  m_detailNumbers->setFixedHeight(m_detailNumbers->horizontalHeader()->sizeHint().height() +
                                  qMin(m_detailModel->rowCount(), kMostRows) * m_detailNumbers->rowHeight(0) +
                                  2 * m_detailNumbers->frameWidth() +
                                  (bar->maximum() > bar->minimum() ? bar->sizeHint().height() : 0));
}

void AnalysisView::drawDetail() {
  if (m_detailSpec.panels.empty()) return;
  const FigureStyle style = screenStyle(Theme::of(palette()).dark, font());
  if (!m_detail->setFigure(inWindowLanguage(m_detailSpec), style).ok()) return m_detailPart->hide();
  m_detail->setMinimumHeight(std::max(kLeastDetail, detailHeight(m_detailSpec, style)));
  const bool titled = std::any_of(m_detailSpec.panels.begin(), m_detailSpec.panels.end(),
                                  [](const FigurePanel& panel) { return !panel.title.empty(); });
  m_detailTitle->setText(phraseText(m_detailSpec.title));
  m_detailTitle->setVisible(!titled);
  showDetailNumbers();
  m_detail->setAccessibleName(phraseText(m_detailSpec.title));
  m_detail->setAccessibleDescription(phraseText(m_detailSpec.summary));
  m_detail->replot();
}

// The numbers of the selected place, the figure in words, its notes, and the help page.
void AnalysisView::tell() {
  QStringList parts;
  const auto add = [&parts](const Phrase& words) {
    if (!words.empty()) parts.append(literalMarkdown(phraseText(words)));
  };
  // Numbers stand beside; in words where there is no table of them.
  if (m_detailSpec.panels.empty() || m_detailModel->rowCount() == 0) add(m_detailSpec.summary);
  if (m_detailSpec.summary.empty() && m_pages->currentIndex() == kFigure && m_canvas->canBeSelected())
    parts.append(tr("Click a cell, or go there with the arrow keys, to see more about it."));
  for (const Phrase& note : m_spec.notes) add(note);
  if (const QString page = helpPage(m_id); !page.isEmpty()) parts.append(page);
  m_words->setWords(parts.join(QStringLiteral("\n\n")));
}

void AnalysisView::showSelection(const Selection& selection) {
  m_canvas->showSelection(selection);
  if (const QVector<QRectF> outlined = m_canvas->outlines(); !outlined.isEmpty()) {
    const QPoint middle = outlined.first().center().toPoint();
    m_figureArea->ensureVisible(middle.x(), middle.y());
  }
  m_detail->showSelection(selection);
}

void AnalysisView::setTableShown(bool shown) {
  m_asTable->setChecked(shown);
  const int page = m_pages->currentIndex();
  if (page == kFigure || page == kTable) m_pages->setCurrentIndex(shown ? kTable : kFigure);
}

bool AnalysisView::tableShown() const {
  return m_asTable->isChecked();
}

QByteArray AnalysisView::saveLayout() const {
  return m_columns->saveState().toBase64() + '|' + (m_words->folded() ? "" : "unfolded");
}

void AnalysisView::restoreLayout(const QByteArray& state) {
  const QList<QByteArray> parts = state.split('|');
  if (parts.size() != 2) return;
  m_columns->restoreState(QByteArray::fromBase64(parts[0]));
  m_words->setFolded(parts[1] != "unfolded");
}

void AnalysisView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  m_oldLook = !isVisible();
  if (!m_oldLook) drawAnew();
}

void AnalysisView::showEvent(QShowEvent* event) {
  if (std::exchange(m_oldLook, false)) drawAnew();
  QWidget::showEvent(event);
}

void AnalysisView::drawAnew() {
  draw();
  drawDetail();
  tell();
}

}  // namespace fathom
