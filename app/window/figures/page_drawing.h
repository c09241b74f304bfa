// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "core/base/errors/result.h"

namespace fathom {

class BuiltFigures;
class FiguresPanes;
class MessageBar;
class PageEditor;
struct FigureComposition;

// The open page on screen: reads the data of its panels, draws it in a turn of the event loop after an edit,
// and says below it what a reader would stumble over, with what mends that.
class PageDrawing : public QObject {
  Q_OBJECT
 public:
  // All are borrowed.
  PageDrawing(PageEditor* editor, BuiltFigures* figures, FiguresPanes* panes, MessageBar* messages);
  // Nothing is being read, and nothing waits to be drawn.
  bool isIdle() const { return !m_building && !m_wait.isActive(); }
  // Draws soon: edits that follow each other quickly are drawn once.
  void drawSoon() { m_wait.start(); }
  // No page any more; what is being read is not drawn.
  void clear();
  // Builds the page again with results computed meanwhile; undo brings back the former ones.
  void regenerate();
  // Why the selected panel cannot be drawn, in the form.
  void showProblem();
  // As high as a page of the venue at most, and as wide as its style.
  void fitToPage();
  static QString readingOwner();
  static QString computingOwner();

 Q_SIGNALS:
  void drawn();

 private:
  void build();
  void draw();
  void showChecks(const FigureComposition& page);
  void computeMissing();
  void addDashes();
  // Height that the page takes if nobody says one; 0 where it cannot be drawn.
  double ownHeightMm(FigureComposition page) const;
  PageEditor* m_editor;
  BuiltFigures* m_figures;
  FiguresPanes* m_panes;
  MessageBar* m_messages;
  QTimer m_wait;
  bool m_building = false;
};

}  // namespace fathom
