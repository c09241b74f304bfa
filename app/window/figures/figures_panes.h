// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

#include "views/look/qt_names.h"

namespace fathom {

class CheckStrip;
class CompositionForm;
class EmptyState;
class FigureListPanel;
class FiguresActions;
class PageView;

// Widgets of the Figures workspace: list | page with its bar and checks | recipe. Knows no
// project.
class FiguresPanes : public QSplitter {
  Q_OBJECT
 public:
  enum Page : std::uint8_t { Nothing, Whole, Blank };  // no page is open; a page; one without figures
  // `actions` is borrowed.
  FiguresPanes(FiguresActions* actions, QWidget* parent);

  FigureListPanel* list() const { return m_list; }
  PageView* page() const { return m_page; }
  CheckStrip* checks() const { return m_checks; }
  // Its place, whether a page is open or not.
  QStackedWidget* pages() const { return m_pages; }
  CompositionForm* form() const { return m_form; }
  void setPage(Page page);
  // The parts that F6 goes through, in order.
  QList<QWidget*> places() const;

 private:
  QWidget* makePage(FiguresActions* actions);
  void makeZoom(QWidget* part);
  void fillPages(FiguresActions* actions);
  void lay(FiguresActions* actions);
  FigureListPanel* m_list;
  QStackedWidget* m_pages;
  PageView* m_page = nullptr;
  QComboBox* m_zoom = nullptr;
  CheckStrip* m_checks = nullptr;
  CompositionForm* m_form;
};

}  // namespace fathom
