// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>
#include <functional>
#include <utility>

namespace fathom {

// An edit that is done and undone by what it is told; what it needs has to live as long as the undo stack.
class UndoStep : public QUndoCommand {
 public:
  UndoStep(const QString& text, std::function<void()> redo, std::function<void()> undo)
      : QUndoCommand(text), m_redo(std::move(redo)), m_undo(std::move(undo)) {}
  void undo() override { m_undo(); }
  void redo() override { m_redo(); }

 private:
  std::function<void()> m_redo, m_undo;
};

}  // namespace fathom
