// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/sample_steps.h"

#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "views/panels/widgets/step_strip.h"

namespace fathom {

namespace {

const QString kTakenAway = QStringLiteral("taken away");

}  // namespace

SampleSteps::SampleSteps(SessionStore* session, QWidget* parent)
    : QObject(parent),
      m_session(session),
      m_strip(new StepStrip(tr("First steps"),
                            {{tr("Watch"), tr("Two, then twelve layers: which of them learn")},
                             {tr("Look into heads"), tr("What the attention heads of a run look at")},
                             {tr("Review errors"), tr("What a parser got wrong, and why")},
                             {tr("Export"), tr("The curves on a page, as they will be printed")}},
                            parent)) {
  m_strip->hide();
  connect(m_strip, &StepStrip::chosen, this, &SampleSteps::chosen);
  connect(m_strip, &StepStrip::dismissed, this, [this] {
    m_session->setText(session::kSampleSteps, kTakenAway);
    refresh();
  });
}

void SampleSteps::setSample(bool sample) {
  m_sample = sample;
  if (!sample) return refresh();
  m_strip->startAgain();
  for (const QString& step : m_session->text(session::kSampleSteps).split(u',')) {
    bool number = false;
    if (const int done = step.toInt(&number); number) m_strip->setDone(done);
  }
  refresh();
}

// Runs are watched in any case: that step is taken with the next one.
void SampleSteps::workspaceShown(const QString& id) {
  if (id == QLatin1String("train")) return;
  take(Watch);
  if (id == QLatin1String("attention")) take(Heads);
  if (id == QLatin1String("errors")) take(Errors);
}

// Taken in another language, and in the next session, too.
void SampleSteps::take(Step step) {
  if (!m_sample || m_strip->done(step)) return;
  m_strip->setDone(step);
  QStringList done;
  for (int each = Watch; each <= Export; ++each)
    if (m_strip->done(each)) done.append(QString::number(each));
  if (m_session->text(session::kSampleSteps) != kTakenAway)
    m_session->setText(session::kSampleSteps, done.join(u','));
}

void SampleSteps::exported() {
  take(Export);
}

void SampleSteps::bringBack() {
  m_session->setText(session::kSampleSteps, QString());
  m_strip->startAgain();
  m_sample = true;
  refresh();
}

void SampleSteps::refresh() {
  m_strip->setVisible(m_sample && m_session->text(session::kSampleSteps) != kTakenAway);
}

}  // namespace fathom
