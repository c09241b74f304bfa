// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/system_watch.h"

#include "app/requests/dry_run_request.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "views/look/engine_text.h"
#include "views/panels/system/system_view.h"
#include "views/tables/run_table_model.h"

namespace fathom {

SystemWatch::SystemWatch(SystemView* view, RunTableModel* runs, ProjectService* service, JobCenter* jobs,
                         QObject* parent)
    : QObject(parent), m_view(view), m_runs(runs), m_service(service), m_jobs(jobs) {
  connect(view, &SystemView::wanted, this, [this](const QString& uuid, bool grown) {
    const RunItem* run = m_runs->run(uuid);
    if (run != nullptr && !run->folder.isEmpty()) m_service->readSystem(uuid, run->folder, grown);
  });
  connect(service, &ProjectService::systemRead, view, &SystemView::setSystem);
  connect(view, &SystemView::estimateRequested, this, &SystemWatch::estimate);
  connect(jobs, &JobCenter::shownJobsChanged, this, [this] {  // cancelled, nobody answers
    if (m_job == 0 || m_jobs->isRunning(m_job)) return;
    m_job = 0;
    m_view->showProblem(m_asked, {});
  });
}

void SystemWatch::estimate(const QString& uuid) {
  const RunItem* run = m_runs->run(uuid);
  if (run == nullptr || run->folder.isEmpty()) return;
  m_view->showEstimating();
  m_asked = uuid;
  m_job = m_jobs->start<std::int64_t>(
      tr("Memory of %1").arg(run->name), QStringLiteral("system-estimate"),
      [folder = toUtf8(run->folder)](Progress& progress, const StopToken& stop) {
        return askMemoryOf(folder, progress, stop);
      },
      [this, uuid](const Result<std::int64_t>& bytes) {
        if (bytes.ok()) {
          m_view->setEstimate(uuid, *bytes);
        } else {
          m_view->showProblem(uuid, phraseText(bytes.error().phrase()));
        }
      });
}

}  // namespace fathom
