// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/run_actions.h"

#include <QClipboard>
#include <QColorDialog>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QMenu>
#include <QUndoStack>
#include <QUrl>
#include <QWidget>

#include "app/command.h"
#include "app/runs/script_request.h"
#include "app/window/jobs/project_service.h"
#include "app/window/train/undo_step.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/tasks/task.h"
#include "views/figure/figure_colours.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/icons.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

bool hasFolder(const RunItem& run) {
  return !run.folder.isEmpty();
}
bool isRunning(const RunItem& run) {
  return isLive(run.state);
}
bool isWaiting(const RunItem& run) {
  return run.state == RunState::Queued;
}
// True if the engine refused the run before the first update, as it would again: a case for "Clone and edit".
bool wasRefused(const RunItem& run) {
  return run.cause == QLatin1String("config") && run.step == 0;
}
// True if the run has no work left. One that was cut off after its last update still has to validate.
bool hasDoneAll(const RunItem& run) {
  const bool toItsEnd = run.totalSteps == 0 || run.step >= run.totalSteps;
  return run.state == RunState::Finished || (run.cause == QLatin1String(kNotLearning) && toItsEnd);
}
// The options of an imported run are those of another program.
bool isOurs(const RunItem& run) {
  return run.origin.isEmpty();
}
bool canResume(const RunItem& run) {
  return hasFolder(run) && isOurs(run) && !isRunning(run) && !isWaiting(run) && !wasRefused(run) &&
         !hasDoneAll(run);
}
// True if the command that trained it is known and can be started again.
bool hasCommand(const RunItem& run) {
  return hasFolder(run) && !isOurs(run) && recordedScript(toUtf8(run.folder));
}
bool canGoOn(const RunItem& run) {
  return hasFolder(run) && !isRunning(run) && !isWaiting(run) && run.state != RunState::Finished &&
         scriptGoesOn(toUtf8(run.folder));
}
// The program that trains it is not ours to stop: what holds the run is whoever reads its source.
bool isHeard(const RunItem& run) {
  return isRunning(run) && !run.followed;
}
bool isFollowed(const RunItem& run) {
  return isRunning(run) && run.followed;
}
bool canTrash(const RunItem& run) {
  return hasFolder(run) && !isRunning(run) && !isWaiting(run);
}
// There is a review of what its task predicts; of another program's run, of the tables it may have stored.
bool hasReview(const RunItem& run) {
  if (hasFolder(run) && !isOurs(run)) return run.brought.predictions;
  const SharedOption* named = run.config.find("task");
  const TaskEntry* task = taskOf(named == nullptr ? Json::object() : Json{{"task", named->value}});
  return hasFolder(run) && task != nullptr && !task->review.kind.empty();
}
bool anything(const RunItem&) {
  return true;
}

}  // namespace

RunNotes runNotesOf(const RunItem& run) {
  RunNotes notes;
  notes.name = toUtf8(run.givenName);
  notes.notes = toUtf8(run.note);
  notes.colour = run.chosenColour.isValid() ? toUtf8(run.chosenColour.name()) : std::string();
  notes.starred = run.star;
  for (const QString& tag : run.tags) notes.tags.push_back(toUtf8(tag));
  return notes;
}

RunActions::RunActions(ProjectService* service, MessageBar* messages, QUndoStack* undo, QWidget* window)
    : QObject(window), m_service(service), m_messages(messages), m_undo(undo), m_window(window) {
  add("run.stop", tr("Stop and save"), QStringLiteral("stop"),
      tr("Save a checkpoint and end the run; one that waits is taken out of the queue"), [this] { stop(); })
      ->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Period));
  add("run.abort", tr("Abort"), QStringLiteral("abort"), tr("End the run at once, without saving"),
      [this] { control(&ProjectService::abort); });
  add("run.checkpoint", tr("Save a checkpoint now"), QStringLiteral("import"), tr("Save and go on training"),
      [this] { control(&ProjectService::saveCheckpoint); });
  add("run.resume", tr("Resume"), QStringLiteral("resume"), tr("Go on from the last checkpoint"),
      [this] { resume(); });
  add("run.retry", tr("Retry"), QStringLiteral("retry"),
      tr("Train the same configuration again from the start; the queue chooses device and threads"),
      [this] { retry(); });
  addRetryAt();
  add("run.clone", tr("Clone and edit…"), QStringLiteral("clone"),
      tr("A new run that starts from this configuration"),
      [this] {
        if (m_selection.size() == 1) Q_EMIT cloneRequested(m_selection.first());
      })
      ->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_D));
  add("run.unfollow", tr("Stop following"), QStringLiteral("pause"),
      tr("What its source holds from now on is not read; “Import and follow” of the same source goes on "
         "there. The program that trains is not touched"),
      [this] { unfollow(); });
  add("run.withdraw", tr("Take out of the queue"), QStringLiteral("close"),
      tr("This run will not be started"), [this] { withdraw(m_selection); });
  m_ordered.append(nullptr);
  add("run.compare", tr("Compare"), QStringLiteral("compare"),
      tr("The selected runs side by side: options that differ, scores, differences, curves"),
      [this] { Q_EMIT compareRequested(); })
      ->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_M));
  add("run.star", tr("Star"), QStringLiteral("star"), tr("Mark the run, or take the mark away"),
      [this] { toggleStar(); });
  add("run.rename", tr("Rename"), QStringLiteral("note"), tr("Give the run another name"), [this] {
    if (m_selection.size() == 1) Q_EMIT renameRequested(m_selection.first().uuid);
  });
  add("run.tags", tr("Tags…"), QStringLiteral("tag"), tr("Edit the tags"),
      [this] { Q_EMIT editTagsRequested(); });
  add("run.notes", tr("Notes…"), QStringLiteral("note"), tr("Edit the notes"),
      [this] { Q_EMIT editNotesRequested(); });
  addColours();
  m_ordered.append(nullptr);
  add("run.predictions", tr("Review the predictions"), QStringLiteral("errors"),
      tr("What the run predicted, example by example, in Errors"), [this] {
        if (m_selection.size() == 1) Q_EMIT predictionsRequested(m_selection.first());
      });
  add("run.reveal", tr("Open the folder"), QStringLiteral("folder"), tr("Show the run's files"),
      [this] { reveal(); });
  add("run.copy", tr("Copy the name"), QStringLiteral("copy"), tr("Names of the selected runs, one a line"),
      [this] { copyNames(); });
  if (findCommand("export-run") != nullptr)
    add("run.archive", tr("Export as archive…"), QStringLiteral("archive"),
        tr("One file with everything of the run"), [this] { Q_EMIT archiveRequested(m_selection); });
  m_ordered.append(nullptr);
  add("run.trash", tr("Delete"), QStringLiteral("trash"),
      tr("Move the run to the project's trash, or take it out of the queue; can be undone"),
      [this] { trash(); })
      ->setShortcut(QKeySequence::Delete);
  setSelection({});
}

QAction* RunActions::add(const char* id, const QString& text, const QString& iconName, const QString& tip,
                         const std::function<void()>& act) {
  auto* action = new QAction(icon(iconName), text, this);
  action->setObjectName(QString::fromLatin1(id));
  action->setToolTip(tip);
  connect(action, &QAction::triggered, this, act);
  m_actions.insert(action->objectName(), action);
  m_ordered.append(action);
  return action;
}

void RunActions::addRetryAt() {
  m_retryAt = new QMenu(m_window);
  m_retryAt->setToolTipsVisible(true);
  QAction* menu = m_retryAt->menuAction();
  menu->setText(tr("Retry at"));
  menu->setIcon(icon(QStringLiteral("retry")));
  menu->setObjectName(QStringLiteral("run.retry_at"));
  menu->setToolTip(tr("The same from the start, at another place"));
  m_actions.insert(menu->objectName(), menu);
  m_ordered.append(menu);
  setPlaces({});
}

// Actions stay the same objects: the list of commands holds them while counts change.
void RunActions::setPlaces(const QVector<PlaceView>& places) {
  QList<QAction*> wanted;
  for (const PlaceView& place : places) {
    const QString name = QStringLiteral("run.retry_at.") + place.id;
    auto* action = m_retryAt->findChild<QAction*>(name, Qt::FindDirectChildrenOnly);
    if (action == nullptr) {
      action = new QAction(m_retryAt);
      action->setObjectName(name);
      connect(action, &QAction::triggered, this, [this, id = place.id] { retry(id); });
    }
    action->setText(literalActionText(placeName(place)));
    const QString facts = placeFacts(place);
    action->setToolTip(place.trouble.isEmpty() ? facts : place.trouble + QLatin1Char('\n') + place.remedy);
    action->setEnabled(place.trouble.isEmpty());
    wanted.append(action);
  }
  if (wanted != m_retryAt->actions()) {
    for (QAction* each : m_retryAt->actions()) m_retryAt->removeAction(each);
    m_retryAt->addActions(wanted);
  }
  m_retryAt->menuAction()->setVisible(places.size() > 1);  // else “Retry” says it all
}

void RunActions::addColours() {
  m_colours = new QMenu(m_window);
  QAction* menu = m_colours->menuAction();
  menu->setText(tr("Colour"));
  menu->setIcon(icon(QStringLiteral("colour")));
  menu->setObjectName(QStringLiteral("run.colour"));
  m_actions.insert(menu->objectName(), menu);
  m_ordered.append(menu);
  const QPair<const char*, QString> colours[] = {{"#0072b2", tr("Blue")},   {"#d55e00", tr("Vermilion")},
                                                 {"#009e73", tr("Green")},  {"#cc79a7", tr("Purple")},
                                                 {"#e69f00", tr("Orange")}, {"#56b4e9", tr("Sky blue")}};
  QAction* automatic = m_colours->addAction(tr("Automatic"));
  connect(automatic, &QAction::triggered, this, [this] { setColour({}); });
  for (const auto& [name, title] : colours) {
    const QString value = QString::fromLatin1(name);
    QPixmap swatch(metrics::kIcon, metrics::kIcon);
    swatch.fill(QColor(value));
    QAction* action = m_colours->addAction(QIcon(swatch), title);
    connect(action, &QAction::triggered, this, [this, value] { setColour(value); });
  }
  m_colours->addSeparator();
  QAction* other = m_colours->addAction(tr("Other…"));
  other->setObjectName(QStringLiteral("run.colour.other"));
  other->setToolTip(tr("Colour of the selected runs"));
  connect(other, &QAction::triggered, this, [this] { askColour(m_selection.value(0)); });
}

// Any colour, from the dialog of the desktop; on the paper it is shaded until it stands out.
void RunActions::askColour(const RunItem& first) {
  auto* dialog = new QColorDialog(m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Colour of the selected runs"));
  dialog->setCurrentColor(first.chosenColour.isValid() ? first.chosenColour
                                                       : lookColour(first.colour, false));
  connect(dialog, &QColorDialog::colorSelected, this,
          [this](const QColor& colour) { setColour(colour.name()); });
  dialog->open();
}

bool RunActions::any(bool (*test)(const RunItem&)) const {
  return std::any_of(m_selection.cbegin(), m_selection.cend(), test);
}

// Beside what it would do; menus show tool tips.
void RunActions::giveReason(const char* id, const QString& reason) {
  QAction* found = action(QString::fromLatin1(id));
  if (found == nullptr) return;
  if (!m_tips.contains(found)) m_tips.insert(found, found->toolTip());
  const QString tip = m_tips.value(found);
  found->setToolTip(reason.isEmpty() || found->isEnabled() ? tip : tip + u'\n' + reason);
}

// Why what is greyed does not go with these runs, where the name of the action does not say it.
void RunActions::giveReasons() {
  const bool foreign = !any(isOurs), folderless = !any(hasFolder);
  const QString imported = tr(
      "Not of runs of other programs: only the program that wrote them can go on. Details › Origin says the "
      "command, where one was recorded.");
  const QString waits = tr("Not of runs that wait in the queue: they have no folder yet.");
  for (const char* id : {"run.retry", "run.retry_at", "run.clone", "run.resume"})
    giveReason(id, m_selection.isEmpty() ? QString() : foreign ? imported : QString());
  for (const char* id : {"run.reveal", "run.archive", "run.predictions", "run.resume"})
    if (!foreign) giveReason(id, m_selection.isEmpty() || !folderless ? QString() : waits);
}

void RunActions::setSelection(const QVector<RunItem>& runs) {
  m_selection = runs;
  const bool writable = !m_service->readOnly();
  m_commanded = runs.size() == 1 && hasCommand(runs.first());
  const auto enable = [this](const char* id, bool on) {
    if (QAction* found = action(QString::fromLatin1(id))) found->setEnabled(on);
  };
  for (const char* id : {"run.abort", "run.checkpoint"}) enable(id, any(isHeard));
  enable("run.unfollow", writable && any(isFollowed));
  enable("run.stop", any(isHeard) || (writable && any(isWaiting)));
  enable("run.resume", writable && (any(canResume) || (m_commanded && canGoOn(runs.first()))));
  enable("run.retry", writable && (any(isOurs) || m_commanded));
  enable("run.retry_at", writable && any(isOurs));
  enable("run.clone", writable && runs.size() == 1 && isOurs(runs.first()));
  enable("run.withdraw", writable && any(isWaiting));
  enable("run.compare", runs.size() > 1);
  giveReason("run.compare", runs.size() == 1 ? tr("Select two or more runs.") : QString());
  for (const char* id : {"run.star", "run.colour"}) enable(id, writable && any(anything));
  for (const char* id : {"run.rename", "run.tags", "run.notes"}) enable(id, writable && runs.size() == 1);
  enable("run.predictions", runs.size() == 1 && hasReview(runs.first()));
  enable("run.reveal", any(hasFolder));
  enable("run.archive", any(hasFolder));
  enable("run.copy", any(anything));
  enable("run.trash", writable && (any(canTrash) || any(isWaiting)));
  giveReasons();
}

void RunActions::edit(const RunItem& run, const RunNotes& notes, const QString& what) {
  const RunNotes before = runNotesOf(run);
  if (before == notes) return;
  const auto set = [service = m_service, uuid = run.uuid](const RunNotes& to) {
    return [service, uuid, to] { service->setNotes(uuid, to); };
  };
  m_undo->push(new UndoStep(what, set(notes), set(before)));
}

void RunActions::rename(const RunItem& run, const QString& name) {
  RunNotes notes = runNotesOf(run);
  notes.name = toUtf8(name);
  edit(run, notes, tr("Rename a run"));
}

void RunActions::setStar(const RunItem& run, bool star) {
  RunNotes notes = runNotesOf(run);
  notes.starred = star;
  edit(run, notes, star ? tr("Star a run") : tr("Take a star away"));
}

void RunActions::setTags(const RunItem& run, const QStringList& tags) {
  RunNotes notes = runNotesOf(run);
  notes.tags.clear();
  for (const QString& tag : tags) notes.tags.push_back(toUtf8(tag));
  edit(run, notes, tr("Edit tags"));
}

void RunActions::setNote(const RunItem& run, const QString& note) {
  RunNotes notes = runNotesOf(run);
  notes.notes = toUtf8(note);
  edit(run, notes, tr("Edit notes"));
}

void RunActions::control(void (ProjectService::*what)(const ControlledRun&)) {
  for (const RunItem& run : std::as_const(m_selection))
    if (isHeard(run)) (m_service->*what)({run.uuid, run.name, run.folder});
}

void RunActions::unfollow() {
  QStringList folders;
  for (const RunItem& run : std::as_const(m_selection))
    if (isFollowed(run)) folders.append(run.folder);
  m_service->endFollowing(folders);
}

// As `fathom stop`: what only waits is taken out of the queue.
void RunActions::stop() {
  control(&ProjectService::stop);
  withdraw(m_selection);
}

void RunActions::resume() {
  if (m_commanded) return m_service->resume(m_selection.first().folder);
  for (const RunItem& run : std::as_const(m_selection))
    if (canResume(run)) {
      if (listCheckpoints(toUtf8(run.folder)).empty())
        m_messages->showNote(tr("“%1” has no checkpoint: it starts at update 0 again. What it logged before "
                                "stays in its folder as an attempt of its own.")
                                 .arg(run.name));
      m_service->resume(run.folder);
    }
}

void RunActions::retry(const QString& place) {
  if (m_commanded) return Q_EMIT scriptRequested(m_selection.first());
  QVector<ControlledRun> runs;
  for (const RunItem& run : std::as_const(m_selection))
    if (isOurs(run)) runs.append({run.uuid, run.name, run.folder});
  m_service->retry(runs, place);
}

void RunActions::withdraw(const QVector<RunItem>& runs) {
  QStringList uuids, names;
  for (const RunItem& run : runs) {
    if (!isWaiting(run)) continue;
    uuids.append(run.uuid);
    names.append(run.name);
  }
  if (uuids.isEmpty()) return;
  m_undo->push(new UndoStep(
      tr("Take out of the queue"), [service = m_service, uuids] { service->removeFromQueue(uuids); },
      [service = m_service, uuids] { service->restoreToQueue(uuids); }));
  offerUndo(tr("Taken out of the queue: %1").arg(nameText(names)));
}

// Until it is undone with Ctrl+Z, or followed by another edit.
void RunActions::offerUndo(const QString& told) {
  QUndoStack* undo = m_undo;
  const int index = undo->index();
  const int note = m_messages->showNote(told, tr("Undo"), [undo, index] {
    if (undo->index() == index) undo->undo();
  });
  connect(
      undo, &QUndoStack::indexChanged, m_messages, [bar = m_messages, note] { bar->closeNote(note); },
      Qt::SingleShotConnection);
}

void RunActions::trash() {
  QStringList uuids, names, linked;
  const QString runs = fromUtf8(ProjectFolder(toUtf8(m_service->path())).runsPath()) + QLatin1Char('/');
  for (const RunItem& run : std::as_const(m_selection)) {
    if (!canTrash(run)) continue;
    uuids.append(run.uuid);
    const bool ours = run.folder.startsWith(runs);
    (ours ? names : linked).append(run.name);
  }
  if (uuids.isEmpty()) return withdraw(m_selection);
  QStringList told;
  if (!names.isEmpty()) told.append(tr("Moved to the trash: %1").arg(nameText(names)));
  if (!linked.isEmpty())
    told.append(tr("Taken out of the project, the folder stays: %1").arg(nameText(linked)));
  m_undo->push(new UndoStep(
      tr("Delete runs"), [service = m_service, uuids] { service->trashRuns(uuids); },
      [service = m_service, uuids] { service->restoreRuns(uuids); }));
  offerUndo(told.join(QLatin1Char('\n')));
  withdraw(m_selection);
}

void RunActions::reveal() {
  for (const RunItem& run : std::as_const(m_selection)) {
    if (!hasFolder(run)) continue;
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(run.folder)))
      m_messages->showError(tr("No program of this desktop opens folders."), run.folder,
                            QStringLiteral("reveal"));
    return;
  }
}

void RunActions::toggleStar() {
  for (const RunItem& run : std::as_const(m_selection)) setStar(run, !run.star);
}

void RunActions::copyNames() {
  QStringList names;
  for (const RunItem& run : std::as_const(m_selection)) names.append(run.name);
  QGuiApplication::clipboard()->setText(names.join(QLatin1Char('\n')));
}

void RunActions::setColour(const QString& name) {
  for (const RunItem& run : std::as_const(m_selection)) {
    RunNotes notes = runNotesOf(run);
    notes.colour = toUtf8(name);
    edit(run, notes, tr("Change the colour of a run"));
  }
}

}  // namespace fathom
