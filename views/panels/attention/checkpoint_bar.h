// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// A place of the slider: so many updates (0: before the first), and whether the shown analysis has a result
// there for every chosen run.
struct CheckpointPlace {
  qint64 step = 0;
  bool complete = false;
  bool operator==(const CheckpointPlace&) const = default;
};

// Slider over the checkpoints of a training, with keys, numbers and an animation that goes from one computed
// place to the next.
class CheckpointBar : public QWidget {
  Q_OBJECT
 public:
  explicit CheckpointBar(QWidget* parent = nullptr);
  // `step`: the place that is shown, or the nearest to it; emits nothing.
  void setPlaces(const QVector<CheckpointPlace>& places, qint64 step);
  const QVector<CheckpointPlace>& places() const { return m_places; }
  // -1: there is none.
  qint64 step() const;
  void setStep(qint64 step);
  bool canPlay() const { return completePlaces() >= 2; }
  bool playing() const { return m_timer.isActive(); }
  void setPlaying(bool playing);
  // Tells a deviation from the place that is shown; empty: none.
  void setNote(const QString& note, const QString& tip = {});
  QLabel* note() const { return m_note; }
  // The picture of the last step is not there yet: the animation waits.
  void setBusy(bool busy) { m_busy = busy; }
  QSlider* slider() const { return m_slider; }

 Q_SIGNALS:
  void stepChosen(qint64 step);

 private:
  void showPlace();
  void advance();
  int completePlaces() const;
  QVector<CheckpointPlace> m_places;
  QSlider* m_slider;
  QToolButton* m_play;
  QLabel* m_title;
  QLabel* m_text;
  QLabel* m_note;
  QTimer m_timer;
  bool m_busy = false;
};

}  // namespace fathom
