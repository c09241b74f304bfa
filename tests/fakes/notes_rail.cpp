// SPDX-License-Identifier: Apache-2.0
// A workspace that a test adds: one line of text, which the session keeps.
#include <QLineEdit>

#include "app/window/workspace.h"
#include "app/window/workspace_entry.h"

namespace fathom {

namespace {

class NotesActions : public WorkspaceActions {
 public:
  explicit NotesActions(QObject* owner) : WorkspaceActions(owner) {
    add("notes.empty", QStringLiteral("&Empty the notes"), {}, {}, QStringLiteral("Takes all of it away"));
  }
};

class NotesWorkspace : public Workspace {
 public:
  NotesWorkspace(QWidget* window, WorkspaceActions* actions) : m_line(new QLineEdit(window)) {
    m_line->setObjectName(QStringLiteral("notesLine"));
    actions->bind("notes.empty", [this] { m_line->clear(); });
  }
  QWidget* widget() const override { return m_line; }
  void reset() override { m_line->clear(); }
  QList<QWidget*> places() const override { return {m_line}; }
  QByteArray saveView() const override { return m_line->text().toUtf8(); }
  void restoreView(const QByteArray& view) override { m_line->setText(QString::fromUtf8(view)); }

 private:
  QLineEdit* m_line;
};

}  // namespace

WorkspaceEntry notesRailEntry() {
  return {.id = "notes",
          .session = "notes",
          .icon = "note",
          .title = [] { return QStringLiteral("&Notes"); },
          .tip = [] { return QStringLiteral("A line to remember"); },
          .menu = [] { return QStringLiteral("&Notes"); },
          .actions = [](QObject* owner) -> WorkspaceActions* { return new NotesActions(owner); },
          .make = [](const WorkspaceParts& with, WorkspaceActions* actions) -> Workspace* {
            return new NotesWorkspace(with.window, actions);
          }};
}

}  // namespace fathom
