// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_site.h"

#include "app/runner/slurm/slurm_host.h"
#include "app/runner/slurm/slurm_script.h"

namespace fathom {

namespace {

constexpr double kSiteSeconds = 60;

// The same on every site, whatever a user has set for himself.
std::vector<std::string> plainEnvironment(const PlaceRecord& record) {
  std::vector<std::string> words = {"/usr/bin/env"};
  const auto without = [&](const std::string& name) {
    words.emplace_back("-u");
    words.push_back(name);
  };
  for (const std::string& name : overridingVariables(record)) without(name);
  for (const char* name : {"SQUEUE_FORMAT", "SQUEUE_FORMAT2", "SQUEUE_STATES", "SQUEUE_PARTITION",
                           "SQUEUE_USERS", "SQUEUE_SORT", "SQUEUE_ARRAY", "SQUEUE_ALL", "SLURM_TIME_FORMAT",
                           "SBATCH_WAIT", "SBATCH_ARRAY_INX", "SBATCH_TEST_ONLY"})
    without(name);
  words.emplace_back("LC_ALL=C");
  return words;
}

class SlurmHere : public SlurmSite {
 public:
  explicit SlurmHere(PlaceRecord record) : SlurmSite(std::move(record)) {}

  SlurmAnswer stage(const SlurmSubmission& submission, const Requests& requests, const Told&,
                    const StopToken&) override {
    const SlurmSending sending{submission.uuid(), submission.folder(), requests};
    const Status written = submission.writeScript(slurmScript(record(), sending));
    if (!written.ok()) return {SlurmAnswer::Kind::Refused, written.error().phrase()};
    return {SlurmAnswer::Kind::Taken, {}};
  }
  Status bring(const SlurmSubmission&, std::size_t, const JobRequest&, const StopToken&) override {
    return {};
  }
  Status discard(const std::string&, const StopToken&) override { return {}; }

 private:
  Result<ChildOutput> call(std::vector<std::string> words, const std::string&,
                           const StopToken& stop) override {
    ChildSpec spec;
    spec.program = words.front();
    spec.arguments.assign(words.begin() + 1, words.end());
    ChildLimits limits;
    limits.seconds = kSiteSeconds;
    return runChild(spec, limits, stop);
  }
  std::vector<std::string> submitWords(const SlurmSubmission& submission,
                                       std::vector<std::string> words) const override {
    words.push_back(submission.scriptPath());
    return submitOnceWords(submission.folder(), std::move(words));
  }
};

}  // namespace

Result<ChildOutput> SlurmSite::ask(const std::vector<std::string>& words, const StopToken& stop) {
  std::vector<std::string> all = plainEnvironment(m_record);
  all.insert(all.end(), words.begin(), words.end());
  return call(std::move(all), words.front(), stop);
}

SlurmAnswer SlurmSite::submit(const SlurmSubmission& submission, const Requests& requests,
                              const StopToken& stop) {
  std::vector<std::string> words = {"sbatch"};
  for (std::string& word : sbatchWords(m_record, {submission.uuid(), submission.folder(), requests}))
    words.push_back(std::move(word));
  std::vector<std::string> all = plainEnvironment(m_record);
  for (std::string& word : submitWords(submission, std::move(words))) all.push_back(std::move(word));
  const auto output = call(std::move(all), "sbatch", stop);
  if (!output.ok()) return {SlurmAnswer::Kind::Unclear, output.error().phrase()};
  return slurmAnswer(output->exitCode, output->timedOut, output->out, output->err);
}

bool isSlurmOfHost(const PlaceRecord& record) {
  return !record.resources.text("host").empty();
}

std::unique_ptr<SlurmSite> openSlurmSite(const PlaceRecord& record) {
  if (isSlurmOfHost(record)) return openSlurmHost(record);
  return std::make_unique<SlurmHere>(record);
}

}  // namespace fathom
