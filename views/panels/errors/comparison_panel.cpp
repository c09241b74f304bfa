// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/comparison_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

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
constexpr int kDrawMilliseconds = 60;
constexpr int kWidestComparisonColumn = 320;
constexpr int kTickedAtFirst = 4;

QTableView* paperTable(PaperTableModel* model, const QString& name, QWidget* parent) {
  QTableView* table = compactTable(model, name, parent);
  QObject::connect(model, &QAbstractItemModel::modelReset, table,
                   [table] { fitColumns(table, kWidestComparisonColumn); });
  return table;
}
}  // namespace

ComparisonPanel::ComparisonPanel(ErrorReview* review, QWidget* parent)
    : QWidget(parent),
      m_review(review),
      m_figureBox(new QComboBox(this)),
      m_styleBox(exportStyleChoice(this, tr("Style of the exported figure"),
                                   tr("Width, fonts and sizes of the exported figure"))),
      m_choices(new QWidget(this)),
      m_choicesLayout(new QHBoxLayout(m_choices)),
      m_problem(wrappedLabel(this)),
      m_canvas(new MarkCanvasView(this)),
      m_tabs(new QTabWidget(this)),
      m_numbers(new PaperTableModel(this)),
      m_pairsModel(new PaperTableModel(this)),
      m_agreement(new PaperTableModel(this)),
      m_pairsView(paperTable(m_pairsModel, tr("Models in pairs"), this)),
      m_agreementText(wrappedLabel(this)) {
  for (const FigureEntry& entry : figures())
    if (entry.buildReview) m_entries.push_back(entry);
  for (const FigureEntry& entry : m_entries)
    m_figureBox->addItem(engineText(entry.title), fromUtf8(entry.id));
  m_figureBox->setAccessibleName(tr("Figure"));
  auto* split = new QSplitter(Qt::Horizontal, this);
  fillSplitter(split, {{makeFigureSide(), 1}, makeTableSide()}, {700, 480});
  makeColumn(this, {{split, 1}}, kStyleGap,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  m_wait.setSingleShot(true);
  m_wait.setInterval(kDrawMilliseconds);
  connect(&m_wait, &QTimer::timeout, this, &ComparisonPanel::draw);
  connect(m_figureBox, &QComboBox::currentIndexChanged, this, [this] {
    m_options = Json::object();
    makeChoices();
    draw();
  });
  connect(m_canvas, &MarkCanvasView::clicked, this, &ComparisonPanel::selectionClicked);
  connect(m_pairsView, &QTableView::activated, this, &ComparisonPanel::pickPair);
  connect(m_pairsView, &QTableView::clicked, this, &ComparisonPanel::pickPair);
  connect(review, &ErrorReview::reviewChanged, this, [this] {
    m_pairs.clear();
    m_pairsKnown = false;
    m_pairsModel->setTable({});
    m_options = Json::object();
    makeChoices();  // the names of the models are among them
    refresh();
  });
  connect(review, &ErrorReview::exampleChanged, this, &ComparisonPanel::refresh);
  connect(review, &ErrorReview::currentChanged, this, &ComparisonPanel::showAgreement);
  makeChoices();
}

QWidget* ComparisonPanel::makeFigureSide() {
  auto* side = new QWidget(this);
  m_choicesLayout->setContentsMargins(0, 0, 0, 0);
  m_problem->hide();
  auto* exportFigure = new QPushButton(icon(QStringLiteral("export")), tr("Export figure…"), side);
  exportFigure->setToolTip(tr("PDF, SVG, PNG or PGF; the recipe is kept in the project"));
  connect(exportFigure, &QPushButton::clicked, this, &ComparisonPanel::exportFigureRequested);
  auto* top = makeRow({m_figureBox, {m_choices, 1}});
  auto* bottom = makeRow({BoxPart::stretch(1), m_styleBox, exportFigure});
  makeColumn(side, {top, m_problem, {m_canvas, 1}, bottom}, metrics::kGrid);
  m_canvas->setMinimumSize(200, 160);
  return side;
}

QWidget* ComparisonPanel::makeTableSide() {
  auto* side = new QWidget(this);
  QTableView* numbers = paperTable(m_numbers, tr("Numbers of the figure"), side);
  auto* agreement = new QWidget(side);
  makeColumn(agreement, {m_agreementText, {paperTable(m_agreement, tr("Program and person"), agreement), 1}},
             kStyleGap, {0, metrics::kGrid, 0, 0});
  auto* pairs = new QWidget(side);
  auto* hint = new QLabel(tr("Click a number to see its examples."), pairs);
  makeColumn(pairs, {hint, {m_pairsView, 1}}, kStyleGap, {0, metrics::kGrid, 0, 0});
  m_tabs->addTab(numbers, tr("Numbers"));
  m_tabs->addTab(pairs, tr("Pairs"));
  m_tabs->addTab(agreement, tr("Program and person"));
  m_tabs->setDocumentMode(true);
  m_tabs->setUsesScrollButtons(false);
  m_tabs->setElideMode(Qt::ElideRight);
  for (int tab = 0; tab < m_tabs->count(); ++tab) m_tabs->setTabToolTip(tab, m_tabs->tabText(tab));
  auto* exportTable = new QPushButton(icon(QStringLiteral("export")), tr("Export table…"), side);
  exportTable->setToolTip(tr("LaTeX, CSV or Markdown, by the ending of the name"));
  connect(exportTable, &QPushButton::clicked, this, &ComparisonPanel::exportTableRequested);
  m_tabs->setCornerWidget(exportTable);
  makeColumn(side, {{m_tabs, 1}});
  return side;
}

QStringList ComparisonPanel::figureIds() const {
  QStringList ids;
  for (const FigureEntry& entry : m_entries) ids.append(fromUtf8(entry.id));
  return ids;
}

void ComparisonPanel::showFigure(const QString& id) {
  m_figureBox->setCurrentIndex(m_figureBox->findData(id));
  if (m_stale) draw();
}

// A box for every choice of the figure; lengths are for the command export-figure.
void ComparisonPanel::makeChoices() {
  clearLayout(m_choicesLayout);
  const int index = m_figureBox->currentIndex();
  if (index < 0) return;
  for (const OptionField& field : m_entries[std::size_t(index)].fields) {
    if (!field.choices.empty()) addChoice(field);
    if (field.type == OptionType::TextList) addSystems(field);
  }
  m_choicesLayout->addStretch(1);
}

void ComparisonPanel::addChoice(const OptionField& field) {
  auto* box = new QComboBox(m_choices);
  box->setAccessibleName(engineText(field.title));
  box->setToolTip(engineText(field.help));
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const OptionChoice& choice : field.choices)
    box->addItem(engineText(choice.title), fromUtf8(choice.id));
  if (field.defaultValue.is_string())
    box->setCurrentIndex(box->findData(fromUtf8(field.defaultValue.get<std::string>())));
  connect(box, &QComboBox::currentIndexChanged, this, [this, box, key = field.key] {
    m_options[key] = toUtf8(box->currentData().toString());
    draw();
  });
  m_choicesLayout->addWidget(box);
}

// Which models a figure is about that cannot show all: a menu to tick. Nothing ticked by hand: the first
// four.
void ComparisonPanel::addSystems(const OptionField& field) {
  auto* button = new QToolButton(m_choices);
  button->setText(engineText(field.title));
  button->setToolTip(engineText(field.help));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setVisible(m_review->models() > 2);
  auto* menu = new QMenu(button);
  button->setMenu(menu);
  for (int m = 0; m < m_review->models(); ++m) {
    QAction* action = menu->addAction(m_review->modelName(m));
    action->setCheckable(true);
    action->setChecked(m < kTickedAtFirst);
    action->setData(m);
    connect(action, &QAction::toggled, this, [this, menu, key = field.key] {
      Json names = Json::array();
      for (const QAction* each : menu->actions())
        if (each->isChecked()) names.push_back(toUtf8(m_review->modelName(each->data().toInt())));
      m_options[key] = names;
      draw();
    });
  }
  m_choicesLayout->addWidget(button);
}

void ComparisonPanel::refresh() {
  m_stale = true;
  if (isVisible()) m_wait.start();
}

QString ComparisonPanel::exportStyle() const {
  return m_styleBox->currentData().toString();
}

void ComparisonPanel::setExportStyle(const QString& id) {
  if (const int index = m_styleBox->findData(id); index >= 0) m_styleBox->setCurrentIndex(index);
}

FigureRecipe ComparisonPanel::recipe() const {
  FigureRecipe recipe;
  recipe.figure = toUtf8(m_figureBox->currentData().toString());
  recipe.options = m_options;
  recipe.style = toUtf8(exportStyle());
  return recipe;
}

void ComparisonPanel::draw() {
  if (m_review->empty() || m_figureBox->currentIndex() < 0) return;
  m_stale = false;
  FigureRecipe wanted = recipe();
  const bool dark = Theme::of(palette()).dark;
  const FigureStyle style = screenStyle(dark, font().pointSizeF());
  wanted.style = toUtf8(style.id);
  const ReviewFigureInput input{m_review->review(), m_review->judgements().categories()};
  auto figure = buildReviewFigure(wanted, input);
  Status shown =
      figure.ok() ? m_canvas->setFigure(inWindowLanguage(figure->spec), style) : Status(figure.error());
  m_problem->setVisible(!shown.ok());
  m_canvas->setVisible(shown.ok());
  if (shown.ok()) m_canvas->replot();
  if (!shown.ok()) m_problem->setText(phraseText(shown.error().phrase()));
  if (figure.ok()) {
    m_canvas->setAccessibleName(phraseText(figure->spec.title));
    m_canvas->setAccessibleDescription(phraseText(figure->spec.summary));
    m_numbers->setTable(figure->table);
  }
  showAgreement();
}

void ComparisonPanel::setPairs(std::vector<ModelPair> pairs) {
  m_pairs = std::move(pairs);
  m_pairsKnown = true;
  m_pairsModel->setTable(pairsTable(*m_review, m_pairs));
}

void ComparisonPanel::showAgreement() {
  if (m_review->empty() || m_review->currentModel() < 0) return;
  m_agreement->setTable(agreementTable(*m_review, m_review->currentModel()));
  m_agreementText->setText(agreementText(*m_review, m_review->currentModel()));
}

const PaperTable& ComparisonPanel::shownTable() const {
  switch (m_tabs->currentIndex()) {
    case 0:
      return m_numbers->table();
    case 1:
      return m_pairsModel->table();
    default:
      return m_agreement->table();
  }
}

void ComparisonPanel::pickPair(const QModelIndex& index) {
  if (!index.isValid() || std::size_t(index.row()) >= m_pairs.size()) return;
  const ModelPair& pair = m_pairs[std::size_t(index.row())];
  int right = pair.first, wrong = pair.second;
  if (index.column() == kPairOnlySecond) {
    std::swap(right, wrong);
  } else if (index.column() != kPairOnlyFirst) {
    return;
  }
  const std::vector<int> examples = onlyFirstRight(*m_review, right, wrong);
  if (examples.empty()) return;
  m_review->choose(wrong, examples.front(), this);
  Q_EMIT examplesPicked(examples,
                        tr("%1 right, %2 wrong").arg(m_review->modelName(right), m_review->modelName(wrong)));
}

void ComparisonPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) refresh();
}

void ComparisonPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_stale) m_wait.start();
}

}  // namespace fathom
