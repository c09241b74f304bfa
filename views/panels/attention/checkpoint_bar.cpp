// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/checkpoint_bar.h"

#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {
constexpr int kFrameMilliseconds = 700;
}

CheckpointBar::CheckpointBar(QWidget* parent)
    : QWidget(parent),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_play(flatButton(this, QStringLiteral("run"), tr("Go through all computed checkpoints"))),
      m_title(new QLabel(tr("Checkpoint"), this)),
      m_text(wrappedLabel(this)),
      m_note(wrappedLabel(this)) {
  m_slider->setPageStep(1);
  m_slider->setTickPosition(QSlider::TicksBelow);
  m_slider->setTickInterval(1);
  m_slider->setAccessibleName(tr("Checkpoint"));
  m_play->setCheckable(true);
  m_play->setObjectName(QStringLiteral("play"));
  m_play->setAccessibleName(tr("Animate over checkpoints"));
  m_note->setTextFormat(Qt::PlainText);
  m_note->hide();
  auto* line = makeRow({{m_slider, 1}, m_play}, metrics::kGrid);
  makeColumn(this, {m_title, line, m_text, m_note}, 2);
  m_timer.setInterval(kFrameMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &CheckpointBar::advance);
  connect(m_play, &QToolButton::toggled, this, &CheckpointBar::setPlaying);
  connect(m_slider, &QSlider::valueChanged, this, [this] {
    showPlace();
    Q_EMIT stepChosen(step());
  });
  showPlace();
}

void CheckpointBar::setPlaces(const QVector<CheckpointPlace>& places, qint64 step) {
  m_places = places;
  const QSignalBlocker blocker(m_slider);
  m_slider->setRange(0, std::max<int>(0, int(places.size()) - 1));
  setStep(step);
  if (completePlaces() < 2) setPlaying(false);
  showPlace();
}

void CheckpointBar::setNote(const QString& note, const QString& tip) {
  showText(m_note, note);
  m_note->setToolTip(tip);
}

qint64 CheckpointBar::step() const {
  const int at = m_slider->value();
  return at < m_places.size() ? m_places[at].step : -1;
}

void CheckpointBar::setStep(qint64 step) {
  int best = 0;
  for (int i = 0; i < m_places.size(); ++i)
    if (std::abs(m_places[i].step - step) < std::abs(m_places[best].step - step)) best = i;
  m_slider->setValue(best);
}

int CheckpointBar::completePlaces() const {
  return int(
      std::count_if(m_places.begin(), m_places.end(), [](const auto& place) { return place.complete; }));
}

void CheckpointBar::setPlaying(bool playing) {
  playing = playing && completePlaces() >= 2;
  m_play->setChecked(playing);
  m_play->setIcon(icon(playing ? QStringLiteral("pause") : QStringLiteral("run")));
  if (playing) {
    m_timer.start();
  } else {
    m_timer.stop();
  }
}

void CheckpointBar::advance() {
  if (m_busy) return;
  int next = m_slider->value();
  do {
    next = (next + 1) % int(m_places.size());
  } while (!m_places[next].complete);
  m_slider->setValue(next);
}

void CheckpointBar::showPlace() {
  m_slider->setEnabled(m_places.size() > 1);
  m_play->setEnabled(completePlaces() >= 2);
  QString text = tr("no checkpoint yet");
  if (step() == 0) text = tr("before the first update");
  if (step() > 0) text = tr("after %1 updates").arg(QLocale().toString(step()));
  const int at = m_slider->value();
  if (at < m_places.size()) text += m_places[at].complete ? tr(" · computed") : tr(" · not computed");
  m_text->setText(text);
  m_slider->setAccessibleDescription(text);
  m_slider->setToolTip(text);
}

}  // namespace fathom
