// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors_workspace.h"

#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/window/errors_actions.h"
#include "app/window/job_center.h"
#include "app/window/project_service.h"
#include "app/window/query_runner.h"
#include "views/panels/comparison_panel.h"
#include "views/panels/empty_state.h"
#include "views/panels/engine_text.h"
#include "views/panels/example_panel.h"
#include "views/panels/help_window.h"
#include "views/panels/message_bar.h"
#include "views/panels/open_predictions_page.h"
#include "views/panels/prediction_panel.h"
#include "views/panels/results_panel.h"
#include "views/panels/schema_panel.h"
#include "views/panels/theme.h"
#include "views/tables/prediction_table_model.h"

namespace fathom {

namespace {
const QString kOwner = QStringLiteral("errors");
}  // namespace

ErrorsWorkspace::ErrorsWorkspace(ProjectService* service, JobCenter* jobs, MessageBar* messages,
                                 SelectionModel* selection, ErrorsActions* actions, QWidget* window)
    : QObject(window),
      m_service(service),
      m_jobs(jobs),
      m_messages(messages),
      m_window(window),
      m_review(new ErrorReview(selection, this)),
      m_model(new PredictionTableModel(m_review, this)),
      m_widget(new QWidget(window)),
      m_tabs(new QTabBar(m_widget)),
      m_pages(new QStackedWidget(m_widget)),
      m_empty(new EmptyState(m_pages)),
      m_progress(nullptr),
      m_progressText(nullptr),
      m_openPage(new OpenPredictionsPage(m_pages)),
      m_columns(new QSplitter(Qt::Horizontal, m_pages)),
      m_predictions(new PredictionPanel(m_model, m_columns)),
      m_detail(new QSplitter(Qt::Vertical, m_columns)),
      m_above(new QSplitter(Qt::Horizontal, m_detail)),
      m_example(new ExamplePanel(m_review, m_above)),
      m_schema(new SchemaPanel(m_above)),
      m_results(new ResultsPanel(m_detail)),
      m_comparison(new ComparisonPanel(m_review, m_pages)),
      m_runner(new QueryRunner(jobs, this)),
      m_selection(selection),
      m_actions(actions) {
  makePages();
  connectOpenPage();
  connectPanels();
  connect(m_example, &ExamplePanel::failed, m_messages, qOverload<const Error&>(&MessageBar::showError));
  connect(m_review, &ErrorReview::currentChanged, this, &ErrorsWorkspace::changed);
  connect(m_review, &ErrorReview::exampleChanged, this, &ErrorsWorkspace::changed);
  connect(this, &ErrorsWorkspace::changed, m_actions, [this] { m_actions->refresh(this); });
}

ErrorsWorkspace::~ErrorsWorkspace() = default;

void ErrorsWorkspace::makePages() {
  m_empty->setText(tr("No predictions yet. Open those of a model, or generate the sample."));
  m_empty->setActions(
      {m_actions->action(QStringLiteral("errors.open")), m_actions->action(QStringLiteral("errors.sample"))});
  m_pages->addWidget(m_empty);
  m_pages->addWidget(makeLoadingPage());
  m_pages->addWidget(m_openPage);
  m_pages->addWidget(makeReviewPage());
  m_pages->addWidget(m_comparison);
  m_tabs->addTab(tr("Review"));
  m_tabs->addTab(tr("Comparison"));
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setAccessibleName(tr("Views of the predictions"));
  connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
    if (m_pages->currentIndex() >= kReview) show(index == 0 ? kReview : kCompare);
  });
  auto* layout = new QVBoxLayout(m_widget);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_tabs);
  layout->addWidget(m_pages, 1);
  for (int i = 0; i < m_pages->count(); ++i) m_pages->widget(i)->setMinimumSize(280, 200);
}

QWidget* ErrorsWorkspace::makeLoadingPage() {
  auto* page = new QWidget(m_pages);
  m_progressText = new QLabel(page);
  m_progressText->setAlignment(Qt::AlignCenter);
  m_progress = new QProgressBar(page);
  m_progress->setMaximumWidth(420);
  m_progress->setTextVisible(false);
  auto* cancel = new QPushButton(tr("Cancel"), page);
  connect(cancel, &QPushButton::clicked, this, [this] {
    m_jobs->cancelOwner(kOwner);
    show(m_back);
  });
  auto* layout = new QVBoxLayout(page);
  layout->addStretch(1);
  layout->addWidget(m_progressText);
  layout->addWidget(m_progress, 0, Qt::AlignHCenter);
  layout->addWidget(cancel, 0, Qt::AlignHCenter);
  layout->addStretch(2);
  return page;
}

QWidget* ErrorsWorkspace::makeReviewPage() {
  // Two results side by side need the width that a column beside the example does not have: they go below.
  m_columns->addWidget(m_predictions);
  m_columns->addWidget(m_detail);
  m_detail->addWidget(m_above);
  m_detail->addWidget(m_results);
  m_above->addWidget(m_example);
  m_above->addWidget(m_schema);
  m_columns->setStretchFactor(1, 1);
  m_columns->setSizes({405, 805});
  m_columns->setCollapsible(1, false);
  m_detail->setChildrenCollapsible(false);
  m_detail->setStretchFactor(0, 1);
  m_detail->setSizes({480, 190});
  m_above->setStretchFactor(0, 1);
  m_above->setSizes({520, 280});
  m_above->setCollapsible(0, false);
  m_predictions->setMinimumWidth(180);
  m_example->setMinimumWidth(280);
  m_schema->setMinimumWidth(160);
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

void ErrorsWorkspace::connectOpenPage() {
  connect(m_openPage, &OpenPredictionsPage::browseRequested, this, &ErrorsWorkspace::browse);
  connect(m_openPage, &OpenPredictionsPage::filesAdded, this, &ErrorsWorkspace::askColumns);
  connect(m_openPage, &OpenPredictionsPage::closed, this, [this] {
    show(m_back);
    activate();
  });
  connect(m_openPage, &OpenPredictionsPage::openRequested, this,
          [this] { open(m_openPage->sources(), m_openPage->preset()); });
  connect(m_openPage, &OpenPredictionsPage::goldChosen, this, [this](const QString& path) {
    ReviewSources sources;
    sources.gold = toUtf8(path);
    fillFromBeside(sources);
    m_openPage->setPath(QStringLiteral("tables"), fromUtf8(sources.tables), true);
    m_openPage->setPath(QStringLiteral("questions"), fromUtf8(sources.questions), true);
    m_openPage->setPath(QStringLiteral("databases"), fromUtf8(sources.databases), true);
  });
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
  connect(m_review, &ErrorReview::reviewChanged, this, [this] {
    m_runner->cancel();
    m_schema->showSchema(nullptr);
    m_results->showMessage({});
  });
}

void ErrorsWorkspace::showSql() {
  const int example = m_review->currentExample(), model = m_review->currentModel();
  const SpiderSchema* schema = m_review->schemaOf(example);
  m_schema->showSchema(schema);
  if (schema == nullptr) {
    m_runner->cancel();
    m_results->showMessage({});
    return;
  }
  SpiderPair pair = m_review->review().models[std::size_t(model)].pairs[std::size_t(example)];
  pair.gold = toUtf8(m_example->goldSql());
  pair.predicted = toUtf8(m_example->predictedSql());
  m_schema->showUse(prepareSql(pair.gold, *schema), prepareSql(pair.predicted, *schema));
  m_runner->run(pair, *schema, m_review->sources().databases);
}

void ErrorsWorkspace::comparePairs() {
  if (m_comparison->hasPairs() || m_review->models() < 2) return;
  m_jobs->start<std::vector<ModelPair>>(
      tr("Comparing models"), QStringLiteral("errors pairs"),
      [right = rightByModel(*m_review)](Progress&, const StopToken&) -> Result<std::vector<ModelPair>> {
        return compareModels(right);
      },
      [this](Result<std::vector<ModelPair>> pairs) {
        if (pairs.ok() && !m_review->empty()) m_comparison->setPairs(std::move(pairs).value());
      });
}

// A mark of a figure stands for a model, one of its categories, or a set of examples.
void ErrorsWorkspace::pickSelection(const QString& text) {
  const auto named = Selection::fromText(text);
  if (!named.ok()) {
    m_messages->showError(named.error());
    return;
  }
  report(m_selection->apply(text, m_comparison));
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
  if (page >= kReview && m_review->empty()) page = kEmpty;
  m_pages->setCurrentIndex(page);
  m_tabs->setVisible(page >= kReview);
  if (page >= kReview) m_tabs->setCurrentIndex(page - kReview);
  if (page == kCompare) comparePairs();
  if (page == kReview) m_predictions->table()->setFocus(Qt::OtherFocusReason);
  Q_EMIT changed();
}

void ErrorsWorkspace::activate() {
  if (!m_service->isOpen() || m_asked == m_service->path()) {
    if (m_pages->currentIndex() == kReview) m_predictions->table()->setFocus(Qt::OtherFocusReason);
    return;
  }
  m_asked = m_service->path();
  m_jobs->start<std::optional<StoredReview>>(
      tr("Looking for the last predictions"), kOwner,
      [project = toUtf8(m_asked)](Progress&, const StopToken&) { return rememberedReview(project); },
      [this](Result<std::optional<StoredReview>> remembered) {
        if (!remembered.ok()) {
          m_messages->showError(remembered.error());
        } else if (remembered->has_value() && m_pages->currentIndex() == kOpen) {
          m_asked.clear();  // somebody chooses files already: asked again when that page is left
        } else if (remembered->has_value()) {
          open((*remembered)->sources, fromUtf8((*remembered)->preset));
        }
      });
}

void ErrorsWorkspace::reset() {
  m_jobs->cancelOwner(kOwner);
  m_example->keepEdits();
  m_asked.clear();
  m_review->setReview(nullptr);
  m_back = kEmpty;
  show(kEmpty);
}

void ErrorsWorkspace::openSample() {
  m_back = m_review->empty() ? kEmpty : kReview;
  const std::string project = toUtf8(m_service->path());
  m_asked = m_service->path();
  showProgress({});
  show(kLoading);
  m_jobs->start<std::unique_ptr<OpenReview>>(
      tr("Opening predictions"), kOwner,
      [project](Progress& progress, const StopToken& stop) -> Result<std::unique_ptr<OpenReview>> {
        FATHOM_TRY(const ReviewSources sources, sampleReviewSources(project));
        return loadReview(project, sources, "paper_like", progress, stop);
      },
      [this](Result<std::unique_ptr<OpenReview>> result) { taken(std::move(result)); },
      [this](const ProgressUpdate& update) { showProgress(update); });
}

void ErrorsWorkspace::showOpenPage() {
  if (m_pages->currentIndex() != kOpen) m_back = m_review->empty() ? kEmpty : kReview;
  if (!m_review->empty() && m_openPage->files()->topLevelItemCount() == 0)
    m_openPage->setSources(m_review->sources(), fromUtf8(m_review->review().preset.id));
  show(kOpen);
}

void ErrorsWorkspace::showReview() {
  show(kReview);
}

void ErrorsWorkspace::showComparison() {
  show(kCompare);
}

void ErrorsWorkspace::open(const ReviewSources& sources, const QString& preset) {
  if (m_pages->currentIndex() != kOpen) m_back = m_review->empty() ? kEmpty : kReview;
  const Page back = m_pages->currentIndex() == kOpen ? kOpen : m_back;
  m_example->keepEdits();
  m_openPage->setSources(sources, preset);
  m_back = back;
  m_asked = m_service->path();
  showProgress({});
  show(kLoading);
  m_jobs->start<std::unique_ptr<OpenReview>>(
      tr("Opening predictions"), kOwner,
      [project = toUtf8(m_service->path()), sources, preset = toUtf8(preset)](Progress& progress,
                                                                              const StopToken& stop) {
        return loadReview(project, sources, preset, progress, stop);
      },
      [this](Result<std::unique_ptr<OpenReview>> result) { taken(std::move(result)); },
      [this](const ProgressUpdate& update) { showProgress(update); });
}

void ErrorsWorkspace::taken(Result<std::unique_ptr<OpenReview>> result) {
  if (!result.ok()) {
    // The page of the files says it, beside the fields it is about.
    m_openPage->setProblem(fromUtf8(result.error().text()));
    const Page before = m_review->empty() ? kEmpty : kReview;
    show(kOpen);
    m_back = before;
    return;
  }
  m_review->setReview(std::move(result).value());
  returnToPlace();
  m_openPage->setProblem({});
  m_back = kReview;
  show(kReview);
  QStringList notes;
  for (const std::string& note : m_review->review().notes) notes.append(fromUtf8(note));
  for (const ReviewModel& model : m_review->review().models)
    for (const std::string& note : model.notes)
      notes.append(QStringLiteral("%1: %2").arg(fromUtf8(model.name), fromUtf8(note)));
  if (!notes.isEmpty()) {
    constexpr qsizetype kShown = 3;
    const qsizetype rest = notes.size() - kShown;
    QString text = notes.mid(0, kShown).join(QLatin1Char('\n'));
    if (rest > 0) text += tr("\n… and %1 more remarks").arg(rest);
    m_messages->showNote(text);
  }
  if (!m_review->canBeChanged())
    m_messages->showNote(tr("The project cannot be written to: categories cannot be set."));
}

void ErrorsWorkspace::showProgress(const ProgressUpdate& update) {
  const QString phase = update.phase.empty() ? tr("Opening predictions") : engineText(update.phase);
  m_progressText->setText(phase);
  m_progress->setRange(0, update.total > 0 ? int(update.total) : 0);
  if (update.total > 0) m_progress->setValue(int(update.done));
}

void ErrorsWorkspace::browse(const QString& field) {
  if (field == QLatin1String("predictions")) {
    const QStringList files = QFileDialog::getOpenFileNames(
        m_window, tr("Prediction files"), {},
        tr("Predictions (*.sql *.txt *.json *.jsonl *.csv *.tsv);;All files (*)"));
    m_openPage->addPredictions(files);
    return;
  }
  const QString path = field == QLatin1String("databases")
                           ? QFileDialog::getExistingDirectory(m_window, tr("Folder of databases"))
                           : QFileDialog::getOpenFileName(m_window, tr("Open a file"));
  if (path.isEmpty()) return;
  m_openPage->setPath(field, path);
  if (field == QLatin1String("gold")) Q_EMIT m_openPage->goldChosen(path);
}

void ErrorsWorkspace::askColumns(const QStringList& files) {
  for (const QString& file : files) {
    m_jobs->start<PredictionFile>(
        tr("Reading %1").arg(file), kOwner + QLatin1Char(':') + file,
        [path = toUtf8(file)](Progress&, const StopToken&) {
          PredictionOptions options;
          options.anyColumns = true;  // none of the usual names: one chooses
          return readPredictionFile(path, options);
        },
        [this, file](Result<PredictionFile> read) {
          if (!read.ok()) {
            m_openPage->setFileProblem(file, fromUtf8(read.error().text()));
            return;
          }
          QStringList columns;
          if (read->format != PredictionFormat::Lines)
            for (const std::string& column : read->columns) columns.append(fromUtf8(column));
          m_openPage->setColumns(file, columns, fromUtf8(read->sqlColumn));
        });
  }
}

void ErrorsWorkspace::report(const Status& status) {
  if (!status.ok()) m_messages->showError(status.error());
}

void ErrorsWorkspace::setCategory(ErrorCategory category) {
  const int model = m_review->currentModel(), example = m_review->currentExample();
  if (m_review->empty() || !m_review->canBeChanged()) return;
  if (!m_review->state(model, example).wrong) {
    m_messages->showNote(tr("The metric counts this prediction as right: there is no error to name."));
    return;
  }
  const Status status = m_review->setCategory(model, example, category, m_example->note());
  report(status);
  if (status.ok() && !m_predictions->goWrong(1))
    m_messages->showNote(tr("That was the last wrong prediction of this list."));
}

void ErrorsWorkspace::clearCategory() {
  if (m_review->empty() || !m_review->canBeChanged()) return;
  report(m_review->clearCategory(m_review->currentModel(), m_review->currentExample()));
}

void ErrorsWorkspace::goWrong(int direction) {
  if (m_review->empty() || m_predictions->goWrong(direction)) return;
  m_messages->showNote(direction > 0 ? tr("No wrong prediction follows in this list.")
                                     : tr("No wrong prediction comes before in this list."));
}

void ErrorsWorkspace::showHelp() {
  if (m_help == nullptr) m_help = new HelpWindow(m_window);
  QStringList pages = {QStringLiteral("errors_workspace")};
  if (m_pages->currentIndex() == kCompare) pages.prepend(fromUtf8(m_comparison->recipe().figure));
  m_help->showPages(pages);
}

void ErrorsWorkspace::undo() {
  m_example->keepEdits();
  report(m_review->undo());
}

void ErrorsWorkspace::redo() {
  report(m_review->redo());
}

QList<QWidget*> ErrorsWorkspace::places() const {
  if (m_pages->currentIndex() != kReview) return {m_widget};
  return {m_predictions, m_example, m_schema, m_results};
}

void ErrorsWorkspace::keep() const {
  m_example->keepEdits();
}

}  // namespace fathom
