// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/sample_steps.h"

#include <QApplication>
#include <QEvent>
#include <QTimer>
#include <utility>

#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "views/panels/widgets/place_pointer.h"
#include "views/panels/widgets/step_strip.h"

namespace fathom {

namespace {

const QString kTakenAway = QStringLiteral("taken away");

QString sentenceOf(int step) {
  switch (step) {
    case SampleSteps::Watch:
      return SampleSteps::tr("Click a run in the list: its curve stands out from the others.");
    case SampleSteps::Heads:
      return SampleSteps::tr("Click into the figure: what a point is made of opens beside it.");
    case SampleSteps::Errors:
      return SampleSteps::tr("Click a prediction in the list: it is laid beside the right answer.");
    default:
      return SampleSteps::tr("Click this button: the page becomes a PDF as it will be printed.");
  }
}

}  // namespace

SampleSteps::SampleSteps(SessionStore* session, QWidget* parent)
    : QObject(parent),
      m_session(session),
      m_strip(new StepStrip(tr("First steps"),
                            {{tr("Watch"), tr("Two, then twelve layers: which of them learn")},
                             {tr("Look into heads"), tr("What the attention heads of a run look at")},
                             {tr("Review errors"), tr("What a parser got wrong, and why")},
                             {tr("Export"), tr("The curves on a page, as they will be printed")}},
                            parent)),
      m_pointer(new PlacePointer(parent)) {
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

void SampleSteps::point(int step) {
  if (m_strip->isHidden()) return;
  m_current = step;
  m_strip->setSentence(sentenceOf(step));
  qApp->installEventFilter(this);
  look();
}

void SampleSteps::look() {
  m_lookAsked = false;
  if (m_current >= 0) m_pointer->pointAt(m_placeOf ? m_placeOf(m_current) : nullptr);
}

// Workspaces load what they show: until the place is there it may be what comes into sight.
void SampleSteps::lookSoon() {
  if (!std::exchange(m_lookAsked, true)) QTimer::singleShot(0, this, &SampleSteps::look);
}

// In the place, by hand: what the window does by itself is no deed.
bool SampleSteps::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show && m_pointer->place() == nullptr && watched != m_pointer) lookSoon();
  const bool hand = event->type() == QEvent::MouseButtonRelease || event->type() == QEvent::KeyPress;
  const auto* widget = hand && watched->isWidgetType() ? static_cast<const QWidget*>(watched) : nullptr;
  const QWidget* place = m_pointer->place();
  const bool inside =
      widget != nullptr && place != nullptr && (widget == place || place->isAncestorOf(widget));
  if (inside && m_current >= 0 && m_current != Export)
    QTimer::singleShot(0, this, [this, step = m_current] { take(step); });
  return QObject::eventFilter(watched, event);
}

// Taken in another language, and in the next session, too.
void SampleSteps::take(int step) {
  if (!m_sample || m_strip->done(step)) return rest();
  m_strip->setDone(step);
  QStringList done;
  for (int each = Watch; each <= Export; ++each)
    if (m_strip->done(each)) done.append(QString::number(each));
  if (m_session->text(session::kSampleSteps) != kTakenAway)
    m_session->setText(session::kSampleSteps, done.join(u','));
  rest();
}

// No step is pointed at any more.
void SampleSteps::rest() {
  m_current = -1;
  m_pointer->pointAt(nullptr);
  m_strip->setSentence({});
  qApp->removeEventFilter(this);
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
  if (m_strip->isHidden()) rest();
}

}  // namespace fathom
