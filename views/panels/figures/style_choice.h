// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/library/figures/style_sheet.h"
#include "views/look/qt_names.h"

namespace fathom {

// The style of a page: those of the venues, below them style sheets of one's own, and beside the list what
// keeps the look of the page as a sheet, or takes a sheet away.
class StyleChoice : public QWidget {
  Q_OBJECT
 public:
  explicit StyleChoice(QWidget* parent = nullptr);
  void setSheets(const std::vector<StyleSheet>& sheets);
  // Shows the sheet that the page looks like, else its style.
  void setPage(const FigureComposition& page);
  void setReadOnly(bool readOnly);

 Q_SIGNALS:
  void styleChosen(const QString& id);
  void sheetChosen(const fathom::StyleSheet& sheet);
  // The look of the page under this name; one that has the name already gives way.
  void keepRequested(const QString& name);
  void removeRequested(const fathom::StyleSheet& sheet);

 private:
  void fill();
  void choose(int index);
  void fillMenu();
  void askName();
  const StyleSheet* shownSheet() const;
  std::vector<StyleSheet> m_sheets;
  FigureComposition m_page;
  bool m_readOnly = false;
  QComboBox* m_box;
  QToolButton* m_more;
};

}  // namespace fathom
