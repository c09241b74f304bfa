// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/kind_review_page.h"

#include <QLineEdit>
#include <QSplitter>
#include <QTableView>

#include "app/window/errors/errors_actions.h"
#include "app/window/jobs/job_center.h"
#include "core/review/stored_review.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_tables.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/kind_example_panel.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/natural_split.h"
#include "views/panels/widgets/steady_tabs.h"
#include "views/tables/prediction_table_model.h"

namespace fathom {

KindReviewPage::KindReviewPage(JobCenter* jobs, MessageBar* messages, FileChoice* files,
                               SelectionModel* selection, ErrorsActions* actions, QWidget* parent)
    : QWidget(parent),
      m_jobs(jobs),
      m_talk(messages, files, this),
      m_selection(selection),
      m_actions(actions),
      m_review(new ReviewedPredictions(selection, this)),
      m_model(new PredictionTableModel(m_review, this)),
      m_tabs(new SteadyTabs(this)),
      m_predictions(new PredictionPanel(m_model, this)),
      m_example(new KindExamplePanel(m_review, this)),
      m_comparison(new ComparisonPanel(m_review, this)) {
  auto* columns = new QSplitter(Qt::Horizontal, this);
  fillSplitter(columns, {m_predictions, {m_example, 1}}, {460, 750});
  new NaturalSplit(columns, [this] { return predictionsWidth(); }, {.least = 0.2, .most = 0.6});
  m_predictions->setMinimumWidth(180);
  m_example->setMinimumWidth(280);
  m_tabs->addTab(columns, tr("Review"));
  m_tabs->addTab(m_comparison, tr("Comparison"));
  m_tabs->setDocumentMode(true);
  leaveWithEscape(m_comparison, [this] { showReview(); });
  makeColumn(this, {{m_tabs, 1}}, 0);
  m_example->setActions(m_actions->keyed(), m_actions->action(QStringLiteral("errors.clear")),
                        m_actions->action(QStringLiteral("errors.previous")),
                        m_actions->action(QStringLiteral("errors.next")),
                        m_actions->action(QStringLiteral("errors.pin")));
  connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
    if (comparing()) comparePairs();
    Q_EMIT changed();
  });
  connect(m_example, &KindExamplePanel::failed, this, [this](const Error& error) { m_talk.report(error); });
  connect(m_review, &ReviewedPredictions::currentChanged, this, &KindReviewPage::changed);
  connect(m_review, &ReviewedPredictions::exampleChanged, this, &KindReviewPage::changed);
  connect(m_comparison, &ComparisonPanel::selectionClicked, this, &KindReviewPage::pickSelection);
  connect(m_comparison, &ComparisonPanel::examplesPicked, this,
          [this](const std::vector<int>& examples, const QString& title) {
            m_predictions->showPicked(examples, title);
            showReview();
          });
  connect(m_comparison, &ComparisonPanel::exportFigureRequested, this, [this] { exportFigure(); });
  connect(m_comparison, &ComparisonPanel::exportTableRequested, this, [this] { exportTable(); });
}

// An example has a few lines: in a wide window the list of all of them has the room, with its facets beside.
int KindReviewPage::predictionsWidth() {
  constexpr int kWideCharacters = 260;
  const bool wide = width() >= kWideCharacters * fontMetrics().averageCharWidth();
  m_predictions->setFacetsBeside(wide);
  return wide ? width() * 3 / 5 : qMin(m_predictions->naturalWidth(), width() * 2 / 5);
}

void KindReviewPage::setReview(std::shared_ptr<OpenReview> open) {
  m_review->setReview(std::move(open));
  if (m_review->empty()) return;
  showReview();
  m_talk.showRemarks(m_review->review().gold.notes, m_review->review().models);
}

void KindReviewPage::showReview() {
  m_tabs->setCurrentIndex(0);
  m_predictions->table()->setFocus(Qt::OtherFocusReason);
}

void KindReviewPage::showComparison() {
  m_tabs->setCurrentIndex(1);
  comparePairs();
}

bool KindReviewPage::comparing() const {
  return m_tabs->currentIndex() == 1;
}

void KindReviewPage::refreshActions() {
  const bool reviewing = !m_review->empty() && m_review->currentModel() >= 0 && !comparing();
  const bool writable = reviewing && m_review->canBeChanged();
  const int model = m_review->currentModel(), example = m_review->currentExample();
  const bool wrong = reviewing && m_review->isWrong(model, example);
  const std::vector<int> categories = m_review->personCategories();
  m_actions->nameKeys(
      [&] {
        QStringList titles;
        for (const int category : categories) titles.append(m_review->categoryTitle(category));
        return titles;
      }(),
      [&] {
        QStringList tips;
        for (const int category : categories)
          tips.append(phraseText(m_review->kind().categories[std::size_t(category)].help));
        return tips;
      }());
  const QList<QAction*> keyed = m_actions->keyed();
  for (qsizetype i = 0; i < keyed.size(); ++i) {
    keyed[i]->setEnabled(writable && wrong);
    keyed[i]->setChecked(wrong && m_review->isHuman(model, example) && std::size_t(i) < categories.size() &&
                         m_review->category(model, example) == categories[std::size_t(i)]);
  }
  m_actions->enable({"errors.clear"}, reviewing && writable && m_review->isHuman(model, example));
  m_actions->enable({"errors.note", "errors.pin"}, reviewing);
  m_actions->enable({"errors.next", "errors.previous"}, reviewing);
  m_actions->enable({"errors.review", "errors.compare", "errors.export_figure", "errors.export_table"},
                    !m_review->empty());
  m_actions->enable(
      {"errors.edit", "errors.revert", "errors.try", "errors.ask", "errors.predict", "errors.original"},
      false);
}

void KindReviewPage::setCategory(int number) {
  const std::vector<int> categories = m_review->personCategories();
  if (m_review->empty() || !m_review->canBeChanged() || std::size_t(number) >= categories.size()) return;
  const int model = m_review->currentModel(), example = m_review->currentExample();
  if (!m_talk.canHaveCategory(m_review->isWrong(model, example))) return;
  const int category = categories[std::size_t(number)];
  m_talk.goOn(m_review->setCategory(model, example, category, m_example->notes()->note()), m_predictions);
  refreshActions();  // what was clicked is marked only where it counts
}

Json KindReviewPage::savePlace() const {
  if (m_review->empty() || m_review->currentModel() < 0) return nullptr;
  return {{"model", toUtf8(m_review->modelName(m_review->currentModel()))},
          {"example", m_review->currentExample()},
          {"filter", m_predictions->saveFilter()},
          {"part", m_tabs->currentIndex()},
          {"figure", toUtf8(m_comparison->figureBox()->currentData().toString())}};
}

void KindReviewPage::returnTo(const Json& place) {
  if (!place.is_object()) return;
  const QString name = fromUtf8(place.value("model", std::string()));
  for (int model = 0; model < m_review->models(); ++model) {
    if (m_review->modelName(model) != name) continue;
    m_review->place(model, place.value("example", -1));
    m_predictions->restoreFilter(place.value("filter", Json()));
    m_comparison->chooseFigure(fromUtf8(place.value("figure", std::string())));
    if (place.value("part", 0) == 1) showComparison();
    return;
  }
}

void KindReviewPage::clearCategory() {
  if (m_review->empty() || !m_review->canBeChanged()) return;
  m_talk.report(m_review->clearCategory(m_review->currentModel(), m_review->currentExample()));
}

void KindReviewPage::goWrong(int direction) {
  if (!m_review->empty()) m_talk.goWrong(direction, m_predictions);
}

void KindReviewPage::comparePairs() {
  if (m_comparison->hasPairs() || m_review->models() < 2) return;
  const auto shared = m_review->sharedReview();
  m_jobs->start<std::vector<ReviewPair>>(
      tr("Comparing models"), QStringLiteral("errors kind pairs"),
      [shared](Progress&, const StopToken& stop) { return fathom::comparePairs(*shared, stop); },
      [this, of = shared.get()](Result<std::vector<ReviewPair>> pairs) {
        if (pairs.ok() && !m_review->empty() && &m_review->review() == of)
          m_comparison->setPairs(std::move(pairs).value());
      });
}

void KindReviewPage::pickSelection(const QString& text) {
  const auto named = Selection::fromText(text);
  if (!named.ok()) {
    m_talk.report(named.error());
    return;
  }
  std::vector<int> examples;
  for (const QString& item : named->of(Dimension::Example).items)
    if (item.toInt() < m_review->examples()) examples.push_back(item.toInt());
  m_talk.report(m_selection->apply(text, m_comparison));
  if (!examples.empty())
    m_predictions->showPicked(
        examples,
        tr("chosen for %1").arg(named->of(Dimension::PredictionSet).items.join(QStringLiteral(", "))));
  showReview();
}

void KindReviewPage::exportFigure(const QString& file) {
  if (m_review->empty()) return;
  ReviewTalk::Figure figure;
  figure.recipe = m_comparison->recipe();
  figure.review = [this](const std::string& name) {
    return storedReviewOf(m_review->review(), name).toJson();
  };
  figure.keep = [this](FigureRecipe& recipe) { return ReviewTalk::keepRecipe(m_review->library(), recipe); };
  figure.write = [this](const FigureRecipe& recipe, const std::string& path) {
    return exportReviewRecipe(recipe, {m_review->review(), m_review->judgements().categories()}, path);
  };
  m_talk.exportFigure(std::move(figure), file);
}

void KindReviewPage::exportTable(const QString& file) {
  if (m_review->empty()) return;
  // Of the comparison that is shown, else the examples of the list.
  const auto table = [this] {
    return comparing() ? m_comparison->shownTable()
                       : examplesTable(m_review->review(), m_review->judgements().categories(),
                                       m_model->filter().rows());
  };
  m_talk.exportTable(table, comparing() ? QStringLiteral("table.tex") : QStringLiteral("examples.csv"), file);
}

void KindReviewPage::undo() {
  m_example->notes()->keep();
  m_talk.report(m_review->undo());
}

void KindReviewPage::redo() {
  m_talk.report(m_review->redo());
}

void KindReviewPage::focusFilter() {
  m_predictions->filterBox()->setFocus(Qt::ShortcutFocusReason);
  m_predictions->filterBox()->selectAll();
}

void KindReviewPage::keep() {
  m_example->notes()->keep();
}

QList<QWidget*> KindReviewPage::places() const {
  if (comparing()) return {m_comparison};
  return {m_predictions, m_example};
}

}  // namespace fathom
