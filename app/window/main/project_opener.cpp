// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/project_opener.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <algorithm>
#include <utility>

#include "app/command.h"
#include "app/sample/sample_analyses.h"
#include "app/window/files/dropped_file.h"
#include "app/window/files/file_choice.h"
#include "app/window/imports/attention_dialog.h"
#include "app/window/imports/import_dialog.h"
#include "app/window/imports/sources_dialog.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/name_text.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

// Named after what is imported; folders of some names are what a program always calls them.
QString projectNameFor(const QString& source) {
  static const QStringList common = {QStringLiteral("wandb"),       QStringLiteral("runs"),
                                     QStringLiteral("logs"),        QStringLiteral("mlruns"),
                                     QStringLiteral("tensorboard"), QStringLiteral("lightning_logs"),
                                     QStringLiteral("trackio"),     QStringLiteral("output")};
  const QFileInfo file(QDir::cleanPath(source));
  const bool says = !common.contains(file.fileName(), Qt::CaseInsensitive);
  const QString name = says ? file.completeBaseName() : QFileInfo(file.path()).fileName();
  return FileChoice::nameOf(name.isEmpty() ? QStringLiteral("project") : name) + QStringLiteral(".fathom");
}

}  // namespace

ProjectOpener::ProjectOpener(const Surroundings& with) : QObject(with.window), m_with(with) {
  connect(m_with.service, &ProjectService::openFailed, this, [this](const QString& path, const Error& error) {
    m_with.session->removeRecentProject(path);
    m_with.session->setText(session::kProject, m_with.service->path());
    m_with.messages->showError(error, QLatin1String(session::kProject));
    m_waiting.reset();
  });
  // The window has taken the project when the dialog comes.
  connect(
      m_with.service, &ProjectService::opened, this,
      [this] {
        if (const auto waiting = std::exchange(m_waiting, {})) showImport(waiting->paths, waiting->follow);
      },
      Qt::QueuedConnection);
}

void ProjectOpener::open(const QString& path, bool create) {
  m_waiting.reset();
  m_with.messages->closeErrors(QLatin1String(session::kProject));
  m_with.service->open(QDir(path).absolutePath(), create);
}

void ProjectOpener::choose(bool create) {
  const QString path =
      create ? newPath(tr("New project"), QStringLiteral("project.fathom"))
             : m_with.files->folder(m_with.window, FileKind::Project, tr("Open a project"), startFolder());
  if (!path.isEmpty()) open(path, create);
}

QString ProjectOpener::startFolder() const {
  const QString opened = m_with.service->path();
  // The sample lies where nobody looks for projects.
  const bool beside = m_with.service->isOpen() && !isSampleProject(toUtf8(opened));
  return beside ? QFileInfo(opened).absolutePath() : m_with.files->start(FileKind::Project);
}

QString ProjectOpener::newPath(const QString& title, const QString& name) {
  QString path = m_with.files->toWrite(m_with.window, FileKind::Project, title,
                                       QDir(startFolder()).filePath(name), tr("Fathom projects (*.fathom)"));
  if (!path.isEmpty() && QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".fathom");
  return path;
}

void ProjectOpener::openSample() {
  const Command* command = findCommand("open-sample");
  const QString origin = QStringLiteral("sample");
  m_with.jobs->start<CommandOutput>(
      tr("Making the sample"), origin,
      [command](Progress& progress, const StopToken& stop) {
        CommandContext context;
        context.options = OptionValues(OptionSchema(command->fields, {}));
        return command->run(context, progress, stop);
      },
      [this, origin](const Result<CommandOutput>& made) {
        if (made.ok()) {
          open(fromUtf8(made->openProject));
        } else {
          m_with.messages->showError(made.error(), origin);
        }
      });
}

void ProjectOpener::fillRecent(QMenu* menu) {
  menu->clear();
  for (const QString& path : m_with.session->recentProjects()) {
    QAction* action = menu->addAction(literalActionText(QFileInfo(path).completeBaseName()));
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { open(path); });
  }
  if (menu->isEmpty()) menu->addAction(tr("None yet"))->setEnabled(false);
}

void ProjectOpener::take(const QStringList& paths) {
  using Kinds = QVector<QPair<QString, DroppedKind>>;
  for (const QString& path : paths) m_with.messages->closeErrors(QStringLiteral("drop ") + path);
  m_with.jobs->start<Kinds>(
      tr("Looking at what was dropped"), QStringLiteral("drop"),
      [paths](Progress&, const StopToken& stop) -> Result<Kinds> {
        Kinds kinds;
        for (const QString& path : paths) {
          if (stop.stopRequested()) return interruptedError();
          kinds.append({path, droppedKind(path)});
        }
        return kinds;
      },
      [this](const Result<Kinds>& kinds) {
        if (kinds.ok())
          takeKnown(*kinds);
        else
          m_with.messages->showError(kinds.error(), QStringLiteral("drop"));
      });
}

void ProjectOpener::takeKnown(const QVector<QPair<QString, DroppedKind>>& dropped) {
  QStringList predictions, logs, data, arrays;
  bool opening = false;
  for (const auto& [path, kind] : dropped) {
    if (kind == DroppedKind::Project) {
      open(projectFolderOf(path));
      opening = true;
      continue;
    }
    const bool attention = kind == DroppedKind::Unknown && AttentionDialog::isArrayFile(path);
    if (!canTake(path, attention ? DroppedKind::DataSet : kind, QStringLiteral("drop ") + path)) continue;
    if (attention)
      arrays.append(path);
    else if (kind == DroppedKind::Predictions)
      predictions.append(path);
    else if (kind == DroppedKind::DataSet)
      data.append(path);
    else if (kind == DroppedKind::RunFolder)
      m_with.service->linkRun(path);
    else
      logs.append(path);
  }
  if (!logs.isEmpty() && opening && !m_with.service->isOpen())
    m_waiting = {logs, false};
  else if (!logs.isEmpty())
    showImport(logs, false);
  if (!arrays.isEmpty()) Q_EMIT attentionFound(arrays);
  takeData(data);
  if (!predictions.isEmpty()) Q_EMIT predictionsDropped(predictions);
}

// Any of several files of one data set leads to the others; a run has one data set.
void ProjectOpener::takeData(const QStringList& paths) {
  if (paths.isEmpty()) return;
  const auto folderOf = [](const QString& path) {
    const QFileInfo file(path);
    return file.isDir() ? file.absoluteFilePath() : file.absolutePath();
  };
  QStringList others;
  for (const QString& path : paths)
    if (folderOf(path) != folderOf(paths.first())) others.append(QFileInfo(path).fileName());
  Q_EMIT dataDropped(paths.first());  // another page comes with it
  if (others.isEmpty()) return;
  m_with.messages->showError(tr("A run has one data set: “%1” was taken, and not %2.")
                                 .arg(QFileInfo(paths.first()).fileName(), nameText(others)),
                             tr("Drop them one after the other."), QStringLiteral("drop"));
}

// Tells why not.
bool ProjectOpener::canTake(const QString& path, DroppedKind kind, const QString& origin) {
  if (kind == DroppedKind::Unknown) {
    m_with.messages->showError(
        tr("%1 is nothing that can be opened here.").arg(path),
        tr("Drop a project, a run's folder or archive, a file or folder that another program logged to, a "
           "data set, or predictions."),
        origin);
    return false;
  }
  if (kind == DroppedKind::Log && !m_with.service->isOpen()) return true;  // one is made for it
  if (!m_with.service->isOpen()) {
    m_with.messages->showError(tr("%1 can be shown only in a project.").arg(path),
                               tr("Open or make a project first."), origin);
    return false;
  }
  const bool writes = kind == DroppedKind::Log || kind == DroppedKind::DataSet;
  if (!writes || !m_with.service->readOnly()) return true;
  m_with.messages->showError(tr("The project cannot be written to."), path, origin);
  return false;
}

void ProjectOpener::chooseImport(bool follow) {
  const QStringList paths = m_with.files->filesOrFolder(m_with.window, FileKind::Source,
                                                        follow ? tr("Import and follow") : tr("Import"));
  if (paths.isEmpty()) return;
  if (!std::all_of(paths.begin(), paths.end(), AttentionDialog::isArrayFile))
    showImport(paths, follow);
  else if (canTake(paths.first(), DroppedKind::DataSet, QStringLiteral("import")))
    Q_EMIT attentionFound(paths);
}

void ProjectOpener::showImport(const QStringList& paths, bool follow) {
  if (!m_with.service->isOpen()) {
    const QString path = newPath(tr("New project for what is imported"), projectNameFor(paths.first()));
    if (path.isEmpty()) return;
    open(path, true);
    m_waiting = {paths, follow};
    return;
  }
  auto* dialog =
      new ImportDialog({m_with.service->path(), m_with.jobs, m_with.session}, paths, follow, m_with.window);
  // It imports into one project.
  connect(m_with.service, &ProjectService::closing, dialog, &QObject::deleteLater);
  connect(dialog, &ImportDialog::imported, this, &ProjectOpener::tellImported);
  dialog->show();
}

void ProjectOpener::showSources() {
  auto* dialog = m_with.window->findChild<SourcesDialog*>();
  if (dialog == nullptr) {
    dialog =
        new SourcesDialog({m_with.service->path(), m_with.service->readOnly(), m_with.jobs}, m_with.window);
    // It lists the sources of one project.
    connect(m_with.service, &ProjectService::closing, dialog, &QObject::deleteLater);
    connect(dialog, &SourcesDialog::followRequested, this, [this] { chooseImport(true); });
    connect(dialog, &SourcesDialog::changed, m_with.service, &ProjectService::refresh);
  }
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

void ProjectOpener::tellImported(const QStringList& runs, const QStringList& metrics,
                                 const QStringList& notes) {
  const QString came = tr("Runs that were imported: %1.").arg(runs.size());
  Q_EMIT runsImported(runs, metrics);  // another page may come with them
  m_with.messages->showNote((QStringList(came) + notes).join(QLatin1Char(' ')));
  m_with.service->refresh();
}

}  // namespace fathom
