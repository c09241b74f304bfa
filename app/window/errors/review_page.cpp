// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/review_page.h"

#include <QComboBox>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include "app/window/errors/errors_actions.h"
#include "app/window/jobs/job_center.h"
#include "core/review/stored_review.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_tables.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/model_pairs.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/prediction_table_model.h"

namespace fathom {

namespace {

QString pairsOwner() {
  return QStringLiteral("errors pairs");
}

}  // namespace

ReviewPage::ReviewPage(const ReviewPageParts& parts, QWidget* parent)
    : QWidget(parent),
      m_parts(parts),
      m_messages(parts.messages),
      m_review(new ReviewedPredictions(parts.selection, this)),
      m_model(new PredictionTableModel(m_review, this)),
      m_tabs(new QTabBar(this)),
      m_pages(new QStackedWidget(this)),
      m_predictions(new PredictionPanel(m_model, this)),
      m_comparison(new ComparisonPanel(m_review, this)) {
  m_predictions->setMinimumWidth(180);
  QList<QAction*> context;
  for (QAction* action : m_parts.actions->ordered())
    if (action != nullptr && action->shortcutContext() == Qt::WidgetWithChildrenShortcut)
      context.append(action);
  m_predictions->setContextActions(context);
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setAccessibleName(tr("Views of the predictions"));
  makeColumn(this, {m_tabs, {m_pages, 1}}, 0);
  connect(m_review, &ReviewedPredictions::currentChanged, this, &ReviewPage::changed);
  connect(m_review, &ReviewedPredictions::exampleChanged, this, &ReviewPage::changed);
  connect(m_review, &ReviewedPredictions::exampleChanged, this, &ReviewPage::pairsChanged);
  connect(m_predictions, &PredictionPanel::layoutChanged, this, &ReviewPage::changed);
  connect(m_comparison, &ComparisonPanel::selectionClicked, this, &ReviewPage::pickSelection);
  connect(m_comparison, &ComparisonPanel::examplesPicked, this,
          [this](const std::vector<int>& examples, const QString& title) {
            m_predictions->showPicked(examples, title);
            showPart(kReview);
          });
  connect(m_comparison, &ComparisonPanel::exportFigureRequested, this, [this] { exportFigure(); });
  connect(m_comparison, &ComparisonPanel::exportTableRequested, this, [this] { exportTable(); });
}

void ReviewPage::makeParts(QWidget* review) {
  m_pages->addWidget(review);
  m_tabs->addTab(tr("Review"));
  addPart(m_comparison, tr("Comparison"));
  leaveWithEscape(m_tabs, [this] { showPart(kReview); });
  connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
    if (index != m_pages->currentIndex()) showPart(Part(index));
  });
}

void ReviewPage::addPart(QWidget* part, const QString& title) {
  m_pages->addWidget(part);
  m_tabs->addTab(title);
  leaveWithEscape(part, [this] { showPart(kReview); });
}

void ReviewPage::setReview(std::shared_ptr<OpenReview> open, const Json& place) {
  m_review->setReview(std::move(open));
  if (empty()) return;
  showPart(kReview);
  if (place.is_object()) returnTo(place);
  m_messages.showRemarks(m_review->review().gold.notes, m_review->review().models);
  if (!m_review->canBeChanged())
    m_parts.messages->showNote(tr("The project cannot be written to: categories cannot be set."));
}

ReviewPage::Part ReviewPage::part() const {
  return Part(m_pages->currentIndex());
}

void ReviewPage::showPart(Part part) {
  m_pages->setCurrentIndex(part);
  m_tabs->setCurrentIndex(part);
  if (part == kCompare) comparePairs();
  if (part == kReview) m_predictions->table()->setFocus(Qt::OtherFocusReason);
  Q_EMIT changed();
}

void ReviewPage::nameKeys() {
  QStringList titles, tips;
  if (!empty()) {
    for (const int category : m_review->personCategories()) {
      titles.append(m_review->categoryTitle(category));
      tips.append(phraseText(m_review->kind().categories[std::size_t(category)].help));
    }
  }
  m_parts.actions->nameKeys(titles, tips);
}

void ReviewPage::refreshActions() {
  ErrorsActions* actions = m_parts.actions;
  const int model = m_review->currentModel(), example = m_review->currentExample();
  // Behind the page that opens files nobody sees what a key would change.
  const bool reviewing = !isHidden() && !empty() && model >= 0 && example >= 0 && part() == kReview;
  const bool writable = reviewing && m_review->canBeChanged();
  const bool wrong = reviewing && m_review->isWrong(model, example);
  const bool human = reviewing && m_review->isHuman(model, example);
  nameKeys();
  const std::vector<int> categories = empty() ? std::vector<int>() : m_review->personCategories();
  const QList<QAction*> keyed = actions->keyed();
  for (std::size_t i = 0; i < std::size_t(keyed.size()); ++i) {
    keyed[qsizetype(i)]->setEnabled(writable && wrong);
    keyed[qsizetype(i)]->setChecked(wrong && human && i < categories.size() &&
                                    m_review->category(model, example) == categories[i]);
  }
  actions->enable({"errors.clear"}, writable && human);
  actions->enable({"errors.note"}, writable);
  actions->enable({"errors.next", "errors.previous"}, reviewing);
  actions->enable({"errors.review", "errors.compare", "errors.export_figure", "errors.export_table"},
                  !empty());
  actions->enable({"errors.facets"}, reviewing);
  actions->action(QStringLiteral("errors.facets"))->setChecked(m_predictions->facetButton()->isChecked());
  actions->enable({"errors.pin", "errors.edit", "errors.alone", "errors.revert", "errors.try", "errors.ask",
                   "errors.predict", "errors.original"},
                  false);
  refreshOwnActions(reviewing, writable);
}

void ReviewPage::setCategory(int number) {
  if (empty() || !m_review->canBeChanged()) return;
  const std::vector<int> categories = m_review->personCategories();
  const int model = m_review->currentModel(), example = m_review->currentExample();
  if (std::size_t(number) >= categories.size()) return;
  if (!m_messages.canHaveCategory(m_review->isWrong(model, example)) || !canJudge()) return;
  m_messages.goOn(m_review->setCategory(model, example, categories[std::size_t(number)], notes()->note()),
                  m_predictions);
  refreshActions();  // what was clicked is marked only where it counts
}

void ReviewPage::clearCategory() {
  if (empty() || !m_review->canBeChanged() || !canJudge()) return;
  m_messages.report(m_review->clearCategory(m_review->currentModel(), m_review->currentExample()));
}

void ReviewPage::goWrong(int direction) {
  if (!empty()) m_messages.goWrong(direction, m_predictions);
}

void ReviewPage::toggleFacets() {
  m_predictions->facetButton()->click();
}

void ReviewPage::editNote() {
  notes()->edit();
}

Json ReviewPage::savePlace() const {
  if (empty() || m_review->currentModel() < 0) return nullptr;
  Json place = {{"model", toUtf8(m_review->modelName(m_review->currentModel()))},
                {"example", m_review->currentExample()},
                {"filter", m_predictions->saveFilter()},
                {"part", int(part())},
                {"figure", toUtf8(m_comparison->figureBox()->currentData().toString())}};
  savePlaceOf(place);
  return place;
}

// The predictions of the last session open where they were left; others open at their beginning.
void ReviewPage::returnTo(const Json& place) {
  const QString name = fromUtf8(place.value("model", std::string()));
  for (int model = 0; model < m_review->models(); ++model) {
    if (m_review->modelName(model) != name) continue;
    m_review->place(model, place.value("example", -1));
    m_predictions->restoreFilter(place.value("filter", Json()));
    m_comparison->chooseFigure(fromUtf8(place.value("figure", std::string())));
    if (place.value("part", 0) == int(kCompare)) showPart(kCompare);
    returnToPlaceOf(place);
    return;
  }
}

// A person judged: what is compared or was compared is not so any more.
void ReviewPage::pairsChanged() {
  m_parts.jobs->cancelOwner(pairsOwner());
  m_comparison->pairs()->forget();
  if (part() == kCompare) comparePairs();
}

void ReviewPage::comparePairs() {
  if (m_comparison->hasPairs() || m_review->models() < 2) return;
  const auto shared = m_review->sharedReview();
  m_parts.jobs->start<JudgedPairs>(
      tr("Comparing models"), pairsOwner(),
      [shared, judged = judgedReview(*shared, m_review->judgements())](Progress&,
                                                                       const StopToken& stop) mutable {
        return compareJudged(*shared, std::move(judged), stop);
      },
      [this, of = shared.get()](Result<JudgedPairs> pairs) {
        if (pairs.ok() && !empty() && &m_review->review() == of)
          m_comparison->pairs()->setPairs(std::move(pairs).value());
      });
}

// A mark of a figure and a cell of a table stand for a model, one of its categories, or a set of examples.
void ReviewPage::pickSelection(const QString& text, const QString& title) {
  const auto named = Selection::fromText(text);
  if (!named.ok()) {
    m_messages.report(named.error());
    return;
  }
  m_messages.report(m_parts.selection->apply(text, m_comparison));
  std::vector<int> examples;
  for (const QString& item : named->of(Dimension::Example).items)
    if (item.toInt() < m_review->examples()) examples.push_back(item.toInt());
  const QString category = named->current(Dimension::Category);
  const QString of = named->of(Dimension::PredictionSet).items.join(QStringLiteral(", "));
  if (!examples.empty()) {
    m_predictions->showPicked(examples, !title.isEmpty() ? title
                                        : of.isEmpty()   ? tr("chosen in the figure")
                                                         : tr("chosen for %1").arg(of));
  } else if (!category.isEmpty()) {
    m_predictions->showCategory(category);
  } else {
    m_predictions->showAll();
  }
  showPart(kReview);
}

ReviewExport ReviewPage::exporter() const {
  return {m_messages, m_parts.files, m_parts.window};
}

void ReviewPage::exportFigure(const QString& file) {
  if (empty()) return;
  ReviewExport::Figure figure;
  figure.recipe = m_comparison->recipe();
  figure.review = [this](const std::string& name) {
    return storedReviewOf(m_review->review(), name).toJson();
  };
  figure.keep = [this](FigureRecipe& recipe) {
    return ReviewExport::keepRecipe(m_review->library(), recipe);
  };
  figure.write = [this](const FigureRecipe& recipe, const std::string& path) {
    const Judgements& judgements = m_review->judgements();
    return exportReviewRecipe(recipe, {m_review->review(), judgements.categories(), &judgements}, path);
  };
  exporter().writeFigure(std::move(figure), file);
}

void ReviewPage::exportTable(const QString& file) {
  if (empty()) return;
  const bool list = exportsList() && part() != kCompare;
  const auto table = [this, list] {
    return list ? examplesTable(m_review->review(), m_review->judgements().categories(),
                                m_model->filter().rows())
                : m_comparison->shownTable();
  };
  exporter().writeTable(table, list ? QStringLiteral("examples.csv") : QStringLiteral("table.tex"), file);
}

void ReviewPage::undo() {
  keep();
  m_messages.report(m_review->undo());
}

void ReviewPage::redo() {
  m_messages.report(m_review->redo());
}

void ReviewPage::focusFilter() {
  m_predictions->filterBox()->setFocus(Qt::ShortcutFocusReason);
  m_predictions->filterBox()->selectAll();
}

QList<QWidget*> ReviewPage::places() const {
  if (part() == kCompare) return {m_comparison};
  return placesOf(part());
}

QStringList ReviewPage::helpPages() const {
  QStringList pages = helpOfKind();
  if (!empty() && part() == kCompare) pages.prepend(fromUtf8(m_comparison->recipe().figure));
  return pages;
}

}  // namespace fathom
