// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>
#include <QWidget>

#include "views/look/qt_names.h"
#include "views/panels/errors/schema_use.h"

namespace fathom {

// The tables of a schema as boxes, foreign keys as lines; what gold and prediction use, and how they join, in
// colours: green for gold alone, orange for the prediction alone, blue for both.
class SchemaGraph : public QWidget {
  Q_OBJECT
 public:
  explicit SchemaGraph(QWidget* parent = nullptr);
  void setSchema(const SpiderSchema* schema);  // borrowed until the next call
  void setUse(const SchemaUse& gold, const SchemaUse& predicted);
  void setCurrentTable(int table);
  QSize sizeHint() const override { return {280, 160}; }

 Q_SIGNALS:
  void tableClicked(int table);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF boxOf(int table) const;
  void place();
  const SpiderSchema* m_schema = nullptr;
  std::vector<SchemaCell> m_cells;
  int m_gridColumns = 1, m_gridRows = 1;
  SchemaUse m_gold, m_predicted;
  int m_current = -1;
};

// Graph and tree of the schema of the current example.
class SchemaPanel : public QWidget {
  Q_OBJECT
 public:
  explicit SchemaPanel(QWidget* parent = nullptr);
  // Null: no schema known. Borrowed until the next call.
  void showSchema(const SpiderSchema* schema);
  void showUse(const PreparedSql& gold, const PreparedSql& predicted);
  QTreeWidget* tree() const { return m_tree; }
  // How both queries join, in words; "" = neither does.
  QString joinPath() const;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fillTree();
  void markTree();
  void shareWidth();
  void colourTree();
  const SpiderSchema* m_schema = nullptr;
  SchemaUse m_gold, m_predicted;
  QLabel* m_title;
  SchemaGraph* m_graph;
  QTreeWidget* m_tree;
  QLabel* m_legend;
  QLabel* m_path;
  QSplitter* m_split = nullptr;
};

}  // namespace fathom
