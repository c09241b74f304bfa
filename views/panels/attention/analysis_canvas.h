// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QVector>
#include <functional>
#include <optional>

#include "views/panels/widgets/mark_canvas_view.h"
#include "views/selection/selection.h"

namespace fathom {

// The figure of an analysis in the window: what is selected is outlined in every panel, the pointer and the
// arrow keys go from place to place (cells of maps and small multiples, points of lines). Nothing of the
// figure is drawn again for that: outlines lie on top of the finished picture.
class AnalysisCanvas : public MarkCanvasView {
  Q_OBJECT
 public:
  explicit AnalysisCanvas(QWidget* parent = nullptr);
  void setRunNames(const QHash<QString, QString>& names) { m_runNames = names; }
  void showSelection(const Selection& selection);
  // Everything that is outlined now, in widget coordinates.
  QVector<QRectF> outlines() const;
  // The middle of the first place whose selection string is `selection`.
  std::optional<QPointF> placeOf(const QString& selection) const;
  bool canBeSelected() const;

 protected:
  QString hoverText(const FigureHit& hit) const override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Place {
    std::size_t panel = 0;
    int row = 0, column = 0;
    QString selection;
    QRectF box;
  };
  enum class Meeting { Nothing, Chosen, Other };  // in common with what is selected
  // In the order of panels and marks, until `use` returns false.
  void eachPlace(bool withCells, const std::function<bool(const Place&)>& use) const;
  Meeting meets(const QString& selection) const;
  void outlineCells(const FigureMark& mark, const MarkCanvas& view, QVector<QRectF>* boxes) const;
  std::optional<Place> current() const;
  std::optional<Place> beside(const Place& place, int down, int right) const;
  Selection m_selection;
  QHash<QString, QString> m_runNames;
  QString m_last;  // selection string of the place that keys go on from
};

}  // namespace fathom
