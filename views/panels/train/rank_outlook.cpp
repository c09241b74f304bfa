// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/rank_outlook.h"

#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QScreen>
#include <QToolButton>
#include <algorithm>

#include "core/analysis/training/rank_scaling.h"
#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "views/figure/figure_text.h"
#include "views/figures/comparison/rank_efficiency.h"
#include "views/figures/figure_parts.h"
#include "views/look/engine_text.h"
#include "views/look/figure_language.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/mark_canvas_view.h"

namespace fathom {

namespace {

constexpr QSize kCurveSize(460, 260);

std::vector<double> realsUnder(const Json& points, const char* key) {
  std::vector<double> values;
  for (const Json& point : points)
    if (const auto value = realFromJson(point.is_object() ? point.value(key, Json()) : Json()); value.ok())
      values.push_back(*value);
  return values;
}

// A line for each network; what is only on paper is dashed.
FigureSpec outlookFigure(const Json& ranks) {
  FigureSpec spec;
  FigurePanel panel = rankEfficiencyPanel();
  std::size_t index = 0;
  for (const Json& link : memberList(ranks, "links")) {
    const Json& curve = memberList(link, "curve");
    const std::vector<double> counts = realsUnder(curve, "ranks"), values = realsUnder(curve, "efficiency");
    if (counts.empty() || counts.size() != values.size()) continue;
    FigureMark line = rankEfficiencyLine(counts, values);
    line.label = readPhrase(link, "name");
    const MarkerShape marker = line.style.marker;
    line.style = seriesStyle(index++);
    line.style.marker = marker;
    line.style.dash = memberFlag(link, "measured", false) ? LineDash::Solid : LineDash::Dash;
    panel.marks.push_back(std::move(line));
  }
  spec.panels.push_back(std::move(panel));
  return spec;
}

}  // namespace

RankOutlook::RankOutlook(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(tr("Processes"), this)),
      m_value(new QLabel(this)),
      m_open(flatTextButton(this, tr("Curve"), tr("Predicted efficiency of 1 to 512 processes"))),
      m_frame(new QFrame(this, Qt::Popup)),
      m_details(wrappedLabel(m_frame, QStringLiteral("rankDetails"))),
      m_canvas(new MarkCanvasView(m_frame)) {
  m_value->setObjectName(QStringLiteral("fitRanks"));
  m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  makeSemibold(m_value);
  m_open->setObjectName(QStringLiteral("rankCurve"));
  m_open->setAccessibleName(tr("Curve of predicted efficiency"));
  m_open->setFocusPolicy(Qt::TabFocus);
  m_frame->setObjectName(QStringLiteral("rankFrame"));
  m_frame->setFrameShape(QFrame::StyledPanel);
  m_canvas->setObjectName(QStringLiteral("rankCanvas"));
  m_canvas->setAccessibleName(tr("Predicted efficiency against processes"));
  m_canvas->setMinimumSize(kCurveSize);
  makeRow(this, {m_title, m_value, m_open}, metrics::kGrid);
  makeColumn(m_frame, {m_canvas, m_details}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  connect(m_open, &QToolButton::clicked, this, &RankOutlook::open);
  hide();
}

void RankOutlook::setReport(const Json& report) {
  m_ranks = memberObject(report, "ranks");
  const RankWords words = rankWords(report);
  m_value->setText(phraseText(words.summary));
  m_value->setToolTip(phraseText(words.details));
  m_value->setAccessibleDescription(phraseText(words.details));
  m_details->setText(phraseText(words.details));
  setVisible(!words.summary.empty());
  if (words.summary.empty()) m_frame->hide();
  draw();
}

void RankOutlook::setColours(const QColor& title, const QColor& value) {
  setTextColour(m_title, title);
  setTextColour(m_value, value);
}

void RankOutlook::draw() {
  if (isHidden()) return;
  const bool drawn = m_canvas
                         ->setFigure(inWindowLanguage(outlookFigure(m_ranks)),
                                     screenStyle(Theme::of(palette()).dark, font()))
                         .ok();
  m_open->setVisible(drawn);
  if (drawn) m_canvas->replot();
  m_canvas->setAccessibleDescription(m_details->text());
}

// Above the foot of the page, whole on its screen.
void RankOutlook::open() {
  m_frame->adjustSize();
  const QRect room = screen()->availableGeometry();
  QPoint corner = m_open->mapToGlobal(QPoint(0, -m_frame->height()));
  corner.setX(std::max(room.left(), std::min(corner.x(), room.right() - m_frame->width())));
  corner.setY(std::max(room.top(), corner.y()));
  m_frame->move(corner);
  m_frame->show();
  m_canvas->setFocus(Qt::PopupFocusReason);
}

void RankOutlook::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) draw();
}

}  // namespace fathom
