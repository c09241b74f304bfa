// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <optional>
#include <vector>

#include "core/library/figures/figure_composition.h"
#include "views/figure/figure_spec.h"

class QPrinter;
class QWidget;

namespace fathom {

// Owner of the job that writes a page to a file.
inline const QString kExportingPage = QStringLiteral("figures export");

class FileChoice;
class JobCenter;
class MessageBar;
struct DrawnPage;
class ProjectService;

// Pages that leave the window: into files, into the clipboard and onto paper. How it went is said in the
// message bar.
class PageOutput {
  Q_DECLARE_TR_FUNCTIONS(PageOutput)
 public:
  using Figures = std::optional<std::vector<FigureSpec>>;
  // All are borrowed; dialogs belong to `window`.
  PageOutput(ProjectService* service, JobCenter* jobs, MessageBar* messages, FileChoice* files,
             QWidget* window)
      : m_service(service), m_jobs(jobs), m_messages(messages), m_files(files), m_window(window) {}

  void copy(const FigureComposition& page, Figures figures) const;
  // Asks for the printer; the paper lies as the page needs it.
  void print(const FigureComposition& page, Figures figures) const;
  // Writes the figures as they are shown, since a run that goes on has logged more since; without them it
  // reads the project. Asks for a file name where it is empty. `pinned`: of the figures that are shown.
  void write(const FigureComposition& page, const Figures& figures, bool pinned, QString file) const;

 private:
  void printOn(QPrinter& printer, const DrawnPage& page) const;
  ProjectService* m_service;
  JobCenter* m_jobs;
  MessageBar* m_messages;
  FileChoice* m_files;
  QWidget* m_window;
};

}  // namespace fathom
