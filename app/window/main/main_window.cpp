// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QVBoxLayout>

#include "app/command.h"
#include "app/runner/engine_description.h"
#include "app/window/appearance.h"
#include "app/window/attention/attention_actions.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_actions.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/figures/figures_actions.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/sample_analysis_job.h"
#include "app/window/train/train_workspace.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/train/grid_panel.h"
#include "views/panels/train/log_panel.h"
#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/job_strip.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

// Grows when docks are added or renamed, so that an old layout is not forced on a new window.
constexpr int kLayoutVersion = 1;
constexpr int kStatusMilliseconds = 500;

}  // namespace

MainWindow::MainWindow(SessionStore* session, Appearance* appearance, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_appearance(appearance),
      m_messages(new MessageBar(this)),
      m_files(session),
      m_runActions(new RunActions(&m_service, m_messages, &m_undo, this)),
      m_train(new TrainWorkspace(&m_service, &m_jobs, m_messages, &m_files, m_runActions, &m_selection,
                                 &m_undo, this)),
      m_attentionActions(new AttentionActions([this] { return showAttention(); }, this)),
      m_errorsActions(new ErrorsActions([this] { return showErrors(); }, this)),
      m_figuresActions(new FiguresActions([this] { return showFigures(); }, this)),
      m_palette(new CommandPalette(this)) {
  m_messages->setWorkspace(QStringLiteral("train"));
  setWindowTitle(QStringLiteral("Fathom"));
  setObjectName(QStringLiteral("mainWindow"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  resize(1280, 800);
  makeDocks();
  makeFileActions();
  makeEditActions();
  makeViewActions();
  makeRunActions();
  makeAttentionActions();
  makeFiguresActions();
  makeErrorsActions();
  makeHelpActions();
  makeMenus();
  makeRail();
  makeToolbar();
  makePages();
  makeStatusBar();
  defaultLayout();
  new SampleAnalysisJob(&m_service, &m_jobs, m_messages, this);
  connect(&m_service, &ProjectService::opened, this, &MainWindow::projectOpened);
  // What is tried again has not failed yet.
  connect(&m_jobs, &JobCenter::started, m_messages, &MessageBar::begin);
  connect(&m_service, &ProjectService::openFailed, this, [this](const QString& path, const Error& error) {
    m_session->removeRecentProject(path);
    m_session->setText(session::kProject, {});
    m_messages->showError(error, QLatin1String(session::kProject));
    refreshState();
  });
  connect(m_train, &TrainWorkspace::countsChanged, this, &MainWindow::refreshStatus);
  connect(m_train->runs(), &RunTablePanel::layoutChanged, this,
          [this] { m_session->setBytes(session::kColumns, m_train->runs()->saveLayout()); });
  // Both are commands of the list: the same dialog as from the menu, filled with the selected runs.
  const auto offer = [this](const char* id) {
    if (const Command* command = findCommand(id)) runCommand(*command);
  };
  connect(m_train->curves(), &CurveStack::exportRequested, this, [offer] { offer("export-figure"); });
  connect(m_runActions, &RunActions::predictionsRequested, this,
          [this](const RunItem& run) { showErrors()->openRun(run); });
  connect(m_runActions, &RunActions::archiveRequested, this, [offer] { offer("export-run"); });
  connect(m_train, &TrainWorkspace::engineKnown, this, &MainWindow::refreshStatus);
  connect(m_train->pages(), &QStackedWidget::currentChanged, this, &MainWindow::showDocksFor);
  refreshState();
}

MainWindow::~MainWindow() = default;

void MainWindow::makePages() {
  m_welcome = new EmptyState(this);
  m_welcome->setText(tr("Open a project, or look at the sample."));
  m_welcome->setActions({action(QStringLiteral("file.open")), action(QStringLiteral("file.new")),
                         action(QStringLiteral("file.sample"))});
  m_centre = new QStackedWidget(this);
  // What the hidden workspaces need in width must not take it from the docks of the shown one.
  connect(m_centre, &QStackedWidget::currentChanged, this, [this](int current) {
    for (int i = 0; i < m_centre->count(); ++i) {
      const auto policy = i == current ? QSizePolicy::Preferred : QSizePolicy::Ignored;
      m_centre->widget(i)->setSizePolicy(policy, policy);
    }
    m_centre->updateGeometry();  // at once: the docks may come back before the next event
    m_centre->parentWidget()->updateGeometry();
  });
  m_centre->addWidget(m_welcome);
  m_centre->addWidget(m_train->pages());
  auto* centre = new QWidget(this);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_centre, 1);
  m_messages->setParent(centre);  // over what is shown
  setCentralWidget(centre);
  m_train->curves()->setFirstSteps(
      {action(QStringLiteral("run.new")), action(QStringLiteral("file.sample"))});
  m_train->runs()->setEmptyText(tr("No runs yet. Start from a preset."));
  m_train->runs()->setActions(m_runActions->ordered().toList(), {action(QStringLiteral("run.new"))});
}

void MainWindow::makeDocks() {
  const auto dock = [this](const char* id, const QString& title, QWidget* widget) {
    auto* made = new QDockWidget(title, this);
    made->setObjectName(QString::fromLatin1(id));
    made->setWidget(widget);
    // Floating docks cannot be docked again under Wayland with this Qt.
    made->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    m_docks.insert(made->objectName(), made);
  };
  dock("runs", tr("Runs"), m_train->runs());
  dock("queue", tr("Queue"), m_train->queue());
  dock("grid", tr("Grids"), m_train->grid());
  dock("log", tr("Log"), m_train->log());
  dock("details", tr("Details"), m_train->details());
}

void MainWindow::defaultLayout() {
  for (QDockWidget* dock : std::as_const(m_docks)) {
    removeDockWidget(dock);
    dock->setFloating(false);
  }
  addDockWidget(Qt::LeftDockWidgetArea, m_docks[QStringLiteral("runs")]);
  addDockWidget(Qt::BottomDockWidgetArea, m_docks[QStringLiteral("log")]);
  addDockWidget(Qt::BottomDockWidgetArea, m_docks[QStringLiteral("queue")]);
  addDockWidget(Qt::BottomDockWidgetArea, m_docks[QStringLiteral("grid")]);
  addDockWidget(Qt::RightDockWidgetArea, m_docks[QStringLiteral("details")]);
  tabifyDockWidget(m_docks[QStringLiteral("log")], m_docks[QStringLiteral("queue")]);
  tabifyDockWidget(m_docks[QStringLiteral("queue")], m_docks[QStringLiteral("grid")]);
  for (QDockWidget* dock : std::as_const(m_docks)) dock->show();
  m_docks[QStringLiteral("log")]->raise();
  resizeDocks({m_docks[QStringLiteral("runs")], m_docks[QStringLiteral("details")]}, {400, 256},
              Qt::Horizontal);
  resizeDocks({m_docks[QStringLiteral("log")]}, {190}, Qt::Vertical);
}

void MainWindow::resetLayout() {
  m_train->showCurves();
  showWorkspace(Workspace::Train);
  defaultLayout();
  m_session->setBytes(session::kDocks, saveState(kLayoutVersion));
}

void MainWindow::showDocksFor(int page) {
  const bool curves = page == 0 && m_workspace == Workspace::Train;
  if (!curves && !m_docksHidden) {
    m_docksBeforePage = docksToKeep();
    m_docksHidden = true;
    for (QDockWidget* dock : std::as_const(m_docks)) dock->hide();
  } else if (curves && m_docksHidden) {
    m_docksHidden = false;
    if (!restoreState(m_docksBeforePage, kLayoutVersion)) defaultLayout();
  }
  QTimer::singleShot(0, this, &MainWindow::tendTabBars);
}

// Before the first painting the window has no size yet, and so its docks have none worth keeping.
QByteArray MainWindow::docksToKeep() const {
  if (m_docksHidden) return m_docksBeforePage;
  return m_painted ? saveState(kLayoutVersion) : m_session->bytes(session::kDocks);
}

// The bars of docks that share a place are Qt's own: nameless, and a stop of Tab even without a tab.
void MainWindow::tendTabBars() {
  for (QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    bar->setAccessibleName(tr("Panels that share a place"));
    bar->setFocusPolicy(bar->count() > 0 ? Qt::TabFocus : Qt::NoFocus);
  }
}

void MainWindow::restoreSession() {
  const QByteArray geometry = m_session->bytes(session::kGeometry);
  if (!geometry.isEmpty()) restoreGeometry(geometry);
  const QByteArray docks = m_session->bytes(session::kDocks);
  if (!docks.isEmpty()) restoreState(docks, kLayoutVersion);
  QTimer::singleShot(0, this, &MainWindow::tendTabBars);
  m_train->runs()->restoreLayout(m_session->bytes(session::kColumns));
  m_train->curves()->restoreView(m_session->bytes(session::kCurves));
  const QString workspace = m_session->text(session::kWorkspace);
  if (workspace == QLatin1String("errors")) showWorkspace(Workspace::Errors);
  if (workspace == QLatin1String("figures")) showWorkspace(Workspace::Figures);
  if (workspace == QLatin1String("attention")) showWorkspace(Workspace::Attention);
  const QString project = m_session->text(session::kProject);
  if (project.isEmpty()) return;
  if (m_painted) {
    openProject(project);
  } else {
    connect(
        this, &MainWindow::firstPainted, this, [this, project] { openProject(project); },
        Qt::SingleShotConnection);
  }
}

void MainWindow::openProject(const QString& path, bool create) {
  m_train->reset();
  if (m_errors != nullptr) m_errors->reset();
  if (m_figures != nullptr) m_figures->reset();
  if (m_attention != nullptr) m_attention->reset();
  m_undo.clear();
  m_messages->closeErrors(QLatin1String(session::kProject));
  m_service.open(QDir(path).absolutePath(), create);
  refreshState();
}

void MainWindow::projectOpened(const QString& path) {
  m_session->setText(session::kProject, path);
  m_session->addRecentProject(path);
  if (m_service.readOnly())
    m_messages->showNote(tr(
        "The project cannot be written to: everything can be looked at, nothing changed. To train or edit, "
        "copy its folder to a place you can write to, or change its permissions."));
  if (m_train->engine() == nullptr) m_train->newRun()->askEngine();
  if (m_workspace == Workspace::Errors) m_errors->activate();
  if (m_workspace == Workspace::Figures) m_figures->activate();
  if (m_workspace == Workspace::Attention) m_attention->activate();
  refreshState();
}

void MainWindow::refreshState() {
  const bool open = m_service.isOpen();
  m_centre->setCurrentWidget(open ? workspaceWidget() : m_welcome);
  m_figuresActions->refresh(m_figures, open);
  for (QDockWidget* dock : std::as_const(m_docks)) dock->setEnabled(open);
  for (const char* id : {"run.new", "run.data", "file.import", "view.curves", "errors.open", "errors.sample"})
    if (QAction* found = action(QString::fromLatin1(id))) found->setEnabled(open);
  const QString name = QFileInfo(m_service.path()).completeBaseName();
  setWindowTitle(open ? tr("Fathom — %1").arg(name) : QStringLiteral("Fathom"));
  refreshStatus();
}

void MainWindow::makeStatusBar() {
  m_counts = new QLabel(this);
  m_device = new QLabel(this);
  m_age = new QLabel(this);
  m_jobStrip = new JobStrip(this);
  for (QLabel* label : {m_counts, m_device, m_age}) {
    label->setContentsMargins(metrics::kMargin, 0, metrics::kMargin, 0);
    statusBar()->addWidget(label);
  }
  statusBar()->addPermanentWidget(m_jobStrip);
  connect(&m_jobs, &JobCenter::shownJobsChanged, m_jobStrip, &JobStrip::setJobs);
  connect(m_jobStrip, &JobStrip::cancelRequested, &m_jobs, &JobCenter::cancel);
  m_status.setInterval(kStatusMilliseconds);
  connect(&m_status, &QTimer::timeout, this, &MainWindow::refreshStatus);
  m_status.start();
}

void MainWindow::refreshStatus() {
  const bool open = m_service.isOpen();
  const QString counts =
      m_train->paused() ? tr("%1 running · %2 queued, paused") : tr("%1 running · %2 queued");
  m_counts->setText(open ? counts.arg(m_train->running()).arg(m_train->queued()) : QString());
  const double age = m_train->lastEventAge();
  const bool live = open && m_train->running() > 0 && age >= 0;
  m_age->setText(live ? tr("last event %1 s ago").arg(QLocale().toString(age, 'f', age < 10 ? 1 : 0))
                      : QString());
  QString device;
  if (const EngineDescription* engine = m_train->engine()) {
    QString gpu;
    for (const EngineDevice& each : engine->devices)
      if (each.id != "cpu" && each.available && gpu.isEmpty()) gpu = fromUtf8(each.title);
    device = gpu.isEmpty() ? tr("GPU none") : gpu;
  }
  m_device->setText(open ? device : QString());
}

void MainWindow::chooseProject(bool create) {
  QString start = m_files.start(FileKind::Project);
  if (m_service.isOpen()) start = QFileInfo(m_service.path()).absolutePath();
  if (start.isEmpty()) start = QDir::homePath();
  QString path = create ? m_files.toWrite(this, FileKind::Project, tr("New project"),
                                          QDir(start).filePath(QStringLiteral("project.fathom")),
                                          tr("Fathom projects (*.fathom)"))
                        : m_files.folder(this, FileKind::Project, tr("Open a project"), start);
  if (path.isEmpty()) return;
  if (create && QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".fathom");
  openProject(path, create);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths.append(url.toLocalFile());
  dropPaths(paths);
  event->acceptProposedAction();
}

void MainWindow::dropPaths(const QStringList& paths) {
  for (const QString& path : paths) {
    const QDir folder(path);
    const QString origin = QStringLiteral("drop ") + path;
    m_messages->closeErrors(origin);
    if (folder.exists(QStringLiteral("library.sqlite"))) {
      openProject(path);
    } else if (folder.exists(QStringLiteral("run.json")) && m_service.isOpen()) {
      m_service.linkRun(path);
    } else if (folder.exists(QStringLiteral("run.json"))) {
      m_messages->showError(tr("A run can be shown only in a project."), tr("Open or make a project first."),
                            origin);
    } else {
      m_messages->showError(tr("%1 is neither a project nor a run.").arg(path),
                            tr("Drop a project folder or a run's folder here."), origin);
    }
  }
}

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (m_painted) return;
  m_painted = true;
  QTimer::singleShot(0, this, &MainWindow::firstPainted);
}

void MainWindow::takeOver(const MainWindow& other) {
  m_train->takeOver(*other.m_train);
}

void MainWindow::saveSession() {
  m_session->setBytes(session::kGeometry, saveGeometry());
  m_session->setBytes(session::kDocks, docksToKeep());
  m_session->setBytes(session::kColumns, m_train->runs()->saveLayout());
  m_session->setBytes(session::kCurves, m_train->curves()->saveView());
  if (m_attention != nullptr) m_session->setBytes(session::kAttention, m_attention->saveView());
  if (m_errors != nullptr) {
    m_errors->keep();
    m_session->setBytes(session::kErrors, m_errors->saveView());
  }
  if (m_figures != nullptr) {
    m_figures->keep();
    m_session->setBytes(session::kFigures, m_figures->saveView());
  }
  m_session->flush();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  saveSession();
  QMainWindow::closeEvent(event);
}

}  // namespace fathom
