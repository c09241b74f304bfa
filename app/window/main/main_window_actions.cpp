// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>

#include "app/command.h"
#include "app/window/appearance.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/command_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/redo_key.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/train_workspace.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

// The actions of the main window: one set, from which menus, toolbar and palette are made.
namespace fathom {

namespace {

// What the names of some entries leave open.
void explain(const QHash<QString, QAction*>& actions) {
  const QPair<const char*, QString> tips[] = {
      {"file.new", MainWindow::tr("A folder that will hold runs, queue, notes and figures")},
      {"file.open", MainWindow::tr("Runs, queue and figures of a project's folder")},
      {"file.window", MainWindow::tr("A second window, on this or another project")},
      {"file.close", MainWindow::tr("Only this window; runs and queue go on")},
      {"file.quit", MainWindow::tr("Closes all windows; runs and queue go on")},
      {"edit.undo", MainWindow::tr("Takes the last edit of this workspace back")},
      {"edit.filter", MainWindow::tr("Goes to the filter of this workspace")},
      {"view.palette", MainWindow::tr("Finds any command by words of its name")},
      {"view.train", MainWindow::tr("Runs, their curves, the queue and the log")},
      {"view.errors", MainWindow::tr("Predicted SQL, and what is wrong with it")},
      {"view.figures", MainWindow::tr("Pages of several figures, at print size")},
      {"view.curves", MainWindow::tr("From a form back to the curves")},
      {"view.next_panel", MainWindow::tr("Puts the focus into the next panel")},
      {"view.reset", MainWindow::tr("Every panel where it was at first")},
      {"view.full", MainWindow::tr("Without the frame of the window, and back")},
      {"run.data", MainWindow::tr("What the model of the form will read: counts, lengths, examples")},
      {"help.pages", MainWindow::tr("What options, figures, analyses and kinds of errors mean")},
      {"help.about", MainWindow::tr("Versions of window and engine, licences")}};
  for (const auto& [id, tip] : tips)
    if (QAction* action = actions.value(QLatin1String(id))) action->setToolTip(tip);
}

}  // namespace

QAction* MainWindow::add(const char* id, const QString& text, const QString& iconName,
                         const QKeySequence& keys, std::function<void()> run) {
  auto* action = iconName.isEmpty() ? new QAction(text, this) : new QAction(icon(iconName), text, this);
  action->setObjectName(QString::fromLatin1(id));
  action->setIconText(withoutMnemonic(text));  // on the rail and the toolbar
  action->setShortcut(keys);
  connect(action, &QAction::triggered, this, std::move(run));
  addAction(action);
  m_actions.insert(action->objectName(), action);
  return action;
}

void MainWindow::makeFileActions() {
  add("file.new", tr("New pro&ject…"), QStringLiteral("new"), QKeySequence::New,
      [this] { chooseProject(true); });
  add("file.open", tr("&Open project…"), QStringLiteral("project"), QKeySequence::Open,
      [this] { chooseProject(false); });
  add("file.sample", tr("Look at the &sample"), QStringLiteral("curves"), {}, [this] {
    openSample();
  })->setToolTip(tr("A small project whose models train in front of you"));
  add("file.window", tr("New &window"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
      [this] { Q_EMIT newWindowRequested(); });
  add("file.close", tr("&Close window"), {}, QKeySequence::Close, [this] { close(); });
  add("file.quit", tr("&Quit"), {}, QKeySequence::Quit, [] { QApplication::closeAllWindows(); });
}

void MainWindow::makeEditActions() {
  const auto target = [this]() -> QUndoStack* {
    if (m_train->pages()->currentIndex() != 1 || !m_train->pages()->isVisible()) return &m_undo;
    ExperimentDraft* draft = m_train->newRun()->draft();
    return draft != nullptr ? draft->undoStack() : &m_undo;
  };
  add("edit.undo", tr("&Undo"), QStringLiteral("undo"), QKeySequence::Undo, [this, target] {
    if (m_workspace == Workspace::Errors) return m_errors->undo();
    if (m_workspace == Workspace::Figures) return m_figures->undo();
    target()->undo();
  });
  QAction* redo = add("edit.redo", tr("&Redo"), QStringLiteral("redo"), {}, [this, target] {
    if (m_workspace == Workspace::Errors) return m_errors->redo();
    if (m_workspace == Workspace::Figures) return m_figures->redo();
    target()->redo();
  });
  redo->setShortcuts(redoKeys());
  redo->setToolTip(redo->iconText());
  redo->setText(redo->text() + QLatin1Char('\t') + keysText(redoKeys()));  // a menu shows one key by itself
  add("edit.filter", tr("&Filter"), QStringLiteral("search"), QKeySequence::Find, [this] {
    if (m_workspace == Workspace::Figures) return m_figures->focusFilter();
    if (m_workspace == Workspace::Errors) {
      m_errors->predictions()->filterBox()->setFocus(Qt::ShortcutFocusReason);
      m_errors->predictions()->filterBox()->selectAll();
      return;
    }
    m_docks[QStringLiteral("runs")]->show();
    m_docks[QStringLiteral("runs")]->raise();
    m_train->runs()->filterBox()->setFocus(Qt::ShortcutFocusReason);
    m_train->runs()->filterBox()->selectAll();
  });
}

void MainWindow::makeViewActions() {
  add("view.palette", tr("&Commands…"), QStringLiteral("commands"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] { showPalette(); });
  add("view.train", tr("&Train"), QStringLiteral("train"), QKeySequence(Qt::CTRL | Qt::Key_1), [this] {
    m_train->showCurves();
    showWorkspace(Workspace::Train);
  })->setCheckable(true);
  action(QStringLiteral("view.train"))->setChecked(true);
  add("view.curves", tr("Cur&ves"), QStringLiteral("curves"), QKeySequence(Qt::CTRL | Qt::Key_L),
      [this] { action(QStringLiteral("view.train"))->trigger(); });
  add("view.next_panel", tr("&Next panel"), {}, QKeySequence(Qt::Key_F6), [this] { nextPanel(); });
  add("view.reset", tr("&Reset layout"), {}, {}, [this] { resetLayout(); });
  add("view.full", tr("F&ull screen"), {}, QKeySequence::FullScreen,
      [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  auto* themes = new QActionGroup(this);
  const QPair<const char*, QString> choices[] = {
      {"system", tr("As the &system")}, {"light", tr("&Light")}, {"dark", tr("&Dark")}};
  for (const auto& [id, title] : choices) {
    const QString theme = QString::fromLatin1(id);
    const QByteArray name = QByteArray("theme.") + id;
    QAction* action = add(name.constData(), title, {}, {}, [this, theme] {
      m_appearance->setTheme(theme);
      m_session->setText(session::kTheme, theme);
    });
    action->setCheckable(true);
    action->setChecked(m_appearance->theme() == theme);
    themes->addAction(action);
  }
  auto* languages = new QActionGroup(this);
  for (const auto& [id, title] : Appearance::languages()) {
    const QByteArray name = "language." + id.toLatin1();
    QAction* action = add(name.constData(), title, {}, {}, [this, id = id] { Q_EMIT languageRequested(id); });
    action->setCheckable(true);
    action->setChecked(m_appearance->language() == id ||
                       (m_appearance->language().isEmpty() && QLocale().name() == id));
    languages->addAction(action);
  }
}

void MainWindow::makeRunActions() {
  add("run.new", tr("&New run"), QStringLiteral("new"), QKeySequence(Qt::CTRL | Qt::Key_R), [this] {
    showWorkspace(Workspace::Train);
    m_train->showNewRun();
  })->setToolTip(tr("Choose a preset, change options, train"));
  add("run.data", tr("Look at the &data"), QStringLiteral("data"), {}, [this] {
    showWorkspace(Workspace::Train);
    m_train->showData();
    m_train->newRun()->readData();
  });
  for (QAction* action : m_runActions->ordered()) {
    if (action == nullptr) continue;
    m_actions.insert(action->objectName(), action);
    // Del belongs to the table: typed elsewhere it means something else.
    if (action->shortcut() == QKeySequence(QKeySequence::Delete)) {
      action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
      m_train->runs()->addAction(action);
    }
  }
}

void MainWindow::makeHelpActions() {
  add("engine.refresh", tr("Ask the &engine again"), QStringLiteral("retry"), {}, [this] {
    m_train->newRun()->askEngine(true);
  })->setToolTip(tr("Needed only when another engine was installed under the same name"));
  add("help.pages", tr("&Pages of the help"), {}, {},
      [this] { HelpWindow::openAt(this, {})->searchBox()->setFocus(); });
  add("help.about", tr("&About Fathom"), QStringLiteral("info"), {}, [this] { about(); });
}

void MainWindow::addCommands(const char* group, QMenu* menu) {
  bool first = true;
  for (const Command& command : commandEntries()) {
    if (!command.inMenu || command.group != group) continue;
    if (first && !menu->isEmpty()) menu->addSeparator();
    first = false;
    const QString title = QCoreApplication::translate("Command", command.title.c_str());
    auto* action = new QAction(tr("%1…").arg(title), this);
    action->setObjectName(fromUtf8(command.id));
    action->setToolTip(QCoreApplication::translate("Command", command.description.c_str()));
    connect(action, &QAction::triggered, this, [this, &command] { runCommand(command); });
    m_actions.insert(action->objectName(), action);
    menu->addAction(action);
  }
}

void MainWindow::makeMenus() {
  const auto fill = [this](QMenu* menu, std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
      if (*id == '\0') {
        menu->addSeparator();
      } else {
        menu->addAction(action(QString::fromLatin1(id)));
      }
    }
  };
  explain(m_actions);
  QMenu* file = menuBar()->addMenu(tr("&File"));
  fill(file, {"file.new", "file.open", "file.sample"});
  m_recent = file->addMenu(tr("Open &recent"));
  connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
  addCommands("Project", file);
  fill(file, {"", "file.window", "file.close", "file.quit"});
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  fill(edit, {"edit.undo", "edit.redo", "", "edit.filter"});
  QMenu* view = menuBar()->addMenu(tr("&View"));
  fill(view, {"view.palette", "", "view.train", "view.attention", "view.errors", "view.figures",
              "view.curves", ""});
  QMenu* panels = view->addMenu(tr("&Panels"));
  for (const char* id : {"runs", "details", "log", "queue", "grid"})
    panels->addAction(m_docks[QString::fromLatin1(id)]->toggleViewAction());
  fill(view, {"view.next_panel", "view.reset", ""});
  fill(view->addMenu(tr("The&me")), {"theme.system", "theme.light", "theme.dark"});
  QMenu* languages = view->addMenu(tr("&Language"));
  for (const auto& [id, title] : Appearance::languages())
    languages->addAction(action(QStringLiteral("language.") + id));
  fill(view, {"view.full"});
  QMenu* run = menuBar()->addMenu(tr("R&un"));
  fill(run, {"run.new", "run.data", ""});
  for (QAction* action : m_runActions->ordered()) {
    if (action == nullptr) {
      run->addSeparator();
    } else {
      run->addAction(action);
    }
  }
  addCommands("Run", run);
  makeAttentionMenu();
  makeErrorsMenu();
  makeFiguresMenu();
  auto* tools = new QMenu(tr("&Tools"), this);
  addCommands("Tools", tools);
  if (tools->isEmpty()) {
    delete tools;
  } else {
    menuBar()->addMenu(tools);
  }
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  fill(help, {"view.palette", "help.pages", "engine.refresh", "help.about"});
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

void MainWindow::makeRail() {
  auto* rail = new QToolBar(tr("Workspaces"), this);
  rail->setObjectName(QStringLiteral("rail"));
  rail->setMovable(false);
  rail->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  rail->setIconSize({metrics::kToolIcon, metrics::kToolIcon});
  rail->addAction(action(QStringLiteral("view.train")));
  rail->addAction(action(QStringLiteral("view.attention")));
  rail->addAction(action(QStringLiteral("view.errors")));
  rail->addAction(action(QStringLiteral("view.figures")));
  rail->toggleViewAction()->setVisible(false);
  for (QToolButton* button : rail->findChildren<QToolButton*>()) button->setFocusPolicy(Qt::TabFocus);
  addToolBar(Qt::LeftToolBarArea, rail);
}

void MainWindow::makeToolbar() {
  auto* bar = new QToolBar(tr("Actions"), this);
  bar->setObjectName(QStringLiteral("actions"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setIconSize({metrics::kIcon, metrics::kIcon});
  for (const char* id : {"run.new", "run.stop", "run.resume", "run.clone", "run.trash"})
    bar->addAction(action(QString::fromLatin1(id)));
  auto* space = new QWidget(bar);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  auto* commands = new QToolButton(bar);
  commands->setDefaultAction(action(QStringLiteral("view.palette")));
  commands->setText(
      tr("%1: commands")
          .arg(action(QStringLiteral("view.palette"))->shortcut().toString(QKeySequence::NativeText)));
  commands->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->addWidget(commands);
  bar->toggleViewAction()->setVisible(false);
  for (QToolButton* button : bar->findChildren<QToolButton*>()) button->setFocusPolicy(Qt::TabFocus);
  addToolBar(Qt::TopToolBarArea, bar);
}

void MainWindow::collectActions(QMenu* menu, const QString& path,
                                QVector<QPair<QString, QAction*>>* into) const {
  for (QAction* each : menu->actions()) {
    if (each->isSeparator() || each->text().isEmpty()) continue;
    if (each->menu() != nullptr) {
      collectActions(each->menu(), path + QStringLiteral(" › ") + withoutMnemonic(each->text()), into);
    } else if (std::none_of(into->cbegin(), into->cend(),
                            [each](const auto& known) { return known.second == each; })) {
      into->append({path, each});
    }
  }
}

void MainWindow::showPalette() {
  fillRecent();
  QVector<QPair<QString, QAction*>> all;
  for (QAction* menu : menuBar()->actions())
    if (menu->menu() != nullptr) collectActions(menu->menu(), withoutMnemonic(menu->text()), &all);
  m_palette->setActions(all);
  m_palette->popUp();
}

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
  box->setInformativeText(
      tr("A workbench for training deep Transformers and seeing why they train.") +
      QStringLiteral("<br><br>") + engine.toHtmlEscaped() + QStringLiteral("<br>") +
      tr("Qt %1").arg(QString::fromLatin1(qVersion())) + QStringLiteral("<br><br>") +
      tr("core/ is licensed under Apache-2.0, the window under the GNU GPL, version 3 or later."));
  box->open();
}

}  // namespace fathom
