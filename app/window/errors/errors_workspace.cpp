// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/errors_workspace.h"

#include <QEvent>
#include <QLineEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>

#include "app/window/errors/errors_actions.h"
#include "app/window/errors/hypothesis_loader.h"
#include "app/window/errors/kind_review_page.h"
#include "app/window/errors/prediction_tries.h"
#include "app/window/errors/query_runner.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/hypothesis_panel.h"
#include "views/panels/errors/kind_example_panel.h"
#include "views/panels/errors/kind_open_page.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/open_predictions_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/schema_panel.h"
#include "views/panels/errors/try_panel.h"
#include "views/panels/linking/link_matrix.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/natural_split.h"
#include "views/panels/widgets/progress_page.h"
#include "views/panels/widgets/side_or_tab.h"
#include "views/tables/prediction_table_model.h"
#include "views/tables/sql_predictions.h"

namespace fathom {

namespace {

// Room for schema and results beside the example, in characters and lines, so that larger texts have larger
// places; where there is less they are tabs of the example.
constexpr int kCharactersForSchema = 96, kLinesForResults = 35;

}  // namespace

ErrorsWorkspace::ErrorsWorkspace(ProjectService* service, JobCenter* jobs, MessageBar* messages,
                                 FileChoice* files, SelectionModel* selection, ErrorsActions* actions,
                                 QWidget* window)
    : Workspace(window),
      m_service(service),
      m_jobs(jobs),
      m_messages(messages),
      m_files(files),
      m_talk(messages, files, window),
      m_window(window),
      m_review(new ReviewedPredictions(selection, this)),
      m_model(new PredictionTableModel(m_review, this)),
      m_widget(new QWidget(window)),
      m_tabs(new QTabBar(m_widget)),
      m_pages(new QStackedWidget(m_widget)),
      m_empty(new EmptyState(m_pages)),
      m_progress(new ProgressPage(m_pages)),
      m_openPage(new OpenPredictionsPage(m_pages)),
      m_columns(new QSplitter(Qt::Horizontal, m_pages)),
      m_predictions(new PredictionPanel(m_model, m_columns)),
      m_detail(new QSplitter(Qt::Vertical, m_columns)),
      m_above(new QSplitter(Qt::Horizontal, m_detail)),
      m_example(new ExamplePanel(m_review, m_above)),
      m_schema(new SchemaPanel(m_pages)),
      m_results(new ResultsPanel(m_pages)),
      m_hypotheses(new HypothesisPanel(m_review, m_example)),
      m_comparison(new ComparisonPanel(m_review, m_pages)),
      m_try(new TryPanel(m_review, m_pages)),
      m_openKind(new KindOpenPage(m_pages)),
      m_kind(new KindReviewPage(jobs, messages, files, selection, actions, m_pages)),
      m_runner(new QueryRunner(jobs, QStringLiteral("errors results"), QuerySides::GoldAndPrediction, this)),
      m_tries(new PredictionTries(jobs, m_review, m_try, this)),
      m_loader(new HypothesisLoader(jobs, this)),
      m_selection(selection),
      m_actions(actions) {
  makePages();
  connectOpenPage();
  connectPanels();
  connectHypotheses();
  connectKinds();
  connect(m_example, &ExamplePanel::failed, this, [this](const Error& error) { m_talk.report(error); });
  connect(m_review, &ReviewedPredictions::currentChanged, this, &ErrorsWorkspace::changed);
  connect(m_review, &ReviewedPredictions::exampleChanged, this, &ErrorsWorkspace::changed);
  connect(this, &ErrorsWorkspace::changed, this, &ErrorsWorkspace::refreshActions);
  bindActions();
}

ErrorsWorkspace::~ErrorsWorkspace() = default;

void ErrorsWorkspace::makePages() {
  m_empty->setText(tr("No predictions yet. Open those of a model, or generate the sample."));
  m_empty->setActions({m_actions->action(QStringLiteral("errors.open")),
                       m_actions->action(QStringLiteral("errors.open_kind")),
                       m_actions->action(QStringLiteral("errors.sample"))});
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_progress);
  connect(m_progress, &ProgressPage::cancelRequested, this, [this] {
    m_jobs->cancelOwner(QLatin1String(kOpening));
    show(m_back);
  });
  m_pages->addWidget(m_openPage);
  m_pages->addWidget(makeReviewPage());
  m_pages->addWidget(m_comparison);
  m_pages->addWidget(m_try);
  m_pages->addWidget(m_openKind);
  m_pages->addWidget(m_kind);
  leaveWithEscape(m_openPage, [this] { Q_EMIT m_openPage->closed(); });
  leaveWithEscape(m_openKind, [this] { Q_EMIT m_openKind->closed(); });
  leaveWithEscape(m_progress, [this] { Q_EMIT m_progress->cancelRequested(); });
  for (QWidget* page : {static_cast<QWidget*>(m_comparison), static_cast<QWidget*>(m_try)})
    leaveWithEscape(page, [this] { showReview(); });
  m_tabs->addTab(tr("Review"));
  m_tabs->addTab(tr("Comparison"));
  m_tabs->addTab(tr("Predict again"));
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setAccessibleName(tr("Views of the predictions"));
  connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
    if (m_pages->currentIndex() < kReview || m_pages->currentIndex() > kTry ||
        m_pages->currentIndex() == kReview + index)
      return;
    if (index == kTry - kReview) return showTry(m_try->model() >= 0 && m_try->example() < 0);
    show(index == 0 ? kReview : kCompare);
  });
  makeColumn(m_widget, {m_tabs, {m_pages, 1}}, 0);
  for (int i = 0; i < m_pages->count(); ++i) m_pages->widget(i)->setMinimumSize(280, 200);
}

QWidget* ErrorsWorkspace::makeReviewPage() {
  // Two results side by side need the width that a column beside the example does not have: they go below.
  m_columns->addWidget(m_predictions);
  m_columns->addWidget(m_detail);
  m_detail->addWidget(m_above);
  m_above->addWidget(m_example);
  QTabWidget* tabs = m_example->tabs();
  m_schemaPlace = new SideOrTab(m_schema, tabs, tr("Schema"),
                                tr("Tables and columns, and which of them the queries use"), m_above);
  m_resultsPlace = new SideOrTab(m_results, tabs, tr("Results"), tr("What both queries give"), m_detail);
  m_detail->addWidget(m_resultsPlace);
  m_above->addWidget(m_schemaPlace);
  m_detail->installEventFilter(this);
  m_columns->setStretchFactor(1, 1);
  m_columns->setSizes({405, 805});
  m_columns->setCollapsible(1, false);
  m_detail->setChildrenCollapsible(false);
  m_detail->setStretchFactor(0, 1);
  m_detail->setSizes({480, 190});
  m_above->setStretchFactor(0, 1);
  m_above->setSizes({520, 280});
  m_above->setCollapsible(0, false);
  m_columnsFit = new NaturalSplit(m_columns, [this] { return m_predictions->naturalWidth(); },
                                  {.least = 0.2, .most = 0.36});
  m_detailFit =
      new NaturalSplit(m_detail, [this] { return m_example->naturalHeight(); }, {.least = 0.5, .most = 0.75});
  connect(m_example, &ExamplePanel::heightChanged, m_detailFit, &NaturalSplit::refresh);
  connect(m_model, &PredictionTableModel::filtered, m_columnsFit, &NaturalSplit::refresh);
  m_predictions->setMinimumWidth(180);
  m_example->setMinimumWidth(280);
  m_schemaPlace->setMinimumWidth(160);
  m_example->setActions(m_actions->categories(), m_actions->action(QStringLiteral("errors.clear")),
                        m_actions->action(QStringLiteral("errors.previous")),
                        m_actions->action(QStringLiteral("errors.next")),
                        m_actions->action(QStringLiteral("errors.edit")));
  QList<QAction*> context;
  for (QAction* action : m_actions->ordered()) {
    if (action == nullptr) continue;
    m_widget->addAction(action);
    if (action->shortcutContext() == Qt::WidgetWithChildrenShortcut) context.append(action);
  }
  m_predictions->setContextActions(context);
  return m_columns;
}

void ErrorsWorkspace::fitParts() {
  const QFontMetrics text(m_detail->font());
  m_schemaPlace->setAside(m_detail->width() >= kCharactersForSchema * text.averageCharWidth());
  m_resultsPlace->setAside(m_detail->height() >= kLinesForResults * text.lineSpacing());
}

bool ErrorsWorkspace::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_detail && (event->type() == QEvent::Resize || event->type() == QEvent::FontChange))
    fitParts();
  return Workspace::eventFilter(watched, event);
}

void ErrorsWorkspace::bindActions() {
  m_actions->bind("errors.open", [this] { showOpenPage(); });
  m_actions->bind("errors.open_kind", [this] { showOpenKindPage(); });
  m_actions->bind("errors.pin", [this] {
    if (kindShown()) m_kind->example()->togglePin();
  });
  m_actions->bind("errors.sample", [this] { openSample(); });
  m_actions->bindKeys([this](int key) {
    if (kindShown()) return m_kind->setCategory(key);
    setCategory(key);
  });
  m_actions->bind("errors.clear", [this] { clearCategory(); });
  m_actions->bind("errors.next", [this] { goWrong(1); });
  m_actions->bind("errors.previous", [this] { goWrong(-1); });
  m_actions->bind("errors.review", [this] { showReview(); });
  m_actions->bind("errors.compare", [this] { showComparison(); });
  m_actions->bind("errors.export_figure", [this] { exportFigure(); });
  m_actions->bind("errors.export_table", [this] { exportTable(); });
  m_actions->bind("errors.edit", [this] {
    show(kReview);
    m_example->setEditing(m_actions->action(QStringLiteral("errors.edit"))->isChecked());
  });
  m_actions->bind("errors.revert", [this] { m_example->revert(); });
  m_actions->bind("errors.note",
                  [this] { kindShown() ? m_kind->example()->notes()->edit() : m_example->notes()->edit(); });
  m_actions->bind("errors.help", [this] { showHelp(); });
  bindTries();
}

void ErrorsWorkspace::bindTries() {
  m_actions->bind("errors.try", [this] { showTry(false); });
  m_actions->bind("errors.ask", [this] { showTry(true); });
  m_actions->bind("errors.predict", [this] { m_tries->predict(); });
  m_actions->bind("errors.original", [this] { m_try->showOriginal(); });
  m_try->setActions(m_actions->action(QStringLiteral("errors.predict")),
                    m_actions->action(QStringLiteral("errors.original")),
                    m_actions->action(QStringLiteral("errors.ask")));
  connect(m_try->questionEdit(), &QLineEdit::returnPressed, m_tries, &PredictionTries::predict);
}

void ErrorsWorkspace::showTry(bool own) {
  if (m_review->empty()) return;
  if (!m_tries->canAsk(m_review->currentModel())) {
    m_messages->showNote(
        tr("Only predictions that lie in the folder of a run can be tried again: open them from the run's "
           "menu in Train."));
    return show(Page(m_pages->currentIndex()));
  }
  show(kTry);
  if (own)
    m_tries->tryOwn();
  else
    m_tries->tryExample();
}

void ErrorsWorkspace::refreshActions() {
  if (kindShown()) return m_kind->refreshActions();
  m_actions->nameKeys({}, {});
  m_actions->enable({"errors.pin"}, false);
  const bool loaded = !m_review->empty();
  const bool reviewing = loaded && m_review->currentModel() >= 0 && m_review->currentExample() >= 0 &&
                         m_pages->currentIndex() == kReview;
  const bool writable = reviewing && m_review->canBeChanged();
  const int model = m_review->currentModel(), example = m_review->currentExample();
  const bool wrong = reviewing && m_review->isWrong(model, example);
  const bool human = reviewing && m_review->isHuman(model, example);
  for (QAction* action : m_actions->categories()) action->setEnabled(writable && wrong);
  m_actions->goldWrong()->setEnabled(writable && wrong);
  m_actions->goldWrong()->setChecked(human &&
                                     m_review->category(model, example) == int(ErrorCategory::GoldError));
  m_actions->enable({"errors.clear"}, writable && human);
  m_actions->enable({"errors.edit", "errors.revert", "errors.note"}, writable);
  m_actions->enable({"errors.next", "errors.previous"}, reviewing);
  m_actions->enable({"errors.review", "errors.compare", "errors.export_figure", "errors.export_table"},
                    loaded);
  const bool askable = loaded && m_tries->canAsk(m_review->currentModel());
  m_actions->enable({"errors.try", "errors.ask"}, askable);
  m_tabs->setTabEnabled(kTry - kReview, askable);
  m_actions->enable({"errors.predict", "errors.original"}, askable && m_pages->currentIndex() == kTry);
  if (!reviewing) m_actions->action(QStringLiteral("errors.edit"))->setChecked(false);
}

void ErrorsWorkspace::connectPanels() {
  connect(m_example, &ExamplePanel::sqlShown, this, &ErrorsWorkspace::showSql);
  connect(m_runner, &QueryRunner::started, m_results, &ResultsPanel::showRunning);
  connect(m_runner, &QueryRunner::refused, m_results, &ResultsPanel::showMessage);
  connect(m_runner, &QueryRunner::weighed, m_example, &ExamplePanel::weigh);
  connect(m_runner, &QueryRunner::finished, m_results, &ResultsPanel::showResults);
  connect(m_comparison, &ComparisonPanel::selectionClicked, this, &ErrorsWorkspace::pickSelection);
  connect(m_comparison, &ComparisonPanel::examplesPicked, this,
          [this](const std::vector<int>& examples, const QString& title) {
            m_predictions->showPicked(examples, title);
            show(kReview);
          });
  connect(m_comparison, &ComparisonPanel::exportFigureRequested, this, [this] { exportFigure(); });
  connect(m_comparison, &ComparisonPanel::exportTableRequested, this, [this] { exportTable(); });
  // The schema that is shown belongs to the review that goes.
  connect(m_review, &ReviewedPredictions::reviewChanged, this, [this] {
    m_runner->cancel();
    m_schema->showSchema(nullptr);
    m_results->showMessage({});
  });
}

void ErrorsWorkspace::connectHypotheses() {
  const int tab = m_example->tabs()->addTab(m_hypotheses, tr("Hypotheses"));
  m_example->tabs()->setTabToolTip(tab, tr("What else the search had, action by action"));
  connect(m_loader, &HypothesisLoader::loaded, m_hypotheses, &HypothesisPanel::showDetails);
  connect(m_loader, &HypothesisLoader::nothing, m_hypotheses, &HypothesisPanel::showMessage);
  connect(m_hypotheses, &HypothesisPanel::hypothesisChosen, m_example, &ExamplePanel::showInstead);
  connect(m_review, &ReviewedPredictions::reviewChanged, m_loader, &HypothesisLoader::cancel);
  connect(m_review, &ReviewedPredictions::currentChanged, this, [this] {
    m_loader->cancel();
    m_hypotheses->showMessage({});
    const int model = m_review->currentModel(), example = m_review->currentExample();
    if (m_review->empty() || model < 0 || example < 0) return;
    const SpiderModel& shown = sqlOf(*m_review).models[std::size_t(model)];
    m_loader->load(shown.path, int(shown.numbers[std::size_t(example)]));
  });
}

void ErrorsWorkspace::showSql() {
  const int example = m_review->currentExample(), model = m_review->currentModel();
  const SpiderSchema* schema = schemaOf(*m_review, example);
  m_schema->showSchema(schema);
  if (schema == nullptr) {
    m_runner->cancel();
    m_results->showMessage({});
    return;
  }
  SpiderPair pair = sqlOf(*m_review).models[std::size_t(model)].pairs[std::size_t(example)];
  pair.gold = toUtf8(m_example->goldSql());
  pair.predicted = toUtf8(m_example->predictedSql());
  m_schema->showUse(prepareSql(pair.gold, *schema), prepareSql(pair.predicted, *schema));
  m_runner->run(pair, *schema, databasesOf(*m_review));
}

void ErrorsWorkspace::comparePairs() {
  if (m_comparison->hasPairs() || m_review->models() < 2) return;
  const auto shared = m_review->sharedReview();
  m_jobs->start<std::vector<ReviewPair>>(
      tr("Comparing models"), QStringLiteral("errors pairs"),
      [shared](Progress&, const StopToken& stop) { return fathom::comparePairs(*shared, stop); },
      [this, of = shared.get()](Result<std::vector<ReviewPair>> pairs) {
        if (pairs.ok() && !m_review->empty() && &m_review->review() == of)
          m_comparison->setPairs(std::move(pairs).value());
      });
}

// A mark of a figure stands for a model, one of its categories, or a set of examples.
void ErrorsWorkspace::pickSelection(const QString& text) {
  const auto named = Selection::fromText(text);
  if (!named.ok()) {
    m_talk.report(named.error());
    return;
  }
  m_talk.report(m_selection->apply(text, m_comparison));
  std::vector<int> examples;
  for (const QString& item : named->of(Dimension::Example).items)
    if (item.toInt() < m_review->examples()) examples.push_back(item.toInt());
  const QString category = named->current(Dimension::Category);
  if (!examples.empty()) {
    m_predictions->showPicked(
        examples,
        tr("wrong for %1").arg(named->of(Dimension::PredictionSet).items.join(QStringLiteral(", "))));
  } else if (!category.isEmpty()) {
    m_predictions->showCategory(category);
  }
  show(kReview);
}

void ErrorsWorkspace::show(Page page) {
  const bool sql = page >= kReview && page <= kTry;
  if (sql && m_review->empty()) page = home();
  const bool tabs = page >= kReview && page <= kTry;
  m_pages->setCurrentIndex(page);
  m_tabs->setVisible(tabs);
  if (tabs) m_tabs->setCurrentIndex(page - kReview);
  if (page == kCompare) comparePairs();
  if (page == kReview) m_predictions->table()->setFocus(Qt::OtherFocusReason);
  Q_EMIT changed();
}

void ErrorsWorkspace::reset() {
  m_jobs->cancelOwner(QLatin1String(kOpening));
  m_example->keepEdits();
  m_asked.clear();
  m_kind->keep();
  m_review->setReview(nullptr);
  m_kind->setReview(nullptr);
  m_back = kEmpty;
  show(kEmpty);
}

void ErrorsWorkspace::showReview() {
  if (kindShown()) return m_kind->showReview();
  show(kReview);
}

void ErrorsWorkspace::showComparison() {
  if (kindShown()) return m_kind->showComparison();
  show(kCompare);
}

void ErrorsWorkspace::setCategory(int number) {
  const std::vector<int> categories = m_review->personCategories();
  const int model = m_review->currentModel(), example = m_review->currentExample();
  if (m_review->empty() || !m_review->canBeChanged() || std::size_t(number) >= categories.size()) return;
  if (!m_talk.canHaveCategory(m_review->isWrong(model, example)) || backToStored()) return;
  m_talk.goOn(
      m_review->setCategory(model, example, categories[std::size_t(number)], m_example->notes()->note()),
      m_predictions);
}

// A judgement is of the stored prediction: nobody gives it while looking at another hypothesis.
bool ErrorsWorkspace::backToStored() {
  if (m_example->showsStored()) return false;
  m_example->showInstead({}, {});
  m_hypotheses->showStored();
  m_messages->showNote(
      tr("Judgements are of the stored prediction, which is shown again; nothing was judged yet. Press once "
         "more to judge it."));
  return true;
}

void ErrorsWorkspace::clearCategory() {
  if (kindShown()) return m_kind->clearCategory();
  if (m_review->empty() || !m_review->canBeChanged() || backToStored()) return;
  m_talk.report(m_review->clearCategory(m_review->currentModel(), m_review->currentExample()));
}

void ErrorsWorkspace::goWrong(int direction) {
  if (kindShown()) return m_kind->goWrong(direction);
  if (!m_review->empty()) m_talk.goWrong(direction, m_predictions);
}

void ErrorsWorkspace::showHelp() {
  if (kindShown() || m_pages->currentIndex() == kOpenKind) {
    QStringList pages = {QStringLiteral("review_kinds"), QStringLiteral("errors_workspace")};
    if (kindShown() && m_kind->comparing()) pages.prepend(fromUtf8(m_kind->comparison()->recipe().figure));
    HelpWindow::openAt(m_window, pages);
    return;
  }
  QStringList pages = {QStringLiteral("errors_workspace"), QStringLiteral("error_categories")};
  if (m_pages->currentIndex() == kCompare) pages.prepend(fromUtf8(m_comparison->recipe().figure));
  HelpWindow::openAt(m_window, pages);
}

bool ErrorsWorkspace::undo() {
  if (kindShown()) {
    m_kind->undo();
    return true;
  }
  if (m_pages->currentIndex() == kTry) {
    m_try->undo();
    return true;
  }
  m_example->keepEdits();
  m_talk.report(m_review->undo());
  return true;
}

bool ErrorsWorkspace::redo() {
  if (kindShown()) {
    m_kind->redo();
    return true;
  }
  if (m_pages->currentIndex() == kTry) {
    m_try->redo();
    return true;
  }
  m_talk.report(m_review->redo());
  return true;
}

bool ErrorsWorkspace::focusFilter() {
  if (kindShown()) {
    m_kind->focusFilter();
    return true;
  }
  m_predictions->filterBox()->setFocus(Qt::ShortcutFocusReason);
  m_predictions->filterBox()->selectAll();
  return true;
}

QList<QWidget*> ErrorsWorkspace::places() const {
  if (kindShown()) return m_kind->places();
  if (m_pages->currentIndex() == kTry) return {m_try->links(), m_try->history(), m_try->results()};
  if (m_pages->currentIndex() != kReview) return {m_widget};
  return {m_predictions, m_example, m_schema, m_results};
}

void ErrorsWorkspace::keep() {
  m_kind->keep();
  m_example->keepEdits();
}

}  // namespace fathom
