// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/project_opener.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include "app/command.h"
#include "app/sample/sample_analyses.h"
#include "app/window/files/dropped_file.h"
#include "app/window/files/file_choice.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

ProjectOpener::ProjectOpener(const Surroundings& with) : QObject(with.window), m_with(with) {
  connect(m_with.service, &ProjectService::openFailed, this, [this](const QString& path, const Error& error) {
    m_with.session->removeRecentProject(path);
    m_with.session->setText(session::kProject, m_with.service->path());
    m_with.messages->showError(error, QLatin1String(session::kProject));
  });
}

void ProjectOpener::open(const QString& path, bool create) {
  m_with.messages->closeErrors(QLatin1String(session::kProject));
  m_with.service->open(QDir(path).absolutePath(), create);
}

void ProjectOpener::choose(bool create) {
  QString start = m_with.files->start(FileKind::Project);
  const QString opened = m_with.service->path();
  // The sample lies where nobody looks for projects.
  if (m_with.service->isOpen() && !isSampleProject(toUtf8(opened))) start = QFileInfo(opened).absolutePath();
  QString path = create ? m_with.files->toWrite(m_with.window, FileKind::Project, tr("New project"),
                                                QDir(start).filePath(QStringLiteral("project.fathom")),
                                                tr("Fathom projects (*.fathom)"))
                        : m_with.files->folder(m_with.window, FileKind::Project, tr("Open a project"), start);
  if (path.isEmpty()) return;
  if (create && QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".fathom");
  open(path, create);
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
  QStringList predictions;
  for (const QString& path : paths) {
    const QString origin = QStringLiteral("drop ") + path;
    m_with.messages->closeErrors(origin);
    const DroppedKind kind = droppedKind(path);
    if (kind == DroppedKind::Project) {
      open(projectFolderOf(path));
    } else if (kind == DroppedKind::Unknown) {
      m_with.messages->showError(
          tr("%1 is nothing that can be opened here.").arg(path),
          tr("Drop a project, a run's folder or archive, a CSV or TensorBoard log, or predictions."), origin);
    } else if (!m_with.service->isOpen()) {
      m_with.messages->showError(tr("%1 can be shown only in a project.").arg(path),
                                 tr("Open or make a project first."), origin);
    } else if (kind == DroppedKind::Predictions) {
      predictions.append(path);
    } else {
      takeOther(path, origin);
    }
  }
  if (!predictions.isEmpty()) Q_EMIT predictionsDropped(predictions);
}

void ProjectOpener::takeOther(const QString& path, const QString& origin) {
  if (droppedKind(path) == DroppedKind::RunFolder) return m_with.service->linkRun(path);
  if (!m_with.service->readOnly()) return import(path, origin);
  m_with.messages->showError(tr("The project cannot be written to."), path, origin);
}

// As `fathom import-run` does it.
void ProjectOpener::import(const QString& path, const QString& origin) {
  const Command* command = findCommand("import-run");
  const QString name = QFileInfo(path).fileName();
  OptionValues values(OptionSchema(command->fields, {}));
  if (const Status set = values.set("source", toUtf8(path)); !set.ok())
    return m_with.messages->showError(set.error(), origin);
  m_with.jobs->start<CommandOutput>(
      tr("Importing %1").arg(name), origin,
      [command, values, project = toUtf8(m_with.service->path())](Progress& progress, const StopToken& stop) {
        CommandContext context;
        context.project = project;
        context.options = values;
        return command->run(context, progress, stop);
      },
      [this, origin, name](const Result<CommandOutput>& made) {
        if (!made.ok()) return m_with.messages->showError(made.error(), origin);
        m_with.messages->showNote(tr("%1 was imported.").arg(name));
        m_with.service->refresh();
      });
}

}  // namespace fathom
