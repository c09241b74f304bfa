// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>

#include "app/command.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/figures/page_output.h"
#include "app/window/main/command_words.h"
#include "app/window/main/project_opener.h"
#include "app/window/main/run_notice.h"
#include "app/window/main/sample_steps.h"
#include "app/window/main/window_actions.h"
#include "app/window/main/window_commands.h"
#include "app/window/main/window_docks.h"
#include "app/window/main/window_drops.h"
#include "app/window/main/window_help.h"
#include "app/window/main/window_status.h"
#include "app/window/main/window_steps.h"
#include "app/window/main/window_workspaces.h"
#include "app/window/session/appearance.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/run_alarms.h"
#include "app/window/train/sample_analysis_job.h"
#include "app/window/train/train_workspace.h"
#include "app/window/workspace_actions.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/train/grid_panel.h"
#include "views/panels/train/log_panel.h"
#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/fold_bar.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/step_strip.h"
#include "views/tables/reviewed_predictions.h"
#include "views/tables/run_table_model.h"

namespace fathom {

MainWindow::MainWindow(SessionStore* session, Appearance* appearance, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_appearance(appearance),
      m_messages(new MessageBar(this)),
      m_files(session),
      m_runActions(new RunActions(&m_service, m_messages, &m_undo, this)),
      m_train(new TrainWorkspace(&m_service, &m_jobs, m_messages, &m_files, m_runActions, &m_selection,
                                 &m_undo, this)),
      m_workspaces(new WindowWorkspaces(
          {this, &m_service, &m_jobs, m_messages, &m_files, &m_selection, m_train->runModel(),
           [this] { return m_train->engine(); }, [this] { return m_train->curves()->firstSteps(); }, m_train},
          session)),
      m_shown(WindowWorkspaces::first()),
      m_actions(new WindowActions(this, *appearance)),
      m_keys(session),
      m_docks(new WindowDocks(this, session)),
      m_palette(new CommandPalette(this)) {
  tellPage();
  setWindowTitle(QStringLiteral("Fathom"));
  setObjectName(QStringLiteral("mainWindow"));
  resize(1280, 800);
  makeHelpers();
  makeDocks();
  makeActions();
  makeMenus();
  takeKeys();
  m_actions->makeRail();
  m_actions->makeToolbar();
  makePages();
  m_status = new WindowStatus(statusBar(), &m_service, m_train, &m_jobs);
  m_docks->layOut();
  connectProject();
  connectTrain();
  refreshState();
}

void MainWindow::makeHelpers() {
  m_opener = new ProjectOpener({this, &m_service, &m_jobs, m_messages, &m_files, m_session});
  m_commands = new WindowCommands(
      {this, &m_service, &m_jobs, &m_files, &m_selection, m_train->runModel(), m_messages, m_session});
  m_help = new WindowHelp(this, m_actions);
  m_steps = new SampleSteps(m_session, this);
  m_notice = new RunNotice(this);
  connect(m_commands, &WindowCommands::attentionImported, this, [this](const QString& run) {
    m_selection.set(Dimension::Run, {run}, run, nullptr);
    showWorkspace(kAttention);
  });
  connect(m_steps, &SampleSteps::chosen, this, [this](int step) { WindowSteps(this).take(step); });
  m_steps->setPlaces([this](int step) { return WindowSteps(this).placeOf(step); });
  connect(m_opener, &ProjectOpener::predictionsDropped, this, [this](const QStringList& files) {
    showWorkspace(kErrors);
    errors()->showOpenPage();
    errors()->openPage()->addPredictions(files);
  });
  connect(m_opener, &ProjectOpener::runsImported, this,
          [this](const QStringList& runs, const QStringList& metrics) {
            m_train->showFresh(runs, metrics);
            showWorkspace(kTrain);
          });
  connect(m_opener, &ProjectOpener::attentionFound, m_commands, &WindowCommands::importAttention);
  connect(m_opener, &ProjectOpener::dataDropped, this, [this](const QString& path) {
    showWorkspace(kTrain);
    m_train->takeData(path);
  });
  auto* drops = new WindowDrops(this);
  connect(drops, &WindowDrops::filesDropped, m_opener, &ProjectOpener::take);
  connect(drops, &WindowDrops::runsDropped, this, &MainWindow::dropRuns);
  connect(drops, &WindowDrops::heldOver, this, [this](QAction* over) {
    if (!over->isChecked() && m_service.isOpen()) over->trigger();
  });
}

MainWindow::~MainWindow() = default;

void MainWindow::connectProject() {
  auto* sample = new SampleAnalysisJob(&m_service, &m_jobs, m_messages, this);
  connect(&m_service, &ProjectService::closing, this, [this] { m_workspaces->keep(); });
  connect(&m_service, &ProjectService::opened, this, [this, sample](const QString& path) {
    projectOpened(path);
    m_steps->setSample(sample->isSample());
  });
  connect(&m_service, &ProjectService::openFailed, this, [this] {
    m_expects = false;
    refreshState();
  });
  // A job that is tried again has not failed yet.
  connect(&m_jobs, &JobCenter::started, m_messages, &MessageBar::begin);
  connect(&m_jobs, &JobCenter::succeeded, m_steps, [this](const QString& owner) {
    if (owner == kExportingPage) m_steps->exported();
  });
}

void MainWindow::connectTrain() {
  connect(m_train->runs(), &RunTablePanel::layoutChanged, this,
          [this] { m_session->setBytes(session::kColumns, m_train->runs()->saveLayout()); });
  connect(m_train->curves(), &CurveStack::exportRequested, this,
          [this] { WindowSteps(this).exportCurves(); });
  connect(m_runActions, &RunActions::predictionsRequested, this, [this](const RunItem& run) {
    showWorkspace(kErrors);
    errors()->openRun(run);
  });
  connect(m_runActions, &RunActions::archiveRequested, m_commands, &WindowCommands::archive);
  connect(m_runActions, &RunActions::scriptRequested, m_commands, &WindowCommands::repeatScript);
  connect(m_train, &TrainWorkspace::figureRequested, this, [this](const FigureRecipe& recipe) {
    showWorkspace(kFigures);
    figures()->composeOf(recipe);
  });
  connect(m_train->pages(), &QStackedWidget::currentChanged, this, [this](int page) {
    if (page != 0) showWorkspace(kTrain);
    tellPage();
    showDocks();
  });
  connect(m_train, &TrainWorkspace::runsChanged, m_workspaces, &WindowWorkspaces::takeRunList);
  connect(m_train, &TrainWorkspace::engineKnown, m_workspaces, &WindowWorkspaces::takeDescription);
  const RunAlarms* alarms = m_train->alarms();
  connect(alarms, &RunAlarms::wentWrong, m_docks, &WindowDocks::alarm);
  connect(alarms, &RunAlarms::noteChanged, m_docks->bar(),
          [this](const QString& panel, const QString& note) { m_docks->bar()->setNote(panel, note); });
  connect(alarms, &RunAlarms::runEnded, m_notice, &RunNotice::runEnded);
}

QAction* MainWindow::action(const QString& id) const {
  return m_actions->action(id);
}

ErrorsWorkspace* MainWindow::errors() {
  return m_workspaces->as<ErrorsWorkspace>(kErrors);
}

AttentionWorkspace* MainWindow::attention() {
  return m_workspaces->as<AttentionWorkspace>(kAttention);
}

FiguresWorkspace* MainWindow::figures() {
  return m_workspaces->as<FiguresWorkspace>(kFigures);
}

void MainWindow::showWorkspace(const QString& id) {
  if (m_shown != id) m_workspaces->get(m_shown)->deactivate();
  m_shown = id;
  Workspace* shown = m_workspaces->get(id);
  action(QStringLiteral("view.") + id)->setChecked(true);
  tellPage();
  // A wide workspace and the docks never share the window: one would press the other.
  const bool train = id == kTrain;
  if (!train) showDocks();
  refreshState();
  if (train) showDocks();
  // The buttons of that bar are about runs. After the docks: their state holds the bars too.
  if (auto* bar = findChild<QToolBar*>(QStringLiteral("actions"))) bar->setVisible(train);
  m_session->setText(session::kWorkspace, id);
  shown->activate();
}

// Messages go with the page that they were shown on.
void MainWindow::tellPage() {
  m_messages->setPage(m_shown == kTrain ? m_shown + QString::number(m_train->pages()->currentIndex())
                                        : m_shown);
}

void MainWindow::showDocks() {
  const bool project = m_service.isOpen() || m_expects;
  m_docks->setShown(project && m_shown == kTrain && m_train->pages()->currentIndex() == 0);
}

void MainWindow::goToFilter() {
  if (m_workspaces->get(m_shown)->focusFilter()) return;
  m_docks->raise("runs");
  m_train->runs()->filterBox()->setFocus(Qt::ShortcutFocusReason);
  m_train->runs()->filterBox()->selectAll();
}

void MainWindow::helpHere() {
  if (m_shown == kTrain)
    return m_help->showPages({QStringLiteral("train_workspace"), QStringLiteral("run_filter"),
                              QStringLiteral("run_folder"), QStringLiteral("places")});
  const QString id = m_shown + QStringLiteral(".help");
  if (QAction* help = action(id)) help->trigger();
}

// --- actions

void MainWindow::makeActions() {
  for (const WorkspaceEntry& entry : workspaceEntries()) {
    const QString id = QString::fromLatin1(entry.id);
    m_actions->on((QByteArray("view.") + entry.id).constData(), [this, id] {
      if (id == kTrain) m_train->showCurves();
      showWorkspace(id);
    });
    WorkspaceActions* actions = m_workspaces->actions(id);
    if (actions == nullptr) continue;
    if (id == kFigures) actions->bind("figures.curves", [this] { WindowSteps(this).exportCurves(); });
    actions->setOpener([this, id] {
      if (m_shown != id) showWorkspace(id);
    });
    m_actions->include(actions->ordered());
  }
  bindFileActions();
  bindViewActions();
  bindHelpActions();
  m_actions->include(m_runActions->ordered());
  // Del belongs to the table: typed elsewhere it means something else.
  for (QAction* each : m_runActions->ordered()) {
    if (each == nullptr || each->shortcut() != QKeySequence(QKeySequence::Delete)) continue;
    each->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_train->runs()->addAction(each);
  }
}

void MainWindow::bindFileActions() {
  m_actions->on("file.new", [this] { m_opener->choose(true); });
  m_actions->on("file.open", [this] { m_opener->choose(false); });
  m_actions->on("file.sample", [this] { m_opener->openSample(); });
  m_actions->on("file.import", [this] { m_opener->chooseImport(false); });
  m_actions->on("file.import_follow", [this] { m_opener->chooseImport(true); });
  m_actions->on("file.import_attention", [this] { m_commands->importAttention(); });
  m_actions->on("file.export", [this] { exportShown(); });
  m_actions->on("file.sources", [this] { m_opener->showSources(); });
  m_actions->on("file.places", [this] { m_commands->showPlaces(); });
  m_actions->on("file.clean", [this] { m_commands->cleanUp(); });
  m_actions->on("run.restore", [this] { m_commands->restore(); });
  m_actions->on("file.window", [this] { Q_EMIT newWindowRequested(); });
  m_actions->on("file.preferences", [this] { showPreferences(); });
  m_actions->on("file.close", [this] { close(); });
  m_actions->on("file.quit", [] { QApplication::closeAllWindows(); });
  m_actions->on("run.new", [this] {
    showWorkspace(kTrain);
    m_train->showNewRun();
  });
  m_actions->on("run.grid", [this] {
    showWorkspace(kTrain);
    m_train->showNewGrid();
  });
  m_actions->on("run.script", [this] { m_commands->runScript(); });
  m_actions->on("run.data", [this] {
    showWorkspace(kTrain);
    m_train->showData();
    m_train->newRun()->readData();
  });
  m_actions->on("engine.refresh", [this] { m_train->newRun()->askEngine(true); });
}

// What is in sight: the curves on a page of their own, a figure, a page, a comparison.
void MainWindow::exportShown() {
  const WorkspaceActions* of = m_workspaces->actions(m_shown);
  QAction* action = of != nullptr ? of->exportAction() : nullptr;
  if (m_shown == kTrain && !m_train->curves()->figureRecipe().runs.empty()) {
    WindowSteps(this).exportCurves();
  } else if (action != nullptr) {
    action->trigger();
  } else {
    m_messages->showNote(tr("There is nothing here yet that could be exported."));
  }
}

void MainWindow::bindViewActions() {
  m_actions->on("edit.undo", [this] {
    if (!m_workspaces->get(m_shown)->undo()) m_train->undo();
  });
  m_actions->on("edit.redo", [this] {
    if (!m_workspaces->get(m_shown)->redo()) m_train->redo();
  });
  m_actions->on("edit.filter", [this] { goToFilter(); });
  m_actions->on("view.palette", [this] { showPalette(); });
  m_actions->on("view.curves", [this] { action(QStringLiteral("view.train"))->trigger(); });
  m_actions->on("view.next_panel", [this] { m_workspaces->focusNextPlace(m_shown); });
  m_actions->on("view.reset", [this] { resetLayout(); });
  m_actions->on("view.full", [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  m_actions->onGroup("theme.", [this](const QString& theme) {
    m_appearance->setTheme(theme);
    m_session->setText(session::kTheme, theme);
  });
  m_actions->onGroup("language.", [this](const QString& id) { Q_EMIT languageRequested(id); });
  m_actions->on("view.larger", [this] { setTextPercent(m_appearance->wantedTextPercent() + 10); });
  m_actions->on("view.smaller", [this] { setTextPercent(m_appearance->wantedTextPercent() - 10); });
  m_actions->on("view.usual_size", [this] { setTextPercent(100); });
}

void MainWindow::setTextPercent(int percent) {
  m_appearance->askTextPercent(percent);
  m_session->setText(session::kTextSize, QString::number(m_appearance->wantedTextPercent()));
}

void MainWindow::bindHelpActions() {
  m_actions->on("help.pages", [this] { m_help->showContents(); });
  m_actions->on("help.here", [this] { helpHere(); });
  m_actions->on("help.keys", [this] { m_help->showKeys(); });
  m_actions->on("help.steps", [this] { m_steps->bringBack(); });
  m_actions->on("help.news", [this] { m_help->showNews(); });
  m_actions->on("help.about", [this] { m_help->about(m_train->engine()); });
}

void MainWindow::makeMenus() {
  QVector<QAction*> panels;
  for (const char* id : {"runs", "details", "log", "queue", "grid"}) panels.append(m_docks->toggle(id));
  m_actions->makeMenus({panels, m_runActions->ordered(),
                        [this](const WorkspaceEntry& entry) {
                          const WorkspaceActions* of = m_workspaces->actions(QString::fromLatin1(entry.id));
                          return of != nullptr ? of->ordered() : QVector<QAction*>();
                        },
                        [this](QMenu* menu) { m_opener->fillRecent(menu); }});
}

void MainWindow::showPalette() {
  m_actions->refillRecent();
  m_palette->setActions(m_actions->listed());
  m_palette->setOtherWords(commandWords);
  m_palette->popUp();
}

void MainWindow::takeKeys() {
  for (QAction* each : m_actions->all()) m_keys.take(each);
  const QStringList left = m_keys.settle(this);
  if (!left.isEmpty())
    m_messages->showError(tr("Keys were chosen twice: “%1” has its usual ones").arg(left.join(tr("”, “"))),
                          tr("Choose others in File › Preferences › Keys."));
}

// --- what the window is made of

void MainWindow::makePages() {
  m_welcome = new EmptyState(this);
  m_welcome->setText(tr("Open a project, look at the sample, or import runs of other programs."));
  m_welcome->setActions({action(QStringLiteral("file.sample")), action(QStringLiteral("file.open")),
                         action(QStringLiteral("file.new")), action(QStringLiteral("file.import"))});
  m_centre = m_workspaces->makeCentre();
  m_centre->addWidget(m_welcome);
  m_centre->addWidget(m_train->widget());
  auto* centre = new QWidget(this);
  makeColumn(centre, {m_steps->strip(), {m_centre, 1}, m_docks->bar()}, 0);
  m_messages->setParent(centre);  // over what is shown
  setCentralWidget(centre);
  m_train->curves()->setFirstSteps({action(QStringLiteral("run.new")), action(QStringLiteral("file.sample")),
                                    action(QStringLiteral("file.import"))});
  m_train->runs()->setEmptyText(tr("No runs yet."));
  m_train->runs()->setActions(m_runActions->ordered().toList(), {});  // the middle says what to do
}

void MainWindow::makeDocks() {
  using Place = WindowDocks::Place;
  m_docks->add("runs", tr("Runs"), "curves", m_train->runs(), Place::Side);
  m_docks->setListHeight([this] { return m_train->runs()->naturalHeight(); });
  connect(m_train->runs(), &RunTablePanel::naturalHeightChanged, m_docks, &WindowDocks::fitColumn);
  m_docks->add("details", tr("Details"), "details", m_train->details(), Place::Side);
  connect(m_docks->toggle("details"), &QAction::toggled, m_messages, &MessageBar::place);
  m_docks->add("log", tr("Log"), "log", m_train->log(), Place::Below);
  m_docks->add("queue", tr("Queue"), "queue", m_train->queue(), Place::Below);
  m_docks->add("grid", tr("Grids"), "grid", m_train->grid(), Place::Below);
}

// --- session

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (m_painted) return;
  m_painted = true;
  m_docks->painted();
  QTimer::singleShot(0, this, &MainWindow::firstPainted);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  saveSession();
  QMainWindow::closeEvent(event);
}

bool MainWindow::event(QEvent* event) {
  // An action's tool tip says what it does; in the status bar it would hide the runs and the queue.
  return event->type() == QEvent::StatusTip || QMainWindow::event(event);
}

// F1 where nothing nearer has taken it.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_F1) return QMainWindow::keyPressEvent(event);
  helpHere();
}

// --- the project

void MainWindow::openProject(const QString& path, bool create) {
  m_opener->open(path, create);
  refreshState();
}

void MainWindow::projectOpened(const QString& path) {
  m_workspaces->reset();
  m_undo.clear();
  m_expects = false;
  m_session->setText(session::kProject, path);
  m_session->addRecentProject(path);
  if (m_service.readOnly())
    m_messages->showNote(tr(
        "The project cannot be written to: everything can be looked at, nothing changed. To train or edit, "
        "copy its folder to a place you can write to, or change its permissions."));
  // A form that another window handed over may come after what is in sight.
  if (m_train->isHandedForm())
    QTimer::singleShot(0, m_train, [this] { m_train->newRun(); });
  else if (m_train->engine() == nullptr)
    m_train->newRun()->askEngine();
  m_workspaces->get(m_shown)->activate();
  refreshState();
}

void MainWindow::refreshState() {
  const bool open = m_service.isOpen();
  m_centre->setCurrentWidget(open ? m_workspaces->get(m_shown)->widget() : m_welcome);
  m_workspaces->refreshActions(open);
  m_docks->setEnabled(open);
  showDocks();
  m_actions->enable(
      {"run.new", "run.grid", "run.data", "view.curves", "file.sources", "file.places", "file.export"}, open);
  m_actions->enable({"run.script", "file.import_attention", "file.clean", "run.restore"},
                    open && !m_service.readOnly());
  m_actions->enable({"file.import", "file.import_follow"}, !open || !m_service.readOnly());
  const QString name = QFileInfo(m_service.path()).completeBaseName();
  setWindowTitle(!open                  ? QStringLiteral("Fathom")
                 : m_service.readOnly() ? tr("Fathom — %1 (read-only)").arg(name)
                                        : tr("Fathom — %1").arg(name));
  m_status->refresh();
}

void MainWindow::dropRuns(const QStringList& runs) {
  QStringList known = runs;
  known.removeIf([this](const QString& uuid) { return m_train->runModel()->run(uuid) == nullptr; });
  if (!known.isEmpty()) m_workspaces->get(m_shown)->takeRuns(known);
}

}  // namespace fathom
