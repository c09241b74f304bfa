// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/sample_steps.h"

#include "app/window/session_keys.h"
#include "app/window/session_store.h"
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
  if (sample) m_strip->startAgain();
  refresh();
}

// Runs are watched in any case: that step is taken with the next one.
void SampleSteps::workspaceShown(WorkspaceId id) {
  if (id == WorkspaceId::Train) return;
  m_strip->setDone(Watch);
  if (id == WorkspaceId::Attention) m_strip->setDone(Heads);
  if (id == WorkspaceId::Errors) m_strip->setDone(Errors);
}

void SampleSteps::exported() {
  m_strip->setDone(Export);
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
