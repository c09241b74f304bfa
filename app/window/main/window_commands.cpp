// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_commands.h"

#include <algorithm>

#include "app/command.h"
#include "app/window/jobs/project_service.h"
#include "app/window/main/clean_dialog.h"
#include "app/window/main/command_dialog.h"
#include "views/look/name_text.h"
#include "views/panels/widgets/message_bar.h"
#include "views/selection/selection_model.h"
#include "views/tables/run_table_model.h"

namespace fathom {

// The run's name where only one is called that and a list of words can hold it; else its UUID.
QString WindowCommands::wordOfRun(const QString& uuid) const {
  const RunItem* run = m_with.runs->run(uuid);
  if (run == nullptr || run->folder.isEmpty() || run->name.isEmpty() ||
      run->name.contains(QLatin1Char(',')) || run->name.trimmed() != run->name)
    return uuid;
  const auto sameName = [run](const RunItem& other) { return other.name == run->name; };
  const QVector<RunItem>& all = m_with.runs->runs();
  return std::count_if(all.cbegin(), all.cend(), sameName) == 1 ? run->name : uuid;
}

void WindowCommands::offer(const char* id) {
  if (const Command* command = findCommand(id)) offer(*command);
}

void WindowCommands::offer(const Command& command, const QHash<QString, QString>& start) {
  // A selection never holds runs of the trash.
  QStringList runs;
  if (command.id != "restore")
    for (const QString& uuid : m_with.selection->of(Dimension::Run).items) runs.append(wordOfRun(uuid));
  auto* dialog = new CommandDialog(command, m_with.service->path(), runs, start, m_with.jobs, m_with.files,
                                   m_with.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  // It works on one project.
  if (command.needsProject) connect(m_with.service, &ProjectService::closing, dialog, &QObject::deleteLater);
  connect(dialog, &CommandDialog::ran, this, [this] { m_with.service->refresh(); });
  connect(dialog, &CommandDialog::projectMade, this, &WindowCommands::projectMade);
  dialog->show();
}

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
  shown->show();
  shown->raise();
  shown->activateWindow();
}

}  // namespace fathom
