// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/kind_comparison_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>

#include "views/figure/figure_style.h"
#include "views/look/engine_text.h"
#include "views/look/figure_language.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/mark_canvas_view.h"
#include "views/tables/paper_table_model.h"

namespace fathom {

namespace {
constexpr int kWidestKindColumn = 260;
enum KindPairColumn { kKindOnlyFirst = 2, kKindOnlySecond = 3 };

QTableView* kindTable(PaperTableModel* model, const QString& name, QWidget* parent) {
  QTableView* table = compactTable(model, name, parent);
  QObject::connect(model, &QAbstractItemModel::modelReset, table,
                   [table] { fitColumns(table, kWidestKindColumn); });
  return table;
}
}  // namespace

KindComparisonPanel::KindComparisonPanel(KindErrorReview* review, QWidget* parent)
    : QWidget(parent),
      m_review(review),
      m_figureBox(new QComboBox(this)),
      m_styleBox(exportStyleChoice(this, tr("Style of the exported figure"),
                                   tr("Width, fonts and sizes of the exported figure"))),
      m_problem(wrappedLabel(this)),
      m_canvas(new MarkCanvasView(this)),
      m_tabs(new QTabWidget(this)),
      m_scores(new PaperTableModel(this)),
      m_numbers(new PaperTableModel(this)),
      m_pairsModel(new PaperTableModel(this)),
      m_pairsView(kindTable(m_pairsModel, tr("Models in pairs"), this)) {
  m_figureBox->setAccessibleName(tr("Figure"));
  auto* split = new QSplitter(Qt::Horizontal, this);
  fillSplitter(split, {{makeFigureSide(), 1}, makeTableSide()}, {640, 520});
  makeColumn(this, {{split, 1}}, kStyleGap,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  connect(m_figureBox, &QComboBox::currentIndexChanged, this, &KindComparisonPanel::draw);
  connect(m_canvas, &MarkCanvasView::clicked, this, &KindComparisonPanel::selectionClicked);
  connect(m_pairsView, &QTableView::activated, this, &KindComparisonPanel::pickPair);
  connect(m_pairsView, &QTableView::clicked, this, &KindComparisonPanel::pickPair);
  connect(review, &ReviewedPredictions::reviewChanged, this, [this] {
    m_pairs.clear();
    m_pairsKnown = false;
    m_pairsModel->setTable({});
    fillFigures();
  });
  connect(review, &ReviewedPredictions::currentChanged, this, [this] {
    if (isVisible()) draw();
  });
}

QWidget* KindComparisonPanel::makeFigureSide() {
  auto* side = new QWidget(this);
  m_problem->hide();
  auto* exportFigure = new QPushButton(icon(QStringLiteral("export")), tr("Export figure…"), side);
  exportFigure->setToolTip(tr("PDF, SVG, PNG or PGF, by the ending of the name"));
  connect(exportFigure, &QPushButton::clicked, this, &KindComparisonPanel::exportFigureRequested);
  auto* bottom = makeRow({BoxPart::stretch(1), m_styleBox, exportFigure});
  makeColumn(side, {m_figureBox, m_problem, {m_canvas, 1}, bottom}, metrics::kGrid);
  m_canvas->setMinimumSize(200, 160);
  return side;
}

QWidget* KindComparisonPanel::makeTableSide() {
  auto* side = new QWidget(this);
  auto* pairs = new QWidget(side);
  auto* hint = new QLabel(tr("Click a number to see its examples."), pairs);
  makeColumn(pairs, {hint, {m_pairsView, 1}}, kStyleGap, {0, metrics::kGrid, 0, 0});
  m_tabs->addTab(kindTable(m_scores, tr("Scores"), side), tr("Scores"));
  m_tabs->addTab(kindTable(m_numbers, tr("Numbers of the figure"), side), tr("Numbers"));
  m_tabs->addTab(pairs, tr("Pairs"));
  m_tabs->setDocumentMode(true);
  auto* exportTable = new QPushButton(icon(QStringLiteral("export")), tr("Export table…"), side);
  exportTable->setToolTip(tr("LaTeX, CSV or Markdown, by the ending of the name"));
  connect(exportTable, &QPushButton::clicked, this, &KindComparisonPanel::exportTableRequested);
  m_tabs->setCornerWidget(exportTable);
  makeColumn(side, {{m_tabs, 1}});
  return side;
}

void KindComparisonPanel::fillFigures() {
  const QSignalBlocker quiet(m_figureBox);
  m_figureBox->clear();
  m_entries.clear();
  m_scores->setTable({});
  m_numbers->setTable({});
  if (m_review->empty()) return;
  m_entries = figuresOfKind(m_review->kind());
  for (const FigureEntry& entry : m_entries)
    m_figureBox->addItem(engineText(entry.title), fromUtf8(entry.id));
  m_scores->setTable(kindScoresTable(m_review->review()));
  if (isVisible()) draw();
}

void KindComparisonPanel::showFigure(const QString& id) {
  m_figureBox->setCurrentIndex(m_figureBox->findData(id));
}

FigureRecipe KindComparisonPanel::recipe() const {
  FigureRecipe recipe;
  recipe.figure = toUtf8(m_figureBox->currentData().toString());
  recipe.style = toUtf8(m_styleBox->currentData().toString());
  const int index = m_figureBox->currentIndex();
  const auto system = [](const OptionField& field) { return field.key == "system"; };
  if (index >= 0 && m_review->currentModel() >= 0) {
    const auto& fields = m_entries[std::size_t(index)].fields;
    if (std::any_of(fields.begin(), fields.end(), system))
      recipe.options["system"] = toUtf8(m_review->modelName(m_review->currentModel()));
  }
  return recipe;
}

void KindComparisonPanel::draw() {
  if (m_review->empty() || m_figureBox->currentIndex() < 0) return;
  FigureRecipe wanted = recipe();
  const FigureStyle style = screenStyle(Theme::of(palette()).dark, font().pointSizeF());
  wanted.style = toUtf8(style.id);
  auto figure = buildKindFigure(wanted, {m_review->review()});
  Status shown =
      figure.ok() ? m_canvas->setFigure(inWindowLanguage(figure->spec), style) : Status(figure.error());
  m_problem->setVisible(!shown.ok());
  m_canvas->setVisible(shown.ok());
  if (!shown.ok()) {
    m_problem->setText(phraseText(shown.error().phrase()));
    m_numbers->setTable({});
    return;
  }
  m_canvas->replot();
  m_canvas->setAccessibleName(phraseText(figure->spec.title));
  m_canvas->setAccessibleDescription(phraseText(figure->spec.summary));
  m_numbers->setTable(figure->table);
}

void KindComparisonPanel::setPairs(std::vector<KindPair> pairs) {
  m_pairs = std::move(pairs);
  m_pairsKnown = true;
  m_pairsModel->setTable(kindPairsTable(m_review->review(), m_pairs));
}

const PaperTable& KindComparisonPanel::shownTable() const {
  switch (m_tabs->currentIndex()) {
    case 0:
      return m_scores->table();
    case 1:
      return m_numbers->table();
    default:
      return m_pairsModel->table();
  }
}

void KindComparisonPanel::pickPair(const QModelIndex& index) {
  if (!index.isValid() || std::size_t(index.row()) >= m_pairs.size()) return;
  std::size_t right = m_pairs[std::size_t(index.row())].first,
              wrong = m_pairs[std::size_t(index.row())].second;
  if (index.column() == kKindOnlySecond) {
    std::swap(right, wrong);
  } else if (index.column() != kKindOnlyFirst) {
    return;
  }
  std::vector<int> examples;
  for (const std::size_t each : onlyFirstRight(m_review->review(), right, wrong))
    examples.push_back(int(each));
  if (examples.empty()) return;
  m_review->choose(int(wrong), examples.front(), this);
  Q_EMIT examplesPicked(
      examples,
      tr("%1 right, %2 wrong").arg(m_review->modelName(int(right)), m_review->modelName(int(wrong))));
}

void KindComparisonPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    if (isVisible()) draw();
}

void KindComparisonPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  draw();
}

}  // namespace fathom
