// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace fathom {

class SessionStore;
class StepStrip;

// The first steps through the sample project: a line over the workspace until somebody takes it away, which
// is remembered, and so are the steps that were taken. A step counts as taken when its workspace was looked
// at, the last one when a figure was made for export.
class SampleSteps : public QObject {
  Q_OBJECT
 public:
  enum Step { Watch, Heads, Errors, Export };
  // `session` is borrowed; `parent` owns the line.
  SampleSteps(SessionStore* session, QWidget* parent);
  StepStrip* strip() const { return m_strip; }
  // Another project is shown.
  void setSample(bool sample);
  void workspaceShown(const QString& id);
  void exported();
  // Shown again although it was taken away.
  void bringBack();

 Q_SIGNALS:
  void chosen(int step);

 private:
  void take(Step step);
  void refresh();
  SessionStore* m_session;
  StepStrip* m_strip;
  bool m_sample = false;
};

}  // namespace fathom
