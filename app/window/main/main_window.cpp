// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/command.h"
#include "app/runner/engine_description.h"
#include "app/window/appearance.h"
#include "app/window/attention/attention_actions.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_actions.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/figures/figures_actions.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/command_dialog.h"
#include "app/window/main/window_actions.h"
#include "app/window/main/window_docks.h"
#include "app/window/main/window_status.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/sample_analysis_job.h"
#include "app/window/train/train_workspace.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/panels/train/grid_panel.h"
#include "views/panels/train/log_panel.h"
#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"
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
      m_slots{Slot{"train", session::kCurves, nullptr, m_train},
              Slot{"attention", session::kAttention, new AttentionActions(this)},
              Slot{"errors", session::kErrors, new ErrorsActions(this)},
              Slot{"figures", session::kFigures, new FiguresActions(this)}},
      m_actions(new WindowActions(this, *appearance)),
      m_docks(new WindowDocks(this, session)),
      m_palette(new CommandPalette(this)) {
  m_messages->setWorkspace(QStringLiteral("train"));
  setWindowTitle(QStringLiteral("Fathom"));
  setObjectName(QStringLiteral("mainWindow"));
  setAcceptDrops(true);
  resize(1280, 800);
  makeDocks();
  makeActions();
  makeMenus();
  m_actions->makeRail();
  m_actions->makeToolbar();
  makePages();
  m_status = new WindowStatus(statusBar(), &m_service, m_train, &m_jobs);
  m_docks->layOut();
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
  connectTrain();
  refreshState();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectTrain() {
  connect(m_train->runs(), &RunTablePanel::layoutChanged, this,
          [this] { m_session->setBytes(session::kColumns, m_train->runs()->saveLayout()); });
  // Both are commands of the list: the same dialog as from the menu, filled with the selected runs.
  const auto offer = [this](const char* id) {
    if (const Command* command = findCommand(id)) runCommand(*command);
  };
  connect(m_train->curves(), &CurveStack::exportRequested, this, [offer] { offer("export-figure"); });
  connect(m_runActions, &RunActions::predictionsRequested, this, [this](const RunItem& run) {
    showWorkspace(WorkspaceId::Errors);
    errors()->openRun(run);
  });
  connect(m_runActions, &RunActions::archiveRequested, this, [offer] { offer("export-run"); });
  connect(m_train->pages(), &QStackedWidget::currentChanged, this, [this](int page) {
    if (page != 0) showWorkspace(WorkspaceId::Train);
    showDocksFor(page);
  });
}

QAction* MainWindow::action(const QString& id) const {
  return m_actions->action(id);
}

// --- workspaces

Workspace* MainWindow::make(WorkspaceId id) {
  switch (id) {
    case WorkspaceId::Train:
      return m_train;
    case WorkspaceId::Attention: {
      auto* made = new AttentionWorkspace(
          {&m_service, &m_jobs, m_messages, &m_files, &m_selection, m_train->runModel(),
           static_cast<AttentionActions*>(slot(id).actions), [this] { return m_train->engine(); }, this});
      connect(m_train, &TrainWorkspace::runsChanged, made, &AttentionWorkspace::runsChanged);
      connect(m_train, &TrainWorkspace::engineKnown, made, &AttentionWorkspace::engineKnown);
      return made;
    }
    case WorkspaceId::Errors:
      return new ErrorsWorkspace(&m_service, &m_jobs, m_messages, &m_files, &m_selection,
                                 static_cast<ErrorsActions*>(slot(id).actions), this);
    case WorkspaceId::Figures:
      return new FiguresWorkspace(&m_service, &m_jobs, m_messages, &m_files, &m_selection,
                                  static_cast<FiguresActions*>(slot(id).actions), this);
  }
  return nullptr;
}

Workspace* MainWindow::workspace(WorkspaceId id) {
  Slot& place = slot(id);
  if (place.made == nullptr) {
    place.made = make(id);
    m_centre->addWidget(place.made->widget());
    place.made->restoreView(m_session->bytes(place.key));
  }
  return place.made;
}

ErrorsWorkspace* MainWindow::errors() {
  return static_cast<ErrorsWorkspace*>(workspace(WorkspaceId::Errors));
}

AttentionWorkspace* MainWindow::attention() {
  return static_cast<AttentionWorkspace*>(workspace(WorkspaceId::Attention));
}

FiguresWorkspace* MainWindow::figures() {
  return static_cast<FiguresWorkspace*>(workspace(WorkspaceId::Figures));
}

void MainWindow::showWorkspace(WorkspaceId id) {
  m_shown = id;
  Workspace* shown = workspace(id);
  const QString name = QString::fromLatin1(slot(id).name);
  action(QStringLiteral("view.") + name)->setChecked(true);
  m_messages->setWorkspace(name);
  // A wide workspace and the docks never share the window: one would press the other.
  const bool train = id == WorkspaceId::Train;
  if (!train) showDocksFor(m_train->pages()->currentIndex());
  refreshState();
  if (train) showDocksFor(m_train->pages()->currentIndex());
  // The buttons of that bar are about runs. After the docks: their state holds the bars too.
  if (auto* bar = findChild<QToolBar*>(QStringLiteral("actions"))) bar->setVisible(train);
  m_session->setText(session::kWorkspace, name);
  shown->activate();
}

void MainWindow::showDocksFor(int page) {
  m_docks->setShown(page == 0 && m_shown == WorkspaceId::Train);
}

void MainWindow::nextPanel() {
  const QList<QWidget*> places = workspace(m_shown)->places();
  int at = 0;
  for (int i = 0; i < places.size(); ++i)
    if (places[i]->isAncestorOf(QApplication::focusWidget())) at = i + 1;
  QWidget* next = places[at % places.size()];
  for (QWidget* child : next->findChildren<QWidget*>()) {
    if (!child->isVisible() || !child->isEnabled() || !(child->focusPolicy() & Qt::TabFocus)) continue;
    child->setFocus(Qt::TabFocusReason);
    return;
  }
}

void MainWindow::goToFilter() {
  if (workspace(m_shown)->focusFilter()) return;
  m_docks->raise("runs");
  m_train->runs()->filterBox()->setFocus(Qt::ShortcutFocusReason);
  m_train->runs()->filterBox()->selectAll();
}

// --- actions

void MainWindow::makeActions() {
  for (std::size_t i = 0; i < m_slots.size(); ++i) {
    const auto id = static_cast<WorkspaceId>(i);
    m_actions->on(("view." + std::string(m_slots[i].name)).c_str(), [this, id] {
      if (id == WorkspaceId::Train) m_train->showCurves();
      showWorkspace(id);
    });
    if (m_slots[i].actions == nullptr) continue;
    m_slots[i].actions->setOpener([this, id] {
      if (m_shown != id) showWorkspace(id);
    });
    m_actions->include(m_slots[i].actions->ordered());
  }
  m_actions->on("file.new", [this] { chooseProject(true); });
  m_actions->on("file.open", [this] { chooseProject(false); });
  m_actions->on("file.sample", [this] { openSample(); });
  m_actions->on("file.window", [this] { Q_EMIT newWindowRequested(); });
  m_actions->on("file.close", [this] { close(); });
  m_actions->on("file.quit", [] { QApplication::closeAllWindows(); });
  m_actions->on("edit.undo", [this] {
    if (!workspace(m_shown)->undo()) m_train->undo();
  });
  m_actions->on("edit.redo", [this] {
    if (!workspace(m_shown)->redo()) m_train->redo();
  });
  m_actions->on("edit.filter", [this] { goToFilter(); });
  m_actions->on("view.palette", [this] { showPalette(); });
  m_actions->on("view.curves", [this] { action(QStringLiteral("view.train"))->trigger(); });
  m_actions->on("view.next_panel", [this] { nextPanel(); });
  m_actions->on("view.reset", [this] { resetLayout(); });
  m_actions->on("view.full", [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  m_actions->onGroup("theme.", [this](const QString& theme) {
    m_appearance->setTheme(theme);
    m_session->setText(session::kTheme, theme);
  });
  m_actions->onGroup("language.", [this](const QString& id) { Q_EMIT languageRequested(id); });
  m_actions->on("run.new", [this] {
    showWorkspace(WorkspaceId::Train);
    m_train->showNewRun();
  });
  m_actions->on("run.data", [this] {
    showWorkspace(WorkspaceId::Train);
    m_train->showData();
    m_train->newRun()->readData();
  });
  m_actions->include(m_runActions->ordered());
  // Del belongs to the table: typed elsewhere it means something else.
  for (QAction* each : m_runActions->ordered()) {
    if (each == nullptr || each->shortcut() != QKeySequence(QKeySequence::Delete)) continue;
    each->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_train->runs()->addAction(each);
  }
  m_actions->on("engine.refresh", [this] { m_train->newRun()->askEngine(true); });
  m_actions->on("help.pages", [this] { HelpWindow::openAt(this, {})->searchBox()->setFocus(); });
  m_actions->on("help.about", [this] { about(); });
}

void MainWindow::makeMenus() {
  const auto commands = [this](const char* group, QMenu* menu) {
    m_actions->addCommands(group, menu, [this](const Command& command) { runCommand(command); });
  };
  QMenu* file = m_actions->addMenu(tr("&File"));
  m_actions->fill(file, {"file.new", "file.open", "file.sample"});
  m_recent = file->addMenu(tr("Open &recent"));
  connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
  commands("Project", file);
  m_actions->fill(file, {"", "file.window", "file.close", "file.quit"});
  m_actions->fill(m_actions->addMenu(tr("&Edit")), {"edit.undo", "edit.redo", "", "edit.filter"});
  QMenu* view = m_actions->addMenu(tr("&View"));
  m_actions->fill(view, {"view.palette", "", "view.train", "view.attention", "view.errors", "view.figures",
                         "view.curves", ""});
  QMenu* panels = view->addMenu(tr("&Panels"));
  for (const char* id : {"runs", "details", "log", "queue", "grid"}) panels->addAction(m_docks->toggle(id));
  m_actions->fill(view, {"view.next_panel", "view.reset", ""});
  m_actions->fill(view->addMenu(tr("The&me")), {"theme.system", "theme.light", "theme.dark"});
  QMenu* languages = view->addMenu(tr("&Language"));
  for (const auto& [id, title] : Appearance::languages())
    languages->addAction(action(QStringLiteral("language.") + id));
  m_actions->fill(view, {"view.full"});
  QMenu* run = m_actions->addMenu(tr("R&un"));
  m_actions->fill(run, {"run.new", "run.data", ""});
  m_actions->fill(run, m_runActions->ordered());
  commands("Run", run);
  m_actions->fill(m_actions->addMenu(tr("Ana&lyse")), slot(WorkspaceId::Attention).actions->ordered());
  QMenu* errors = m_actions->addMenu(tr("E&rrors"));
  m_actions->fill(errors, slot(WorkspaceId::Errors).actions->ordered());
  commands("Text-to-SQL", errors);
  QMenu* figures = m_actions->addMenu(tr("F&igures"));
  m_actions->fill(figures, slot(WorkspaceId::Figures).actions->ordered());
  commands("Figure", figures);
  QMenu* tools = m_actions->addMenu(tr("&Tools"));
  commands("Tools", tools);
  if (tools->isEmpty()) delete tools;
  m_actions->fill(m_actions->addMenu(tr("&Help")),
                  {"view.palette", "help.pages", "engine.refresh", "help.about"});
  for (QMenu* menu : menuBar()->findChildren<QMenu*>()) menu->setToolTipsVisible(true);
}

void MainWindow::fillRecent() {
  m_recent->clear();
  for (const QString& path : m_session->recentProjects()) {
    QAction* action = m_recent->addAction(literalActionText(QFileInfo(path).completeBaseName()));
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { openProject(path); });
  }
  if (m_recent->isEmpty()) m_recent->addAction(tr("None yet"))->setEnabled(false);
}

void MainWindow::showPalette() {
  fillRecent();
  m_palette->setActions(m_actions->listed());
  m_palette->popUp();
}

// --- what the window is made of

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
  m_centre->addWidget(m_train->widget());
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
  m_docks->add("runs", tr("Runs"), m_train->runs());
  m_docks->add("queue", tr("Queue"), m_train->queue());
  m_docks->add("grid", tr("Grids"), m_train->grid());
  m_docks->add("log", tr("Log"), m_train->log());
  m_docks->add("details", tr("Details"), m_train->details());
}

// --- session

void MainWindow::resetLayout() {
  m_train->showCurves();
  showWorkspace(WorkspaceId::Train);
  m_docks->layOut();
  m_docks->save();
}

void MainWindow::restoreSession() {
  const QByteArray geometry = m_session->bytes(session::kGeometry);
  if (!geometry.isEmpty()) restoreGeometry(geometry);
  m_docks->restore();
  m_train->runs()->restoreLayout(m_session->bytes(session::kColumns));
  m_train->restoreView(m_session->bytes(session::kCurves));
  const QString name = m_session->text(session::kWorkspace);
  for (const WorkspaceId id : {WorkspaceId::Attention, WorkspaceId::Errors, WorkspaceId::Figures})
    if (name == QLatin1String(slot(id).name)) showWorkspace(id);
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

void MainWindow::saveSession() {
  m_session->setBytes(session::kGeometry, saveGeometry());
  m_docks->save();
  m_session->setBytes(session::kColumns, m_train->runs()->saveLayout());
  for (const Slot& each : m_slots) {
    if (each.made == nullptr) continue;
    each.made->keep();
    m_session->setBytes(each.key, each.made->saveView());
  }
  m_session->flush();
}

void MainWindow::takeOver(const MainWindow& other) {
  m_train->takeOver(*other.m_train);
}

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

// --- the project

void MainWindow::openProject(const QString& path, bool create) {
  for (const Slot& each : m_slots)
    if (each.made != nullptr) each.made->reset();
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
  workspace(m_shown)->activate();
  refreshState();
}

void MainWindow::refreshState() {
  const bool open = m_service.isOpen();
  m_centre->setCurrentWidget(open ? workspace(m_shown)->widget() : m_welcome);
  for (const Slot& each : m_slots) {
    if (each.actions == nullptr) continue;
    each.actions->setProjectOpen(open);
    if (each.made != nullptr) each.made->refreshActions();
  }
  m_docks->setEnabled(open);
  m_actions->enable({"run.new", "run.data", "file.import", "view.curves"}, open);
  const QString name = QFileInfo(m_service.path()).completeBaseName();
  setWindowTitle(open ? tr("Fathom — %1").arg(name) : QStringLiteral("Fathom"));
  m_status->refresh();
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

// --- commands

void MainWindow::openSample() {
  const Command* command = findCommand("open-sample");
  const QString origin = QStringLiteral("sample");
  m_jobs.start<CommandOutput>(
      tr("Making the sample"), origin,
      [command](Progress& progress, const StopToken& stop) {
        CommandContext context;
        context.options = OptionValues(OptionSchema(command->fields, {}));
        return command->run(context, progress, stop);
      },
      [this, origin](const Result<CommandOutput>& made) {
        if (made.ok()) {
          openProject(fromUtf8(made->openProject));
        } else {
          m_messages->showError(made.error(), origin);
        }
      });
}

// What people call a run where only one is called that and a list of words can hold it; else its UUID.
QString MainWindow::wordOfRun(const QString& uuid) const {
  const RunTableModel* model = m_train->runModel();
  const RunItem* run = model->run(uuid);
  if (run == nullptr || run->folder.isEmpty() || run->name.isEmpty() ||
      run->name.contains(QLatin1Char(',')) || run->name.trimmed() != run->name)
    return uuid;
  const auto sameName = [run](const RunItem& other) { return other.name == run->name; };
  const QVector<RunItem>& all = model->runs();
  return std::count_if(all.cbegin(), all.cend(), sameName) == 1 ? run->name : uuid;
}

void MainWindow::runCommand(const Command& command) {
  QHash<QString, QString> start;
  if (command.id == "export-figure") start.insert(QStringLiteral("set"), m_train->curves()->figureOptions());
  // What is selected is not in the trash.
  QStringList runs;
  if (command.id != "restore")
    for (const QString& uuid : m_selection.of(Dimension::Run).items) runs.append(wordOfRun(uuid));
  auto* dialog = new CommandDialog(command, m_service.path(), runs, start, &m_jobs, &m_files, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &CommandDialog::ran, this, [this] { m_service.refresh(); });
  connect(dialog, &CommandDialog::projectMade, this, [this](const QString& path) { openProject(path); });
  dialog->show();
}

void MainWindow::about() {
  auto* box = new QMessageBox(this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(tr("About Fathom"));
  box->setTextFormat(Qt::RichText);
  box->setText(QStringLiteral("<b>Fathom %1</b>").arg(QStringLiteral(FATHOM_VERSION)));
  QString engine = tr("The engine has not been asked yet.");
  if (const EngineDescription* known = m_train->engine())
    engine = tr("Engine %1: %2").arg(fromUtf8(known->version), fromUtf8(known->path));
  box->setInformativeText(  // plain, as the engine's path is not ours
      tr("A workbench for training deep Transformers and seeing why they train.") + QStringLiteral("\n\n") +
      engine + QLatin1Char('\n') + tr("Qt %1").arg(QString::fromLatin1(qVersion())) + QStringLiteral("\n\n") +
      tr("core/ is licensed under Apache-2.0, the window under the GNU GPL, version 3 or later."));
  box->open();
}

}  // namespace fathom
