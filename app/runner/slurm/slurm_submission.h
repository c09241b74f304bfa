// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/runner/launcher.h"

namespace fathom {

// What is on the disk of a submission, so that whoever comes after a runner that died finds it, and nobody
// submits it twice: queue/slurm/<uuid>/ with place.json (place, runs), script.sh, and job, the number that
// sbatch gave. <task>.code and <task>.log come from the script, <task>.done from us. Of a host's Slurm it is
// the copy of a folder there, and stays until that one is gone: "over" says that nobody asks for it any more.
class SlurmSubmission {
 public:
  SlurmSubmission(std::string project, std::string uuid);
  const std::string& uuid() const { return m_uuid; }
  const std::string& folder() const { return m_folder; }
  // Written before sbatch is asked: by the runs it is found. `attempts`: of each run so far.
  Status write(const PlaceRecord& record, const std::vector<JobRequest>& requests,
               const std::vector<int>& attempts) const;
  // Written when all that it needs is there.
  Status writeScript(const std::string& script) const;
  bool isStaged() const;
  Status keepJob(const std::string& job) const;
  std::string job() const;  // "" = sbatch has not answered
  std::string scriptPath() const { return m_folder + "/script.sh"; }
  std::optional<int> exitCode(std::size_t task) const;  // of the last life that ended by itself
  std::string logPath(std::size_t task) const;
  // Nobody asks for the task any more. True for the last one of a folder that is there.
  bool finish(std::size_t task, std::size_t tasks) const;
  // Whoever comes next knows it, too.
  void markOver() const;
  // False where something of it is still there: it has to be removed another time.
  bool remove() const;

 private:
  std::string m_project, m_uuid, m_folder;
};

// A run in the submissions of a place.
struct SubmittedRun {
  std::string submission;
  std::size_t task = 0, tasks = 1;
  int attempts = 0;  // before it
  JobRequest request;
};
// The newest submission that holds the run and is not over for it.
std::optional<SubmittedRun> submittedRun(const std::string& project, const std::string& place,
                                         const std::string& runPath);

// Submissions of a place that are over and still have files here: the site may have some, too.
std::vector<std::string> overSubmissions(const std::string& project, const std::string& place);

}  // namespace fathom
