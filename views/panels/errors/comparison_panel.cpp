// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/comparison_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "views/look/engine_text.h"
#include "views/panels/widgets/controls.h"
#include "views/tables/paper_table_model.h"

namespace fathom {

namespace {
constexpr int kTickedAtFirst = 4;
}

ComparisonPanel::ComparisonPanel(ErrorReview* review, QWidget* parent)
    : ReviewComparison(review, parent),
      m_review(review),
      m_choicesLayout(new QHBoxLayout(m_choices)),
      m_agreement(new PaperTableModel(this)),
      m_agreementText(wrappedLabel(this)) {
  m_choicesLayout->setContentsMargins(0, 0, 0, 0);
  std::vector<FigureEntry> entries;
  for (const FigureEntry& entry : figures())
    if (entry.buildReview) entries.push_back(entry);
  setEntries(std::move(entries));
  addNumbers();
  addPairs();
  addTable(m_agreement, tr("Program and person"), tr("Program and person"), m_agreementText);
  connect(m_figureBox, &QComboBox::currentIndexChanged, this, [this] {
    m_options = Json::object();
    makeChoices();
    draw();
  });
  connect(review, &ErrorReview::reviewChanged, this, [this] {
    forgetPairs();
    m_options = Json::object();
    makeChoices();  // the names of the models are among them
    refresh();
  });
  connect(review, &ErrorReview::exampleChanged, this, &ComparisonPanel::refresh);
  connect(review, &ErrorReview::currentChanged, this, &ComparisonPanel::showMore);
  makeChoices();
}

// A box for every choice of the figure; lengths are for the command export-figure.
void ComparisonPanel::makeChoices() {
  clearLayout(m_choicesLayout);
  if (entry() == nullptr) return;
  for (const OptionField& field : entry()->fields) {
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

FigureRecipe ComparisonPanel::recipe() const {
  FigureRecipe recipe = ReviewComparison::recipe();
  recipe.options = m_options;
  return recipe;
}

Result<ReviewFigure> ComparisonPanel::build(const FigureRecipe& recipe) const {
  return buildReviewFigure(recipe, {m_review->review(), m_review->judgements().categories()});
}

void ComparisonPanel::setPairs(std::vector<ModelPair> pairs) {
  m_pairs = std::move(pairs);
  showPairs(pairsTable(*m_review, m_pairs));
}

std::pair<int, int> ComparisonPanel::modelsOfPair(std::size_t row) const {
  return {m_pairs[row].first, m_pairs[row].second};
}

std::vector<int> ComparisonPanel::onlyRight(int right, int wrong) const {
  return onlyFirstRight(*m_review, right, wrong);
}

void ComparisonPanel::showMore() {
  if (m_review->empty() || m_review->currentModel() < 0) return;
  m_agreement->setTable(agreementTable(*m_review, m_review->currentModel()));
  m_agreementText->setText(agreementText(*m_review, m_review->currentModel()));
}

}  // namespace fathom
