// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/curve_stack.h"

#include <QVBoxLayout>

#include "views/panels/empty_state.h"

namespace fathom {

CurveStack::CurveStack(QWidget* parent) : QWidget(parent), m_empty(new EmptyState(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_empty);
  refresh();
}

void CurveStack::setRuns(const QVector<RunItem>& runs) {
  m_runs = runs;
  refresh();
}
void CurveStack::updateRun(const RunItem&) {}
void CurveStack::setSeries(const QString& uuid, const RunSeriesPtr& series) {
  m_history.insert(uuid, series);
  refresh();
}
void CurveStack::append(const QString&, const EventBatch&) {}
void CurveStack::clear() {
  m_history.clear();
  setRuns({});
}
QByteArray CurveStack::saveView() const {
  return {};
}
void CurveStack::restoreView(const QByteArray&) {}

void CurveStack::refresh() {
  m_empty->setText(tr("Select runs to see their curves."));
}

}  // namespace fathom
