// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>

namespace fathom {

class PlacePointer;
class SessionStore;
class StepStrip;

// The first steps through the sample project: a line over the workspace until somebody takes it away, which
// is remembered, and so are the steps that were taken. A step that was chosen says in one sentence what there
// is to do and points at the place; it is taken when it is done there: a click or a key in the place, the
// last one when a file is written.
class SampleSteps : public QObject {
  Q_OBJECT
 public:
  enum Step { Watch, Heads, Errors, Export };
  // The place of a step in the window as it is now; null where it is not there yet.
  using Place = std::function<QWidget*(int step)>;
  // `session` is borrowed; `parent` owns the line.
  SampleSteps(SessionStore* session, QWidget* parent);
  void setPlaces(Place place) { m_placeOf = std::move(place); }
  StepStrip* strip() const { return m_strip; }
  // Another project is shown.
  void setSample(bool sample);
  // Says what there is to do in the step that was chosen, and points at its place.
  void point(int step);
  // A page was written to a file.
  void exported();
  // Shown again although it was taken away.
  void bringBack();

 Q_SIGNALS:
  void chosen(int step);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void look();
  void lookSoon();
  void take(int step);
  void rest();
  void refresh();
  SessionStore* m_session;
  StepStrip* m_strip;
  PlacePointer* m_pointer;
  Place m_placeOf;
  int m_current = -1;  // that is pointed at
  bool m_sample = false;
  bool m_lookAsked = false;  // look() is to come
};

}  // namespace fathom
