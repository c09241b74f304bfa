// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/base/json/json.h"
#include "views/look/qt_names.h"

namespace fathom {

class MarkCanvasView;

// Predictions of what the processes of a run bring, from the engine's estimate (docs/dry_run.md §5, "ranks"):
// a few words, and the curve of efficiency in a frame that a button opens. Not there for one process.
class RankOutlook : public QWidget {
  Q_OBJECT
 public:
  explicit RankOutlook(QWidget* parent = nullptr);
  void setReport(const Json& report);
  void setColours(const QColor& title, const QColor& value);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void open();
  void draw();
  QLabel* m_title;
  QLabel* m_value;
  QToolButton* m_open;
  QFrame* m_frame;
  QLabel* m_details;
  MarkCanvasView* m_canvas;
  Json m_ranks = Json::object();
};

}  // namespace fathom
