// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/sample_analysis_job.h"

#include <QPointer>

#include "app/sample/sample_analyses.h"
#include "app/window/jobs/job_center.h"
#include "core/record/runs/run_verdict.h"
#include "views/look/engine_text.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

const QString kSampleOwner = QStringLiteral("sample analyses");

}  // namespace

SampleAnalysisJob::SampleAnalysisJob(ProjectService* service, JobCenter* jobs, MessageBar* messages,
                                     QObject* parent)
    : QObject(parent), m_service(service), m_jobs(jobs), m_messages(messages) {
  connect(service, &ProjectService::opened, this, [this](const QString& path) {
    m_ended.clear();
    m_sample = !m_service->readOnly() && isSampleProject(toUtf8(path));
  });
  connect(service, &ProjectService::changed, this, &SampleAnalysisJob::take);
}

void SampleAnalysisJob::take(const ProjectChanges& changes) {
  if (!m_sample) return;
  const int before = static_cast<int>(m_ended.size());
  for (const RunItem& run : changes.runs) {
    if (isDone(run.state)) m_ended.insert(run.uuid);
  }
  if (m_ended.size() > before && !m_resting) start();
}

// A round goes on when another project is opened: what it stores is in its own.
void SampleAnalysisJob::start() {
  m_again = m_jobs->isRunning(m_job);  // then the run that has just ended comes when this round is over
  if (m_again) return;
  const std::string project = toUtf8(m_service->path());
  m_job = m_jobs->start<int>(
      tr("Analysing the sample"), kSampleOwner,
      [project, jobs = m_jobs, messages = QPointer(m_messages)](Progress& progress, const StopToken& stop) {
        return computeSampleAnalyses(project, progress, stop, [=](const Phrase& words) {
          const auto show = [messages, words] {
            if (messages) messages->showNote(phraseText(words));
          };
          QMetaObject::invokeMethod(jobs, show, Qt::QueuedConnection);
        });
      },
      [this](const Result<int>& result) {
        if (!result.ok()) m_messages->showError(result.error());
        if (result.ok()) Q_EMIT computed(*result);
        if (std::exchange(m_again, false) && m_sample) start();
      });
}

}  // namespace fathom
