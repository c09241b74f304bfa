// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_status.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLocale>
#include <QMimeData>
#include <QStatusBar>

#include "app/runner/engine_description.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "app/window/main/main_window.h"
#include "app/window/train/train_workspace.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/job_strip.h"

namespace fathom {

namespace {

constexpr int kStatusMilliseconds = 500, kCopiedMilliseconds = 4000;

// Empty for what comes from another program: Qt hands that over in classes of its own.
QString copiedWords(const QMimeData* data) {
  constexpr qsizetype kMostLetters = 40;
  if (data == nullptr || data->metaObject() != &QMimeData::staticMetaObject) return {};
  if (data->hasImage()) return MainWindow::tr("Copied: picture");
  const QString text = data->text();
  if (text.isEmpty()) return {};
  const qsizetype lines = text.count(QLatin1Char('\n')) + (text.endsWith(QLatin1Char('\n')) ? 0 : 1);
  if (lines > 1) return MainWindow::tr("Copied: %1 lines").arg(QLocale().toString(qlonglong(lines)));
  const QString line = text.simplified();
  return MainWindow::tr("Copied: %1").arg(line.size() > kMostLetters ? line.left(kMostLetters) + u'…' : line);
}

// It may be a dialog of the window in which something is copied.
bool worksIn(const QWidget* window) {
  for (const QWidget* active = QApplication::activeWindow(); active != nullptr;
       active = active->parentWidget())
    if (active == window) return true;
  return false;
}

}  // namespace

WindowStatus::WindowStatus(QStatusBar* bar, const ProjectService* service, const TrainWorkspace* train,
                           JobCenter* jobs)
    : QObject(bar),
      m_service(service),
      m_train(train),
      m_counts(new QLabel(bar)),
      m_device(new QLabel(bar)),
      m_age(new QLabel(bar)),
      m_copied(new QLabel(bar)) {
  m_copied->setObjectName(QStringLiteral("copiedNote"));
  for (QLabel* label : {m_counts, m_device, m_age, m_copied}) {
    label->setContentsMargins(metrics::kMargin, 0, metrics::kMargin, 0);
    bar->addWidget(label);
  }
  auto* strip = new JobStrip(bar);
  bar->addPermanentWidget(strip);
  connect(jobs, &JobCenter::shownJobsChanged, strip, &JobStrip::setJobs);
  connect(strip, &JobStrip::cancelRequested, jobs, &JobCenter::cancel);
  connect(train, &TrainWorkspace::countsChanged, this, &WindowStatus::refresh);
  connect(train, &TrainWorkspace::engineKnown, this, &WindowStatus::refresh);
  connect(QGuiApplication::clipboard(), &QClipboard::dataChanged, this, &WindowStatus::sayCopied);
  m_copiedFor.setSingleShot(true);
  connect(&m_copiedFor, &QTimer::timeout, m_copied, &QLabel::clear);
  m_timer.setInterval(kStatusMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &WindowStatus::refresh);
  m_timer.start();
}

void WindowStatus::sayCopied() {
  const QString words = copiedWords(QGuiApplication::clipboard()->mimeData());
  if (words.isEmpty() || !worksIn(m_copied->window())) return;
  m_copied->setText(words);
  m_copiedFor.start(kCopiedMilliseconds);
}

void WindowStatus::refresh() {
  const bool open = m_service->isOpen();
  const QString counts = m_train->paused() ? MainWindow::tr("%1 running · %2 queued, paused")
                                           : MainWindow::tr("%1 running · %2 queued");
  m_counts->setText(open ? counts.arg(m_train->running()).arg(m_train->queued()) : QString());
  const double age = m_train->lastEventAge();
  const bool live = open && m_train->running() > 0 && age >= 0;
  m_age->setText(
      live ? MainWindow::tr("last event %1 s ago").arg(QLocale().toString(age, 'f', age < 10 ? 1 : 0))
           : QString());
  QString device;
  if (const EngineDescription* engine = m_train->engine()) {
    QString gpu;
    for (const EngineDevice& each : engine->devices)
      if (each.id != "cpu" && each.available && gpu.isEmpty()) gpu = fromUtf8(each.title);
    device = gpu.isEmpty() ? MainWindow::tr("GPU none") : gpu;
  }
  m_device->setText(open ? device : QString());
}

}  // namespace fathom
