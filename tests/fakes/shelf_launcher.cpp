// SPDX-License-Identifier: Apache-2.0
// A place that a test adds: a queue of its own, which keeps each job back for a moment and then starts it on
// this machine.
#include "app/runner/launcher.h"

namespace fathom {

namespace {

constexpr int kKeptBack = 3;  // questions until a job starts

class ShelfJob : public Job {
 public:
  ShelfJob(JobRequest request, std::string id) : m_request(std::move(request)), m_id(std::move(id)) {}
  const std::string& id() const override { return m_id; }
  JobStatus status() override {
    if (m_job) return m_job->status();
    if (++m_asked < kKeptBack)
      return {.kind = JobStatus::Kind::Waiting, .reason = Phrase::words("on the shelf")};
    auto local = openPlace({}, "local");
    auto jobs = local.ok() ? (*local)->submit({&m_request, 1}) : local.error();
    if (!jobs.ok()) return {.kind = JobStatus::Kind::Unknown, .reason = jobs.error().phrase()};
    m_job = std::move(jobs->front());
    return {};
  }
  Status signal(JobSignal what) override { return m_job ? m_job->signal(what) : Status(); }

 private:
  JobRequest m_request;
  std::string m_id;
  int m_asked = 0;
  std::unique_ptr<Job> m_job;
};

class ShelfPlace : public Place {
 public:
  PlaceAbilities abilities() const override { return {.ownQueue = true, .knowsMemoryKill = false}; }
  Result<std::vector<std::unique_ptr<Job>>> submit(std::span<const JobRequest> requests) override {
    std::vector<std::unique_ptr<Job>> jobs;
    for (const JobRequest& request : requests)
      jobs.push_back(std::make_unique<ShelfJob>(request, "shelf_" + std::to_string(++m_count)));
    return jobs;
  }
  std::unique_ptr<Job> adopt(const std::string&) override { return nullptr; }

 private:
  int m_count = 0;
};

}  // namespace

LauncherEntry shelfLauncherEntry() {
  return {.id = "shelf",
          .title = "Shelf",
          .open = [](const PlaceRecord&, const std::string&) -> Result<std::unique_ptr<Place>> {
            return std::unique_ptr<Place>(new ShelfPlace);
          }};
}

}  // namespace fathom
