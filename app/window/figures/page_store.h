// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QHash>
#include <optional>

#include "core/library/figures/figure_composition.h"

namespace fathom {

class JobCenter;
class MessageBar;
class ProjectLibrary;
class ProjectService;

// Writes the pages of the open project in jobs, one after the other, so that an older state never comes last.
class PageStore {
  Q_DECLARE_TR_FUNCTIONS(PageStore)
 public:
  using Page = std::optional<FigureComposition>;  // none: it is deleted
  // All are borrowed.
  PageStore(ProjectService* service, JobCenter* jobs, MessageBar* messages)
      : m_service(service), m_jobs(jobs), m_messages(messages) {}

  void write(const std::string& uuid, const Page& page);
  // Writes what waits here and now: the project closes.
  void keep();
  // Pages that are not written yet, by UUID.
  const QHash<QString, Page>& waiting() const { return m_waiting; }
  bool isIdle() const { return !m_writing && m_waiting.isEmpty(); }

 private:
  static Status writeOne(ProjectLibrary& library, const QString& uuid, const Page& page);
  void writeWaiting();
  ProjectService* m_service;
  JobCenter* m_jobs;
  MessageBar* m_messages;
  QHash<QString, Page> m_waiting;
  bool m_writing = false;
};

}  // namespace fathom
