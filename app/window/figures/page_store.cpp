// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/page_store.h"

#include <utility>

#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "views/look/engine_text.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

Status PageStore::writeOne(ProjectLibrary& library, const QString& uuid, const Page& page) {
  if (!page) {
    (void)removeFigureComposition(library, toUtf8(uuid));  // perhaps one that was never stored
    return {};
  }
  FATHOM_TRY(const auto kept, saveFigureComposition(library, *page));
  return {};
}

void PageStore::write(const std::string& uuid, const Page& page) {
  m_waiting.insert(fromUtf8(uuid), page);
  writeWaiting();
}

void PageStore::writeWaiting() {
  if (m_writing || m_waiting.isEmpty()) return;
  m_writing = true;
  m_jobs->start<bool>(
      tr("Storing the page"), {},
      [project = toUtf8(m_service->path()), pages = std::exchange(m_waiting, {})](
          Progress&, const StopToken&) -> Result<bool> {
        FATHOM_TRY(const auto library, ProjectLibrary::open(project));
        for (auto it = pages.cbegin(); it != pages.cend(); ++it)
          FATHOM_CHECK(writeOne(*library, it.key(), it.value()));
        return true;
      },
      [this](const Result<bool>& written) {
        m_writing = false;
        if (!written.ok()) m_messages->showError(written.error());
        writeWaiting();
      });
}

void PageStore::keep() {
  if (!m_service->isOpen() || m_waiting.isEmpty()) return;
  const auto library = ProjectLibrary::open(toUtf8(m_service->path()));
  if (!library.ok()) return m_messages->showError(library.error());
  for (auto it = m_waiting.cbegin(); it != m_waiting.cend(); ++it)
    if (const Status kept = writeOne(**library, it.key(), it.value()); !kept.ok())
      m_messages->showError(kept.error());
  m_waiting.clear();
}

}  // namespace fathom
