// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_actions.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "app/window/main/edit_deeds.h"
#include "app/window/main/main_window.h"
#include "app/window/session/appearance.h"
#include "app/window/session/redo_key.h"
#include "app/window/workspace_entry.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/command_palette.h"

namespace fathom {

namespace {

void collect(QMenu* menu, const QString& path, QVector<QPair<QString, QAction*>>* into) {
  for (QAction* each : menu->actions()) {
    if (each->isSeparator() || each->text().isEmpty()) continue;
    if (each->menu() != nullptr) {
      if (each->isVisible())
        collect(each->menu(), path + QStringLiteral(" › ") + withoutMnemonic(each->text()), into);
    } else if (std::none_of(into->cbegin(), into->cend(),
                            [each](const auto& known) { return known.second == each; })) {
      into->append({path, each});
    }
  }
}

// A bar that stays where it is, its buttons reached by Tab.
QToolBar* addBar(QMainWindow* window, const QString& title, const char* name, Qt::ToolBarArea area) {
  auto* bar = new QToolBar(title, window);
  bar->setObjectName(QString::fromLatin1(name));
  bar->setMovable(false);
  bar->toggleViewAction()->setVisible(false);
  window->addToolBar(area, bar);
  return bar;
}

// Id of the action that shows it.
QByteArray viewOf(const WorkspaceEntry& entry) {
  return QByteArray("view.") + entry.id;
}

void reachByTab(QToolBar* bar) {
  for (QToolButton* button : bar->findChildren<QToolButton*>()) button->setFocusPolicy(Qt::TabFocus);
}

}  // namespace

WindowActions::WindowActions(QMainWindow* window, const Appearance& appearance)
    : QObject(window), m_window(window) {
  makeFileActions();
  makeEditActions();
  makeViewActions(appearance);
  makeOtherActions();
}

QAction* WindowActions::add(const char* id, const QString& text, const char* iconName,
                            const QKeySequence& keys, const QString& tip) {
  auto* action = *iconName == '\0' ? new QAction(text, m_window)
                                   : new QAction(icon(QString::fromLatin1(iconName)), text, m_window);
  action->setObjectName(QString::fromLatin1(id));
  action->setIconText(withoutMnemonic(text));  // on the rail and the toolbar
  action->setShortcut(keys);
  if (!tip.isEmpty()) action->setToolTip(tip);
  m_window->addAction(action);
  m_actions.insert(action->objectName(), action);
  return action;
}

void WindowActions::makeFileActions() {
  add("file.new", MainWindow::tr("New pro&ject…"), "new", QKeySequence::New,
      MainWindow::tr("A folder that will hold runs, queue, notes and figures"));
  add("file.open", MainWindow::tr("&Open project…"), "project", QKeySequence::Open,
      MainWindow::tr("Runs, queue and figures of a project's folder"));
  add("file.sample", MainWindow::tr("Look at the &sample"), "curves", {},
      MainWindow::tr("A small project whose models train in front of you"));
  add("file.import", MainWindow::tr("I&mport…"), "import", QKeySequence(Qt::CTRL | Qt::Key_I),
      MainWindow::tr("Runs of other programs: TensorBoard, wandb, trackio, MLflow, Hugging Face, tables"));
  add("file.import_follow", MainWindow::tr("Import an&d follow…"), "",
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I),
      MainWindow::tr("The same, and what they log from now on, while they train"));
  add("file.import_attention", MainWindow::tr("Import atten&tion…"), "attention", {},
      MainWindow::tr("Arrays of attention of another program: entropy, divergence, maps of a run"));
  add("file.export", MainWindow::tr("E&xport…"), "export", {},
      MainWindow::tr(
          "What is in sight: curves, figure, page or comparison; as PDF, SVG, PNG, LaTeX or numbers"));
  const QString read =
      MainWindow::tr("Files and folders of other programs that are read as they grow: pause, resume, remove");
  add("file.sources", MainWindow::tr("Fol&lowed sources…"), "", {}, read);
  add("file.clean", MainWindow::tr("Clean &up…"), "trash", {},
      MainWindow::tr("What can go from the project, with sizes: trash, left-overs, old checkpoints"));
  const QString trained =
      MainWindow::tr("Machines, clusters and hosts where runs are trained: state, check, prepare, add, edit");
  add("file.places", MainWindow::tr("&Places…"), "queue", {}, trained);
  add("file.preferences", MainWindow::tr("Pre&ferences…"), "", QKeySequence(Qt::CTRL | Qt::Key_Comma),
      MainWindow::tr("Language, theme, size of texts, and the keys of every command"));
  add("file.window", MainWindow::tr("New &window"), "", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
      MainWindow::tr("A second window, on this or another project"));
  add("file.close", MainWindow::tr("&Close window"), "", QKeySequence::Close,
      MainWindow::tr("Only this window; runs and queue go on"));
  add("file.quit", MainWindow::tr("&Quit"), "", QKeySequence::Quit,
      MainWindow::tr("Closes all windows; runs and queue go on"));
}

void WindowActions::makeEditActions() {
  add("edit.undo", MainWindow::tr("&Undo"), "undo", QKeySequence::Undo,
      MainWindow::tr("Takes the last edit of this workspace back"));
  QAction* redo = add("edit.redo", MainWindow::tr("&Redo"), "redo");
  redo->setShortcuts(redoKeys());
  redo->setToolTip(redo->iconText());
  redo->setText(redo->text() + QLatin1Char('\t') + keysText(redoKeys()));  // a menu shows one key by itself
  const auto ofKey = [this](const char* id, const QString& text, QKeySequence::StandardKey key,
                            const QString& tip) {
    QAction* made = add(id, text, "", {}, tip);
    made->setText(text + QLatin1Char('\t') + QKeySequence(key).toString(QKeySequence::NativeText));
    return made;
  };
  QAction* cut = ofKey("edit.cut", MainWindow::tr("Cu&t"), QKeySequence::Cut,
                       MainWindow::tr("Takes what is marked out of the text and keeps it for pasting"));
  QAction* copy = ofKey("edit.copy", MainWindow::tr("&Copy"), QKeySequence::Copy,
                        MainWindow::tr("Keeps what is marked, in a text or a table, for pasting"));
  QAction* paste = ofKey("edit.paste", MainWindow::tr("&Paste"), QKeySequence::Paste,
                         MainWindow::tr("Puts what was kept last where the text is written"));
  QAction* all = ofKey("edit.all", MainWindow::tr("Select &all"), QKeySequence::SelectAll,
                       MainWindow::tr("Marks everything in the text or table that has the keyboard"));
  m_edit = new EditDeeds({cut, copy, paste, all}, m_window);
  add("edit.filter", MainWindow::tr("&Filter"), "search", QKeySequence::Find,
      MainWindow::tr("Goes to the filter of this workspace"));
}

void WindowActions::makeViewActions(const Appearance& appearance) {
  add("view.palette", MainWindow::tr("&Commands…"), "commands",
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
      MainWindow::tr("Finds any command by words of its name"));
  auto* workspaces = new QActionGroup(this);
  const auto workspace = [&](const QByteArray& id, const QString& text, const char* iconName, Qt::Key key,
                             const QString& tip) {
    QAction* action = add(id.constData(), text, iconName, QKeySequence(Qt::CTRL | key), tip);
    action->setCheckable(true);
    workspaces->addAction(action);
  };
  int key = Qt::Key_1;
  for (const WorkspaceEntry& entry : workspaceEntries())
    workspace(viewOf(entry), entry.title(), entry.icon, static_cast<Qt::Key>(key++), entry.tip());
  action(QString::fromLatin1(viewOf(workspaceEntries().front())))->setChecked(true);
  add("view.curves", MainWindow::tr("Cur&ves"), "curves", QKeySequence(Qt::CTRL | Qt::Key_L),
      MainWindow::tr("From a form back to the curves"));
  add("view.next_panel", MainWindow::tr("&Next panel"), "", QKeySequence(Qt::Key_F6),
      MainWindow::tr("Puts the focus into the next panel"));
  add("view.reset", MainWindow::tr("&Reset layout"), "", {},
      MainWindow::tr("Every panel where it was at first"));
  add("view.larger", MainWindow::tr("&Larger"), "", QKeySequence::ZoomIn,
      MainWindow::tr("All texts of the window, kept for the next time"));
  add("view.smaller", MainWindow::tr("&Smaller"), "", QKeySequence::ZoomOut,
      MainWindow::tr("All texts of the window, kept for the next time"));
  add("view.usual_size", MainWindow::tr("&As the system"), "", QKeySequence(Qt::CTRL | Qt::Key_0),
      MainWindow::tr("Texts as large as the system wants them"));
  // The desktops that Qt knows have other keys for it; people press this one on all of them.
  add("view.full", MainWindow::tr("F&ull screen"), "", QKeySequence(Qt::Key_F11),
      MainWindow::tr("Without the frame of the window, and back"));
  const auto choice = [this](QActionGroup* group, const QByteArray& id, const QString& text, bool chosen) {
    QAction* action = add(id.constData(), text);
    action->setCheckable(true);
    action->setChecked(chosen);
    group->addAction(action);
  };
  auto* themes = new QActionGroup(this);
  for (const auto& [id, title] :
       {std::pair("system", MainWindow::tr("As the &system")), std::pair("light", MainWindow::tr("&Light")),
        std::pair("dark", MainWindow::tr("&Dark")), std::pair("contrast", MainWindow::tr("&High contrast"))})
    choice(themes, QByteArray("theme.") + id, title, appearance.theme() == QLatin1String(id));
  auto* languages = new QActionGroup(this);
  // Without a choice it is the system's, which may be the English of any country, or "C".
  const QString chosen = !appearance.language().isEmpty()           ? appearance.language()
                         : QLocale().language() == QLocale::Chinese ? QStringLiteral("zh_CN")
                                                                    : QStringLiteral("en");
  for (const auto& [id, title] : Appearance::languages())
    choice(languages, "language." + id.toLatin1(), title, chosen == id);
}

void WindowActions::makeOtherActions() {
  add("run.new", MainWindow::tr("&New run"), "new", QKeySequence(Qt::CTRL | Qt::Key_R),
      MainWindow::tr("Choose a preset, change options, train"));
  add("run.grid", MainWindow::tr("New &grid…"), "grid", {},
      MainWindow::tr("Several values of any options, times seeds: as many runs are queued"));
  add("run.script", MainWindow::tr("Run a &script…"), "commands", {},
      MainWindow::tr("A training program of your own, in Python or anything else: one run, or a grid"));
  add("run.data", MainWindow::tr("Look at the &data"), "data", {},
      MainWindow::tr("What the model of the form will read: counts, lengths, examples"));
  add("run.restore", MainWindow::tr("Res&tore deleted runs…"), "revert", {},
      MainWindow::tr("What lies in the project's trash, to be brought back with everything"));
  add("engine.refresh", MainWindow::tr("Ask the &engine again"), "retry", {},
      MainWindow::tr("Needed only when another engine was installed under the same name"));
  add("help.pages", MainWindow::tr("C&ontents…"), "", {},
      MainWindow::tr("All pages: what options, figures, analyses and kinds of errors mean"));
  QAction* here = add("help.here", MainWindow::tr("&Help on this workspace"), "info", {},
                      MainWindow::tr("What is in view, and what its keys do"));
  here->setText(here->text() + QStringLiteral("\tF1"));  // nearer parts have a help of their own under it
  add("help.keys", MainWindow::tr("&Keys…"), "", QKeySequence(Qt::CTRL | Qt::Key_F1),
      MainWindow::tr("Every key of the window"));
  add("help.steps", MainWindow::tr("&First steps"), "", {},
      MainWindow::tr("From a training run to a figure in four steps"));
  add("help.news", MainWindow::tr("What's &new…"), "", {},
      MainWindow::tr("What changed from version to version"));
  add("help.about", MainWindow::tr("&About Fathom"), "info", {},
      MainWindow::tr("Versions of window and engine, licences"));
}

void WindowActions::on(const char* id, std::function<void()> run) {
  connect(action(QString::fromLatin1(id)), &QAction::triggered, this, std::move(run));
}

void WindowActions::onGroup(const char* prefix, const std::function<void(const QString&)>& run) {
  for (QAction* each : std::as_const(m_actions)) {
    if (!each->objectName().startsWith(QLatin1String(prefix))) continue;
    const QString word = each->objectName().mid(qsizetype(qstrlen(prefix)));
    connect(each, &QAction::triggered, this, [run, word] { run(word); });
  }
}

void WindowActions::include(const QVector<QAction*>& actions) {
  for (QAction* each : actions)
    if (each != nullptr) m_actions.insert(each->objectName(), each);
}

void WindowActions::enable(std::initializer_list<const char*> ids, bool on) {
  for (const char* id : ids)
    if (QAction* found = action(QString::fromLatin1(id))) found->setEnabled(on);
}

QMenu* WindowActions::addMenu(const QString& title) {
  return m_window->menuBar()->addMenu(title);
}

void WindowActions::fill(QMenu* menu, std::initializer_list<const char*> ids) {
  QVector<QAction*> actions;
  for (const char* id : ids) actions.append(*id == '\0' ? nullptr : action(QString::fromLatin1(id)));
  fill(menu, actions);
}

void WindowActions::fill(QMenu* menu, const QVector<QAction*>& actions) {
  for (QAction* each : actions) {
    if (each == nullptr) {
      menu->addSeparator();
    } else {
      menu->addAction(each);
    }
  }
}

void WindowActions::makeMenus(const MenuParts& parts) {
  m_parts = parts;
  QMenu* file = addMenu(MainWindow::tr("&File"));
  fill(file, {"file.new", "file.open", "file.sample"});
  m_recent = file->addMenu(MainWindow::tr("Open &recent"));
  connect(m_recent, &QMenu::aboutToShow, this, &WindowActions::refillRecent);
  fill(file, {"", "file.import", "file.import_follow", "file.import_attention", "file.sources", "file.export",
              "", "file.clean"});
  fill(file, {"", "file.places", "file.preferences", "", "file.window", "file.close", "file.quit"});
  QMenu* edit = addMenu(MainWindow::tr("&Edit"));
  fill(edit,
       {"edit.undo", "edit.redo", "", "edit.cut", "edit.copy", "edit.paste", "edit.all", "", "edit.filter"});
  connect(edit, &QMenu::aboutToShow, m_edit, &EditDeeds::refresh);
  makeViewMenu();
  QMenu* run = addMenu(MainWindow::tr("R&un"));
  fill(run, {"run.new", "run.grid", "run.script", "run.data", ""});
  fill(run, parts.runs);
  fill(run, {"run.restore"});
  for (const WorkspaceEntry& entry : workspaceEntries()) {
    if (!entry.menu) continue;
    QMenu* menu = addMenu(entry.menu());
    fill(menu, parts.workspace(entry));
  }
  fill(addMenu(MainWindow::tr("&Help")), {"help.pages", "help.here", "help.keys", "view.palette",
                                          "help.steps", "", "engine.refresh", "help.news", "help.about"});
  for (QMenu* menu : m_window->menuBar()->findChildren<QMenu*>()) menu->setToolTipsVisible(true);
}

void WindowActions::makeViewMenu() {
  QMenu* view = addMenu(MainWindow::tr("&View"));
  fill(view, {"view.palette", ""});
  for (const WorkspaceEntry& entry : workspaceEntries()) fill(view, {viewOf(entry).constData()});
  fill(view, {"view.curves", ""});
  fill(view->addMenu(MainWindow::tr("&Panels")), m_parts.panels);
  fill(view, {"view.next_panel", "view.reset", ""});
  fill(view->addMenu(MainWindow::tr("The&me")),
       {"theme.system", "theme.light", "theme.dark", "theme.contrast"});
  QMenu* languages = view->addMenu(MainWindow::tr("&Language"));
  for (const auto& [id, title] : Appearance::languages())
    languages->addAction(action(QStringLiteral("language.") + id));
  fill(view->addMenu(MainWindow::tr("Te&xt size")), {"view.larger", "view.smaller", "view.usual_size"});
  fill(view, {"view.full"});
}

void WindowActions::refillRecent() {
  m_parts.fillRecent(m_recent);
}

void WindowActions::makeRail() {
  QToolBar* rail = addBar(m_window, MainWindow::tr("Workspaces"), "rail", Qt::LeftToolBarArea);
  rail->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  rail->setIconSize({metrics::kToolIcon, metrics::kToolIcon});
  for (const WorkspaceEntry& entry : workspaceEntries())
    rail->addAction(action(QString::fromLatin1(viewOf(entry))));
  reachByTab(rail);
}

void WindowActions::makeToolbar() {
  QToolBar* bar = addBar(m_window, MainWindow::tr("Actions"), "actions", Qt::TopToolBarArea);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setIconSize({metrics::kIcon, metrics::kIcon});
  for (const char* id : {"run.new", "run.stop", "run.resume", "run.clone", "run.trash"})
    bar->addAction(action(QString::fromLatin1(id)));
  auto* space = new QWidget(bar);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  auto* commands = new QToolButton(bar);
  commands->setDefaultAction(action(QStringLiteral("view.palette")));
  commands->setText(MainWindow::tr("%1: commands")
                        .arg(commands->defaultAction()->shortcut().toString(QKeySequence::NativeText)));
  commands->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->addWidget(commands);
  reachByTab(bar);
}

QVector<QPair<QString, QAction*>> WindowActions::listed() const {
  m_edit->refresh();
  QVector<QPair<QString, QAction*>> all;
  for (QAction* menu : m_window->menuBar()->actions())
    if (menu->menu() != nullptr) collect(menu->menu(), withoutMnemonic(menu->text()), &all);
  return all;
}

}  // namespace fathom
