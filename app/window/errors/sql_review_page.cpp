// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/sql_review_page.h"

#include <QEvent>
#include <QLineEdit>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

#include "app/window/errors/errors_actions.h"
#include "app/window/errors/hypothesis_loader.h"
#include "app/window/errors/prediction_tries.h"
#include "app/window/errors/query_runner.h"
#include "app/window/jobs/job_center.h"
#include "core/base/json/json_members.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/hypothesis_panel.h"
#include "views/panels/errors/judgement_bar.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/schema_panel.h"
#include "views/panels/errors/try_panel.h"
#include "views/panels/linking/link_matrix.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/natural_split.h"
#include "views/panels/widgets/side_or_tab.h"
#include "views/tables/prediction_table_model.h"
#include "views/tables/sql_predictions.h"

namespace fathom {

namespace {

// Room for schema and results beside the example, in characters and lines, so that larger texts have larger
// places; where there is less they are tabs of the example.
constexpr int kCharactersForSchema = 128, kLinesForResults = 46;

}  // namespace

SqlReviewPage::SqlReviewPage(const ReviewPageParts& parts, QWidget* parent)
    : ReviewPage(parts, parent),
      m_columns(new QSplitter(Qt::Horizontal, this)),
      m_detail(new QSplitter(Qt::Vertical, m_columns)),
      m_above(new QSplitter(Qt::Horizontal, m_detail)),
      m_example(new ExamplePanel(review(), m_above)),
      m_schema(new SchemaPanel(this)),
      m_results(new ResultsPanel(this)),
      m_hypotheses(new HypothesisPanel(review(), m_example)),
      m_try(new TryPanel(review(), this)),
      m_runner(
          new QueryRunner(parts.jobs, QStringLiteral("errors results"), QuerySides::GoldAndPrediction, this)),
      m_tries(new PredictionTries(parts.jobs, review(), m_try, this)),
      m_loader(new HypothesisLoader(parts.jobs, this)) {
  makeReview();
  makeParts(m_columns);
  addPart(m_try, tr("Predict again"));
  connectPanels();
  connectHypotheses();
  bindActions();
}

void SqlReviewPage::makeReview() {
  // Two results side by side need the width that a column beside the example does not have: they go below.
  m_columns->addWidget(predictions());
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
  m_columnsFit = new NaturalSplit(m_columns, [this] { return predictions()->naturalWidth(); },
                                  {.least = 0.2, .most = 0.36});
  m_detailFit =
      new NaturalSplit(m_detail, [this] { return m_example->naturalHeight(); }, {.least = 0.5, .most = 0.75});
  connect(m_example, &ExamplePanel::heightChanged, m_detailFit, &NaturalSplit::refresh);
  connect(model(), &PredictionTableModel::filtered, m_columnsFit, &NaturalSplit::refresh);
  m_example->setMinimumWidth(280);
  m_schemaPlace->setMinimumWidth(160);
}

void SqlReviewPage::fitParts() {
  const QFontMetrics text(m_detail->font());
  m_schemaPlace->setAside(m_detail->width() >= kCharactersForSchema * text.averageCharWidth());
  m_resultsPlace->setAside(m_detail->height() >= kLinesForResults * text.lineSpacing());
}

bool SqlReviewPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_detail && (event->type() == QEvent::Resize || event->type() == QEvent::FontChange))
    fitParts();
  return ReviewPage::eventFilter(watched, event);
}

void SqlReviewPage::bindActions() {
  ErrorsActions* actions = parts().actions;
  const auto action = [actions](const char* id) { return actions->action(QLatin1String(id)); };
  m_example->judgementBar()->setActions(actions->keyed(), action("errors.clear"));
  m_example->setActions(
      {action("errors.previous"), action("errors.next"), action("errors.alone"), action("errors.edit")});
  actions->bind("errors.alone", [this, alone = action("errors.alone")] {
    m_example->setAlone(!m_example->alone());  // coming into view set the action back
    alone->setChecked(m_example->alone());
    m_detailFit->refresh();
  });
  actions->bind("errors.edit", [this, edit = action("errors.edit")] {
    const bool editing = edit->isChecked();  // coming into view asks what is so
    Q_EMIT asked();
    showPart(kReview);
    m_example->setEditing(editing);
    edit->setChecked(editing);
  });
  actions->bind("errors.revert", [this] { m_example->revert(); });
  actions->bind("errors.try", [this] { showTry(false); });
  actions->bind("errors.ask", [this] { showTry(true); });
  actions->bind("errors.predict", [this] { m_tries->predict(); });
  actions->bind("errors.original", [this] { m_try->showOriginal(); });
  m_try->setActions(action("errors.predict"), action("errors.original"), action("errors.ask"));
  connect(m_try->questionEdit(), &QLineEdit::returnPressed, m_tries, &PredictionTries::predict);
}

void SqlReviewPage::connectPanels() {
  connect(m_example, &ExamplePanel::failed, this, [this](const Error& error) { messages().report(error); });
  connect(m_example, &ExamplePanel::sqlShown, this, &SqlReviewPage::showSql);
  connect(m_runner, &QueryRunner::started, m_results, &ResultsPanel::showRunning);
  connect(m_runner, &QueryRunner::refused, m_results, &ResultsPanel::showMessage);
  connect(m_runner, &QueryRunner::weighed, m_example, &ExamplePanel::weigh);
  connect(m_runner, &QueryRunner::finished, m_results, &ResultsPanel::showResults);
  // The schema that is shown belongs to the review that goes.
  connect(review(), &ReviewedPredictions::reviewChanged, this, [this] {
    m_runner->cancel();
    m_schema->showSchema(nullptr);
    m_results->showMessage({});
  });
}

void SqlReviewPage::connectHypotheses() {
  const int tab = m_example->tabs()->addTab(m_hypotheses, tr("Hypotheses"));
  m_example->tabs()->setTabToolTip(tab, tr("What else the search had, action by action"));
  connect(m_loader, &HypothesisLoader::loaded, m_hypotheses, &HypothesisPanel::showDetails);
  connect(m_loader, &HypothesisLoader::nothing, m_hypotheses, &HypothesisPanel::showMessage);
  connect(m_hypotheses, &HypothesisPanel::hypothesisChosen, m_example, &ExamplePanel::showInstead);
  connect(review(), &ReviewedPredictions::reviewChanged, m_loader, &HypothesisLoader::cancel);
  connect(review(), &ReviewedPredictions::currentChanged, this, [this] {
    m_loader->cancel();
    m_hypotheses->showMessage({});
    const int model = review()->currentModel(), example = review()->currentExample();
    if (empty() || model < 0 || example < 0) return;
    const SpiderModel& shown = sqlOf(*review()).models[std::size_t(model)];
    m_loader->load(shown.path, int(shown.numbers[std::size_t(example)]));
  });
}

void SqlReviewPage::showSql() {
  const int example = review()->currentExample(), model = review()->currentModel();
  const SpiderSchema* schema = schemaOf(*review(), example);
  m_schema->showSchema(schema);
  if (schema == nullptr) {
    m_runner->cancel();
    m_results->showMessage({});
    return;
  }
  SpiderPair pair = sqlOf(*review()).models[std::size_t(model)].pairs[std::size_t(example)];
  pair.gold = toUtf8(m_example->goldSql());
  pair.predicted = toUtf8(m_example->predictedSql());
  m_schema->showUse(prepareSql(pair.gold, *schema), prepareSql(pair.predicted, *schema));
  m_runner->run(pair, *schema, databasesOf(*review()));
}

void SqlReviewPage::showTry(bool own) {
  if (empty()) return;
  if (!m_tries->canAsk(review()->currentModel())) {
    parts().messages->showNote(
        tr("Only predictions that lie in the folder of a run can be tried again: open them from the run's "
           "menu in Train."));
    return ReviewPage::showPart(part());
  }
  Q_EMIT asked();
  ReviewPage::showPart(kTry);
  if (own)
    m_tries->tryOwn();
  else
    m_tries->tryExample();
}

void SqlReviewPage::showPart(Part part) {
  if (part == kTry) return showTry(m_try->model() >= 0 && m_try->example() < 0);
  ReviewPage::showPart(part);
}

void SqlReviewPage::nameKeys() {
  parts().actions->nameKeys({}, {});  // shorter than the titles of the categories
}

void SqlReviewPage::refreshOwnActions(bool reviewing, bool writable) {
  ErrorsActions* actions = parts().actions;
  actions->enable({"errors.edit", "errors.revert"}, writable);
  actions->enable({"errors.alone"}, reviewing);
  actions->action(QStringLiteral("errors.alone"))->setChecked(m_example->alone());
  const bool askable = !empty() && m_tries->canAsk(review()->currentModel());
  actions->enable({"errors.try", "errors.ask"}, askable);
  tabs()->setTabEnabled(kTry, askable);
  actions->enable({"errors.predict", "errors.original"}, askable && part() == kTry && !isHidden());
  if (reviewing) return;
  actions->action(QStringLiteral("errors.edit"))->setChecked(false);
  if (m_example->editing()) m_example->setEditing(false);
}

// A judgement is of the stored prediction: nobody gives it while looking at another hypothesis.
bool SqlReviewPage::canJudge() {
  if (m_example->showsStored()) return true;
  m_example->showInstead({}, {});
  m_hypotheses->showStored();
  parts().messages->showNote(
      tr("Judgements are of the stored prediction, which is shown again; nothing was judged yet. Press once "
         "more to judge it."));
  return false;
}

NoteLines* SqlReviewPage::notes() const {
  return m_example->notes();
}

void SqlReviewPage::undo() {
  if (part() == kTry) return m_try->undo();
  ReviewPage::undo();
}

void SqlReviewPage::redo() {
  if (part() == kTry) return m_try->redo();
  ReviewPage::redo();
}

void SqlReviewPage::keep() {
  m_example->keepEdits();
  m_example->notes()->keep();
}

void SqlReviewPage::savePlaceOf(Json& place) const {
  place["tab"] = m_example->tabs()->currentIndex();
}

void SqlReviewPage::returnToPlaceOf(const Json& place) {
  m_example->tabs()->setCurrentIndex(place.value("tab", 0));
  if (place.value("part", 0) == int(kTry) && m_tries->canAsk(review()->currentModel())) showTry(false);
}

Json SqlReviewPage::saveLayout() const {
  return {{"columns", m_columnsFit->saved().toBase64().toStdString()},
          {"detail", m_detailFit->saved().toBase64().toStdString()},
          {"above", m_above->saveState().toBase64().toStdString()},
          {"alone", m_example->alone()},
          {"predictions", predictions()->saveLayout().toStdString()},
          {"style", toUtf8(comparison()->exportStyle())}};
}

void SqlReviewPage::restoreLayout(const Json& view) {
  const auto text = [&view](const char* key) { return QByteArray::fromStdString(memberText(view, key)); };
  m_columnsFit->restore(QByteArray::fromBase64(text("columns")));
  m_detailFit->restore(QByteArray::fromBase64(text("detail")));
  m_above->restoreState(QByteArray::fromBase64(text("above")));
  comparison()->setExportStyle(QString::fromUtf8(text("style")));
  predictions()->restoreLayout(text("predictions"));
  m_example->setAlone(memberFlag(view, "alone", false));
}

QList<QWidget*> SqlReviewPage::placesOf(Part part) const {
  if (part == kTry) return {m_try->links(), m_try->history(), m_try->results()};
  return {predictions(), m_example, m_schema, m_results};
}

QStringList SqlReviewPage::helpOfKind() const {
  return {QStringLiteral("errors_workspace"), QStringLiteral("error_categories")};
}

PanelSet sqlReviewPageEntry() {
  return {"sql", [](const ReviewPageParts& parts, QWidget* parent) -> ReviewPage* {
            return new SqlReviewPage(parts, parent);
          }};
}

}  // namespace fathom
