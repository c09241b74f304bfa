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
  const auto known = std::find_if(m_sheets.begin(), m_sheets.end(),
                                  [&sheet](const StyleSheet& each) { return each.name == sheet.name; });
  if (known != m_sheets.end()) {
    const StyleSheet before = *known;
    sheet.uuid = before.uuid;
    store(sheet);
    m_messages->showNote(tr("The style sheet “%1” was replaced.").arg(name), tr("Undo"),
                         [this, before] { store(before); });
    return;
  }
  sheet.uuid = makeUuid();
  store(sheet);
  m_messages->showNote(tr("The look of the page is kept as “%1”.").arg(name), tr("Undo"),
                       [this, sheet] { erase(sheet); });
}

void PageLooks::remove(const StyleSheet& sheet) {
  if (!m_editor->canBeChanged()) return;
  erase(sheet);
  m_messages->showNote(
      tr("The style sheet “%1” was deleted; pages keep their look.").arg(fromUtf8(sheet.name)), tr("Undo"),
      [this, sheet] { store(sheet); });
}

void PageLooks::store(const StyleSheet& sheet) {
  std::erase_if(m_sheets, [&sheet](const StyleSheet& each) { return each.uuid == sheet.uuid; });
  m_sheets.push_back(sheet);
  std::sort(m_sheets.begin(), m_sheets.end(),
            [](const StyleSheet& a, const StyleSheet& b) { return a.name < b.name; });
  m_form->styles()->setSheets(m_sheets);
  write([sheet](ProjectLibrary& library) { return saveStyleSheet(library, sheet); });
}

void PageLooks::erase(const StyleSheet& sheet) {
  std::erase_if(m_sheets, [&sheet](const StyleSheet& each) { return each.uuid == sheet.uuid; });
  m_form->styles()->setSheets(m_sheets);
  write([uuid = sheet.uuid](ProjectLibrary& library) { return removeStyleSheet(library, uuid); });
}

void PageLooks::write(std::function<Status(ProjectLibrary&)> change) {
  ++m_writing;
  m_jobs->start<bool>(
      tr("Storing a style sheet"), {},
      [project = toUtf8(m_service->path()), change = std::move(change)](Progress&,
                                                                        const StopToken&) -> Result<bool> {
        FATHOM_TRY(const auto library, ProjectLibrary::open(project));
        FATHOM_CHECK(change(*library));
        return true;
      },
      [this](const Result<bool>& written) {
        --m_writing;
        if (!written.ok()) m_messages->showError(written.error());
      });
}

}  // namespace fathom
