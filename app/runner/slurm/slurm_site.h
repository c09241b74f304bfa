// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/runner/child_process.h"
#include "app/runner/slurm/slurm_answers.h"
#include "app/runner/slurm/slurm_submission.h"

namespace fathom {

// The side on which a Slurm's commands and the files of its jobs are: this machine, whose disk the nodes
// share, or a host (slurm_host.h). Functions block and are called on one thread, that of the board.
class SlurmSite {
 public:
  // Runs of a submission by their number; one without a folder is a gap.
  using Requests = std::vector<JobRequest>;
  // Takes what is being done; an error of it ends that.
  using Told = std::function<Status(const Phrase& what)>;
  virtual ~SlurmSite() = default;
  // A command of Slurm, without what a user has set for himself; an error where nobody can be asked.
  Result<ChildOutput> ask(const std::vector<std::string>& words, const StopToken& stop);
  // Script and all that its runs need lie where their nodes find them. Taken: it may be submitted.
  virtual SlurmAnswer stage(const SlurmSubmission& submission, const Requests& requests, const Told& told,
                            const StopToken& stop) = 0;
  SlurmAnswer submit(const SlurmSubmission& submission, const Requests& requests, const StopToken& stop);
  // Copies into the folder of the submission here what a task's script has left so far.
  virtual Status bring(const SlurmSubmission& submission, std::size_t task, const JobRequest& request,
                       const StopToken& stop) = 0;
  // Removes what the site has of it beside the folder here; one that cannot be reached keeps it.
  virtual Status discard(const std::string& submission, const StopToken& stop) = 0;

 protected:
  explicit SlurmSite(PlaceRecord record) : m_record(std::move(record)) {}
  const PlaceRecord& record() const { return m_record; }
  // `program` is the command of Slurm among the words.
  virtual Result<ChildOutput> call(std::vector<std::string> words, const std::string& program,
                                   const StopToken& stop) = 0;
  // The words with which a submission is asked for, of those of sbatch before the path of its script.
  virtual std::vector<std::string> submitWords(const SlurmSubmission& submission,
                                               std::vector<std::string> words) const = 0;

 private:
  PlaceRecord m_record;
};

// This machine, or the host that the record names.
std::unique_ptr<SlurmSite> openSlurmSite(const PlaceRecord& record);
// False where the Slurm is this machine's.
bool isSlurmOfHost(const PlaceRecord& record);

}  // namespace fathom
