// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_commands.h"

#include <algorithm>

#include "app/window/files/export_notices.h"
#include "app/window/files/written_file.h"
#include "app/window/imports/attention_dialog.h"
#include "app/window/jobs/project_service.h"
#include "app/window/main/archive_dialog.h"
#include "app/window/main/clean_dialog.h"
#include "app/window/main/trash_dialog.h"
#include "app/window/places/places_dialog.h"
#include "app/window/train/script_dialog.h"
#include "views/look/name_text.h"
#include "views/panels/widgets/message_bar.h"
#include "views/selection/selection_model.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

void bringForward(QDialog* dialog) {
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

QVector<RunItem> withFolder(const QVector<RunItem>& runs) {
  QVector<RunItem> kept = runs;
  kept.removeIf([](const RunItem& run) { return run.folder.isEmpty(); });
  return kept;
}

}  // namespace

void WindowCommands::cleanUp() {
  auto* shown = m_with.window->findChild<CleanDialog*>();
  if (shown == nullptr) {
    shown = new CleanDialog(m_with.service->path(), m_with.jobs, m_with.window);
    // It knows the files of one project.
    connect(m_with.service, &ProjectService::closing, shown, &QObject::deleteLater);
    connect(shown, &CleanDialog::cleaned, m_with.service, &ProjectService::refresh);
    connect(shown, &CleanDialog::cleaned, this, [this](quint64 bytes) {
      m_with.messages->showNote(tr("%1 are free again.").arg(sizeText(bytes)));
    });
  }
  bringForward(shown);
}

void WindowCommands::restore() {
  auto* shown = m_with.window->findChild<TrashDialog*>();
  if (shown == nullptr) {
    shown = new TrashDialog(m_with.service->path(), m_with.jobs, m_with.window);
    connect(m_with.service, &ProjectService::closing, shown, &QObject::deleteLater);
    connect(shown, &TrashDialog::restored, m_with.service, &ProjectService::refresh);
    connect(shown, &TrashDialog::restored, this, [this](const QStringList& names) {
      m_with.messages->showNote(tr("Brought back from the trash: %1").arg(nameText(names)));
    });
    // A run that is deleted meanwhile is listed, too.
    connect(m_with.service, &ProjectService::changed, shown, [shown](const ProjectChanges& changes) {
      if (!changes.removed.isEmpty()) shown->refresh();
    });
  }
  bringForward(shown);
}

void WindowCommands::archive(const QVector<RunItem>& runs) {
  const QVector<RunItem> packable = withFolder(runs);
  if (packable.isEmpty()) return;
  auto* dialog = new ArchiveDialog({m_with.jobs, m_with.files}, packable, m_with.window);
  connect(m_with.service, &ProjectService::closing, dialog, &QObject::deleteLater);
  connect(dialog, &ArchiveDialog::written, this, [this](const QString& file) {
    WrittenFile::tell(m_with.messages, ExportNotices::file(file), file);
  });
  bringForward(dialog);
}

void WindowCommands::importAttention(const QStringList& files) {
  const QStringList selected = m_with.selection->of(Dimension::Run).items;
  auto* dialog = new AttentionDialog(
      {m_with.service->path(), m_with.jobs, m_with.files, withFolder(m_with.runs->runs()), selected.value(0)},
      files, m_with.window);
  connect(m_with.service, &ProjectService::closing, dialog, &QObject::deleteLater);
  connect(dialog, &AttentionDialog::imported, this, [this](const QString& run, const QString& name) {
    Q_EMIT attentionImported(run);  // another page comes with it
    m_with.messages->showNote(tr("Attention was imported for “%1”.").arg(name));
    m_with.service->refresh();
  });
  bringForward(dialog);
}

ScriptDialog* WindowCommands::openScript() {
  auto* dialog = new ScriptDialog({m_with.service, m_with.jobs, m_with.files, m_with.session}, m_with.window);
  connect(m_with.service, &ProjectService::closing, dialog, &QObject::deleteLater);
  bringForward(dialog);
  return dialog;
}

void WindowCommands::runScript() {
  openScript();
}

void WindowCommands::repeatScript(const RunItem& run) {
  openScript()->repeat(run.name, run.folder);
}

void WindowCommands::showPlaces(const QString& place) {
  auto* shown = m_with.window->findChild<PlacesDialog*>();
  if (shown == nullptr) {
    shown =
        new PlacesDialog({m_with.service->path(), m_with.service->readOnly(), m_with.jobs}, m_with.window);
    // It lists the places of one project.
    connect(m_with.service, &ProjectService::closing, shown, &QObject::deleteLater);
    connect(shown, &PlacesDialog::changed, m_with.service, &ProjectService::refresh);
  }
  if (!place.isEmpty()) shown->choose(place);
  bringForward(shown);
}

}  // namespace fathom
