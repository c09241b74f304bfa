// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/page_looks.h"

#include <algorithm>
#include <utility>

#include "app/window/figures/page_editor.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/base/files/hash.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/style_choice.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

PageLooks::PageLooks(PageEditor* editor, CompositionForm* form, ProjectService* service, JobCenter* jobs,
                     MessageBar* messages)
    : m_editor(editor), m_form(form), m_service(service), m_jobs(jobs), m_messages(messages) {
  connect(form->styles(), &StyleChoice::keepRequested, this, &PageLooks::keep);
  connect(form->styles(), &StyleChoice::removeRequested, this, &PageLooks::remove);
}

void PageLooks::setSheets(std::vector<StyleSheet> sheets) {
  if (!isIdle()) return;  // what is being written is newer
  m_sheets = std::move(sheets);
  m_form->styles()->setSheets(m_sheets);
}

void PageLooks::keep(const QString& name) {
  if (m_editor->page() == nullptr || !m_editor->canBeChanged()) return;
  StyleSheet sheet = styleSheetOf(*m_editor->page(), toUtf8(name));
  const QString project = m_service->path();
  const auto known = std::find_if(m_sheets.begin(), m_sheets.end(),
                                  [&sheet](const StyleSheet& each) { return each.name == sheet.name; });
  if (known != m_sheets.end()) {
    const StyleSheet before = *known;
    sheet.uuid = before.uuid;
    store(sheet, project);
    m_messages->showNote(tr("The style sheet “%1” was replaced.").arg(name), tr("Undo"),
                         [this, before, project] { store(before, project); });
    return;
  }
  sheet.uuid = makeUuid();
  store(sheet, project);
  m_messages->showNote(tr("The look of the page is kept as “%1”.").arg(name), tr("Undo"),
                       [this, sheet, project] { erase(sheet, project); });
}

void PageLooks::remove(const StyleSheet& sheet) {
  if (!m_editor->canBeChanged()) return;
  const QString project = m_service->path();
  erase(sheet, project);
  m_messages->showNote(
      tr("The style sheet “%1” was deleted; pages keep their look.").arg(fromUtf8(sheet.name)), tr("Undo"),
      [this, sheet, project] { store(sheet, project); });
}

bool PageLooks::isOpen(const QString& project) const {
  return m_service->isOpen() && m_service->path() == project;
}

void PageLooks::store(const StyleSheet& sheet, const QString& project) {
  if (isOpen(project)) {
    std::erase_if(m_sheets, [&sheet](const StyleSheet& each) { return each.uuid == sheet.uuid; });
    m_sheets.push_back(sheet);
    std::sort(m_sheets.begin(), m_sheets.end(),
              [](const StyleSheet& a, const StyleSheet& b) { return a.name < b.name; });
    m_form->styles()->setSheets(m_sheets);
  }
  write(project, [sheet](ProjectLibrary& library) { return saveStyleSheet(library, sheet); });
}

void PageLooks::erase(const StyleSheet& sheet, const QString& project) {
  if (isOpen(project)) {
    std::erase_if(m_sheets, [&sheet](const StyleSheet& each) { return each.uuid == sheet.uuid; });
    m_form->styles()->setSheets(m_sheets);
  }
  write(project, [uuid = sheet.uuid](ProjectLibrary& library) { return removeStyleSheet(library, uuid); });
}

void PageLooks::write(const QString& project, std::function<Status(ProjectLibrary&)> change) {
  ++m_writing;
  m_jobs->start<bool>(
      tr("Storing a style sheet"), {},
      [path = toUtf8(project), change = std::move(change)](Progress&, const StopToken&) -> Result<bool> {
        FATHOM_TRY(const auto library, ProjectLibrary::open(path));
        FATHOM_CHECK(change(*library));
        return true;
      },
      [this](const Result<bool>& written) {
        --m_writing;
        if (!written.ok()) m_messages->showError(written.error());
      });
}

}  // namespace fathom
