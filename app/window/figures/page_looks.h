// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

#include "core/library/figures/style_sheet.h"

namespace fathom {

class CompositionForm;
class JobCenter;
class MessageBar;
class PageEditor;
class ProjectLibrary;
class ProjectService;

// Style sheets of the open project: written in jobs; each change can be undone from the message that tells of
// it.
class PageLooks : public QObject {
  Q_OBJECT
 public:
  // All are borrowed.
  PageLooks(PageEditor* editor, CompositionForm* form, ProjectService* service, JobCenter* jobs,
            MessageBar* messages);
  // Those of the project, as they were read with it.
  void setSheets(std::vector<StyleSheet> sheets);
  bool isIdle() const { return m_writing == 0; }

 private:
  void keep(const QString& name);
  void remove(const StyleSheet& sheet);
  // In the project at this path, which another one may have followed in the window by the time of an undo.
  void store(const StyleSheet& sheet, const QString& project);
  void erase(const StyleSheet& sheet, const QString& project);
  void write(const QString& project, std::function<Status(ProjectLibrary&)> change);
  bool isOpen(const QString& project) const;
  PageEditor* m_editor;
  CompositionForm* m_form;
  ProjectService* m_service;
  JobCenter* m_jobs;
  MessageBar* m_messages;
  std::vector<StyleSheet> m_sheets;
  int m_writing = 0;
};

}  // namespace fathom
