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

#include <algorithm>

#include "views/figure/figure_style.h"
#include "views/figures/review_tables.h"
#include "views/look/engine_text.h"
#include "views/look/figure_language.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/errors/leading_cells.h"
#include "views/panels/errors/model_pairs.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/mark_canvas_view.h"
#include "views/panels/widgets/natural_split.h"
#include "views/tables/paper/agreement_table.h"
#include "views/tables/paper/paper_table_model.h"
#include "views/tables/prediction_table_model.h"

namespace fathom {

namespace {
constexpr int kDrawMilliseconds = 60;
constexpr int kWidestComparisonColumn = 320;
constexpr int kTickedAtFirst = 4;
constexpr int kTablesWidth = 480;
constexpr QSizeF kUsualFigure(900, 700);
constexpr double kMostZoom = 1.8;
enum ComparisonTab { kScores, kNumbers };  // the first two, in the order of addTables()
}  // namespace

ComparisonPanel::ComparisonPanel(ReviewedPredictions* review, QWidget* parent)
    : QWidget(parent),
      m_figureBox(new QComboBox(this)),
      m_choices(new QWidget(this)),
      m_choicesLayout(new QHBoxLayout(m_choices)),
      m_reviewed(review),
      m_styleBox(exportStyleChoice(this, tr("Style of the exported figure"),
                                   tr("Width, fonts and sizes of the exported figure"))),
      m_problem(wrappedLabel(this)),
      m_canvas(new MarkCanvasView(this)),
      m_tabs(new QTabWidget(this)),
      m_numbers(new PaperTableModel(this)),
      m_pairs(new ModelPairs(review, this)),
      m_scores(new PaperTableModel(this)),
      m_agreement(new PaperTableModel(this)),
      m_agreementText(wrappedLabel(this)) {
  m_figureBox->setAccessibleName(tr("Figure"));
  m_choicesLayout->setContentsMargins(0, 0, 0, 0);
  auto* split = new QSplitter(Qt::Horizontal, this);
  fillSplitter(split, {{makeFigureSide(), 1}, makeTableSide()}, {700, kTablesWidth});
  // A figure much wider than high says no more; the columns of the tables do.
  new NaturalSplit(split, [split] { return qMin(split->height() * 5 / 4, split->width() - kTablesWidth); },
                   {.least = 0.4, .most = 0.75});
  makeColumn(this, {{split, 1}}, kStyleGap,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  m_wait.setSingleShot(true);
  m_wait.setInterval(kDrawMilliseconds);
  connect(&m_wait, &QTimer::timeout, this, &ComparisonPanel::draw);
  connect(m_canvas, &MarkCanvasView::clicked, this,
          [this](const QString& selection) { Q_EMIT selectionClicked(selection, {}); });
  connect(m_pairs, &ModelPairs::examplesPicked, this, &ComparisonPanel::examplesPicked);
  connect(m_figureBox, &QComboBox::currentIndexChanged, this, [this] {
    makeChoices();
    draw();
  });
  addTables();
  connect(review, &ReviewedPredictions::reviewChanged, this, &ComparisonPanel::restart);
  connect(review, &ReviewedPredictions::exampleChanged, this, &ComparisonPanel::refresh);
  connect(review, &ReviewedPredictions::currentChanged, this, &ComparisonPanel::refresh);
}

void ComparisonPanel::restart() {
  const bool empty = m_reviewed->empty();
  m_pairs->forget();
  setEntries(empty ? std::vector<FigureEntry>() : figuresOfKind(m_reviewed->kind()));
  makeChoices();
  m_scores->setTable(empty ? PaperTable() : scoresTable(m_reviewed->review()),
                     empty ? CellSelections() : scoresCells(m_reviewed->review()));
  // One score is what every figure says; the numbers of the figure say more.
  if (!empty)
    m_tabs->setCurrentIndex(m_reviewed->review().models.front().scores.size() > 1 ? kScores : kNumbers);
  refresh();
}

QWidget* ComparisonPanel::makeFigureSide() {
  auto* side = new QWidget(this);
  m_figureSide = side;
  side->installEventFilter(this);
  m_problem->hide();
  auto* exportFigure = new QPushButton(icon(QStringLiteral("export")), tr("Export figure…"), side);
  exportFigure->setToolTip(tr("PDF, SVG, PNG or PGF; the recipe is kept in the project"));
  connect(exportFigure, &QPushButton::clicked, this, &ComparisonPanel::exportFigureRequested);
  auto* top = makeRow({m_figureBox, {m_choices, 1}});
  auto* bottom = makeRow({BoxPart::stretch(1), m_styleBox, exportFigure});
  makeColumn(side, {top, m_problem, {m_canvas, 1}, BoxPart::stretch(), bottom}, metrics::kGrid);
  m_canvas->setMinimumSize(200, 160);
  return side;
}

QWidget* ComparisonPanel::makeTableSide() {
  auto* side = new QWidget(this);
  m_tabs->setDocumentMode(true);
  m_tabs->setUsesScrollButtons(false);
  m_tabs->setElideMode(Qt::ElideRight);
  auto* exportTable = new QPushButton(icon(QStringLiteral("export")), tr("Export table…"), side);
  exportTable->setToolTip(tr("LaTeX, CSV or Markdown, by the ending of the name"));
  connect(exportTable, &QPushButton::clicked, this, &ComparisonPanel::exportTableRequested);
  m_tabs->setCornerWidget(exportTable);
  makeColumn(side, {{m_tabs, 1}});
  return side;
}

void ComparisonPanel::addTable(PaperTableModel* model, const QString& name, const QString& title,
                               QLabel* above) {
  QTableView* table = compactTable(model, name, m_tabs);
  QWidget* page = table;
  if (above != nullptr) {
    page = new QWidget(m_tabs);
    makeColumn(page, {above, {table, 1}}, kStyleGap, {0, metrics::kGrid, 0, 0});
  }
  addTab(page, title, table, model);
  connect(new LeadingCells(table), &LeadingCells::chosen, this,
          [this](const QModelIndex&, const QString& selection, const QString& words) {
            Q_EMIT selectionClicked(selection, words);
          });
}

void ComparisonPanel::addTab(QWidget* page, const QString& title, QTableView* table, PaperTableModel* model) {
  connect(model, &QAbstractItemModel::modelReset, table,
          [table] { fitColumns(table, kWidestComparisonColumn); });
  m_tabs->setTabToolTip(m_tabs->addTab(page, title), title);
  m_tables.push_back(model);
}

void ComparisonPanel::addTables() {
  addTable(m_scores, tr("Scores"), tr("Scores"));
  addTable(m_numbers, tr("Numbers of the figure"), tr("Numbers"));
  addTab(m_pairs, tr("Pairs"), m_pairs->table(), m_pairs->model());
  addTable(m_agreement, tr("Program and person"), tr("Program and person"), m_agreementText);
}

void ComparisonPanel::setEntries(std::vector<FigureEntry> entries) {
  const QSignalBlocker quiet(m_figureBox);
  m_entries = std::move(entries);
  m_figureBox->clear();
  for (const FigureEntry& entry : m_entries)
    m_figureBox->addItem(engineText(entry.title), fromUtf8(entry.id));
  m_numbers->setTable({});
}

const FigureEntry* ComparisonPanel::entry() const {
  const int index = m_figureBox->currentIndex();
  return index < 0 ? nullptr : &m_entries[std::size_t(index)];
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

void ComparisonPanel::chooseFigure(const QString& id) {
  if (const int index = m_figureBox->findData(id); index >= 0) m_figureBox->setCurrentIndex(index);
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
  recipe.style = toUtf8(exportStyle());
  recipe.options = m_options;
  const auto system = [](const OptionField& field) { return field.key == "system"; };
  if (entry() == nullptr || m_reviewed->currentModel() < 0) return recipe;
  if (std::any_of(entry()->fields.begin(), entry()->fields.end(), system))
    recipe.options["system"] = toUtf8(m_reviewed->modelName(m_reviewed->currentModel()));
  return recipe;
}

// By what examples are grouped, and what is averaged over them: the first one is what the figure takes.
std::vector<OptionChoice> ComparisonPanel::choicesOf(const OptionField& field) const {
  if (m_reviewed->empty()) return field.choices;
  const auto& facets = m_reviewed->review().facets;
  if (field.key == "number") return numberChoices();
  if (field.key == "facet") {
    std::vector<OptionChoice> choices;
    for (const ReviewFacet& facet : facets)
      if (!facet.ofExample.empty()) choices.push_back({facet.id, facet.title.english()});
    return choices;
  }
  std::vector<OptionChoice> choices = field.choices;
  if (field.key == "by")  // a facet that examples of this kind may not have
    std::erase_if(choices, [&facets](const OptionChoice& choice) {
      return choice.id != "model" &&
             std::none_of(facets.begin(), facets.end(),
                          [&](const ReviewFacet& facet) { return facet.id == choice.id; });
    });
  return choices;
}

std::vector<OptionChoice> ComparisonPanel::numberChoices() const {
  std::vector<OptionChoice> choices;
  for (const ReviewNumber& number : m_reviewed->kind().numbers)
    choices.push_back({number.id, number.title.english()});
  const bool first = m_reviewed->kind().test == PairTest::McNemar;
  choices.insert(first ? choices.begin() : choices.end(),
                 {"right", Phrase(Phrase::tr("right, %")).english()});
  return choices;
}

void ComparisonPanel::makeChoices() {
  m_options = Json::object();
  clearLayout(m_choicesLayout);
  m_system = nullptr;
  if (entry() == nullptr) return;
  for (const OptionField& field : entry()->fields) {
    const std::vector<OptionChoice> choices = choicesOf(field);
    if (choices.size() > 1) addChoice(field, choices);
    if (field.key == "system") addSystem(field);
    if (field.type == OptionType::TextList) addSystems(field);
  }
  m_choicesLayout->addStretch(1);
}

void ComparisonPanel::addChoice(const OptionField& field, const std::vector<OptionChoice>& choices) {
  auto* box = new QComboBox(m_choices);
  box->setAccessibleName(engineText(field.title));
  box->setToolTip(engineText(field.help));
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const OptionChoice& choice : choices) box->addItem(engineText(choice.title), fromUtf8(choice.id));
  if (field.defaultValue.is_string())
    box->setCurrentIndex(qMax(0, box->findData(fromUtf8(field.defaultValue.get<std::string>()))));
  connect(box, &QComboBox::currentIndexChanged, this, [this, box, key = field.key] {
    m_options[key] = toUtf8(box->currentData().toString());
    draw();
  });
  m_choicesLayout->addWidget(box);
}

// A figure of one model says of which one, and shows another: that one is looked at then everywhere.
void ComparisonPanel::addSystem(const OptionField& field) {
  auto* title = new QLabel(engineText(field.title), m_choices);
  m_system = new QComboBox(m_choices);
  m_system->setObjectName(QStringLiteral("figureSystem"));
  m_system->setAccessibleName(title->text());
  m_system->setToolTip(tr("The model whose predictions the figure shows"));
  m_system->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  title->setBuddy(m_system);
  for (int m = 0; m < m_reviewed->models(); ++m)
    m_system->addItem(
        QStringLiteral("%1  %2").arg(PredictionTableModel::modelLetter(m), m_reviewed->modelName(m)));
  m_system->setCurrentIndex(m_reviewed->currentModel());
  connect(m_system, &QComboBox::activated, this,
          [this](int model) { m_reviewed->choose(model, m_reviewed->currentExample(), this); });
  m_choicesLayout->addWidget(title);
  m_choicesLayout->addWidget(m_system);
}

// Which models a figure is about that cannot show all: a menu to tick. Nothing ticked by hand: the first
// four.
void ComparisonPanel::addSystems(const OptionField& field) {
  auto* button = new QToolButton(m_choices);
  button->setText(engineText(field.title));
  button->setToolTip(engineText(field.help));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setVisible(m_reviewed->models() > 2);
  auto* menu = new QMenu(button);
  button->setMenu(menu);
  for (int m = 0; m < m_reviewed->models(); ++m) {
    QAction* action = menu->addAction(m_reviewed->modelName(m));
    action->setCheckable(true);
    action->setChecked(m < kTickedAtFirst);
    action->setData(m);
    connect(action, &QAction::toggled, this, [this, menu, key = field.key] {
      Json names = Json::array();
      for (const QAction* each : menu->actions())
        if (each->isChecked()) names.push_back(toUtf8(m_reviewed->modelName(each->data().toInt())));
      m_options[key] = names;
      draw();
    });
  }
  m_choicesLayout->addWidget(button);
}

void ComparisonPanel::draw() {
  if (m_reviewed->empty() || entry() == nullptr) return;
  m_stale = false;
  FigureRecipe wanted = recipe();
  m_zoom = zoom();
  QFont zoomed = font();
  zoomed.setPointSizeF(font().pointSizeF() * m_zoom);
  const FigureStyle style = screenStyle(Theme::of(palette()).dark, zoomed);
  wanted.style = toUtf8(style.id);
  const Judgements& judgements = m_reviewed->judgements();
  auto figure = buildReviewFigure(wanted, {m_reviewed->review(), judgements.categories(), &judgements});
  const Status shown =
      figure.ok() ? m_canvas->setFigure(inWindowLanguage(figure->spec), style) : Status(figure.error());
  m_problem->setVisible(!shown.ok());
  m_canvas->setVisible(shown.ok());
  if (shown.ok()) {
    limitTable(figure->spec);
    m_canvas->replot();
    m_canvas->setAccessibleName(phraseText(figure->spec.title));
    m_canvas->setAccessibleDescription(phraseText(figure->spec.summary));
  } else {
    m_problem->setText(phraseText(shown.error().phrase()));
  }
  if (m_system != nullptr) m_system->setCurrentIndex(m_reviewed->currentModel());
  m_numbers->setTable(figure.ok() ? figure->table : PaperTable(),
                      figure.ok() ? figure->cells : CellSelections());
  showAgreement();
}

// Letters of a figure grow with a large place, or its numbers are lost between them.
double ComparisonPanel::zoom() const {
  const QSizeF place = m_figureSide->size();
  return qBound(1.0, qMin(place.width() / kUsualFigure.width(), place.height() / kUsualFigure.height()),
                kMostZoom);
}

// A table among the figures is as high as in a paper: rows far apart are hard to read.
void ComparisonPanel::limitTable(const FigureSpec& spec) {
  int most = QWIDGETSIZE_MAX;
  const auto paper = figureStyle(m_styleBox->currentData().toString());
  if (entry()->isTable && paper.ok()) {
    const FigureSize size = figureSize(spec, *paper);
    most = qRound(m_figureSide->width() * size.heightMm / size.widthMm);
  }
  m_canvas->setMaximumHeight(qMax(most, m_canvas->minimumHeight()));
}

bool ComparisonPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_figureSide && event->type() == QEvent::Resize && entry() != nullptr &&
      (entry()->isTable || zoom() != m_zoom))
    refresh();
  return QWidget::eventFilter(watched, event);
}

bool ComparisonPanel::hasPairs() const {
  return m_pairs->known();
}

void ComparisonPanel::showAgreement() {
  const int model = m_reviewed->currentModel();
  if (model < 0) return;
  m_agreement->setTable(agreementTable(*m_reviewed, model), agreementCells(*m_reviewed, model));
  m_agreementText->setText(agreementText(*m_reviewed, model));
}

const PaperTable& ComparisonPanel::shownTable() const {
  return m_tables[std::size_t(qMax(0, m_tabs->currentIndex()))]->table();
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
