// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/slurm/slurm_host.h"

#include <unistd.h>

#include "app/runner/slurm/slurm_script.h"
#include "app/runner/ssh/ssh_board.h"
#include "app/runner/ssh/staged_run.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/text/shell_word.h"

namespace fathom {

namespace {

constexpr double kCommandSeconds = 60, kHostAnswerSeconds = 100, kRemoveSeconds = 20;
// A script that is at its end does not find its folder under another name, and writes nothing into it.
constexpr const char* kRemove = R"(mv -- "$1" "$1.over" 2>/dev/null; rm -rf -- "$1" "$1.over")";
constexpr std::size_t kMostTogether = std::size_t{1} << 20;  // bytes of files in one message

class SlurmHost : public SlurmSite {
 public:
  explicit SlurmHost(PlaceRecord record) : SlurmSite(std::move(record)) {}

  SlurmAnswer stage(const SlurmSubmission& submission, const Requests& requests, const Told& told,
                    const StopToken& stop) override {
    const Status staged = stageAll(submission, requests, told, stop);
    if (staged.ok()) return {SlurmAnswer::Kind::Taken, {}};
    const bool later = stop.stopRequested() || staged.error().kind == ErrorKind::Interrupted ||
                       (!m_lasting && (!m_channel || m_channel->isLost()));
    if (later) return {SlurmAnswer::Kind::Later, staged.error().phrase()};
    // What one run lacks keeps none of the others: in halves it is found.
    bool several = m_ofRun && requests.size() > 1;
    for (const JobRequest& request : requests) several = several && !request.runPath.empty();
    return {several ? SlurmAnswer::Kind::TooMany : SlurmAnswer::Kind::Refused, staged.error().phrase()};
  }

  Status bring(const SlurmSubmission& submission, std::size_t task, const JobRequest& request,
               const StopToken& stop) override {
    const std::string name = std::to_string(task), code = name + ".code", log = name + ".log",
                      words = name + ".stderr";
    const Json head = {{"verb", "read"},
                       {"folder", folderOf(submission.uuid())},
                       {"files", Json::array({code, log, words})}};
    FATHOM_TRY(const Json answer, talk(head, stop));
    const Json& files = memberObject(answer, "files");
    for (const std::string& file : {code, log}) {
      const std::string here = submission.folder() + "/" + file;
      if (files.contains(file))
        (void)writeFileAtomically(here, memberText(files, file.c_str())).ok();
      else
        ::unlink(here.c_str());  // of a life before this one
    }
    const std::string said = memberText(files, words.c_str());
    if (!said.empty() && !request.stderrPath.empty() && fileBytes(request.stderrPath) == 0)
      (void)writeFileAtomically(request.stderrPath, said).ok();
    return {};
  }

  Status discard(const std::string& submission, const StopToken& stop) override {
    Status removed = removeThere(submission, stop);
    // A connection that has gone since it was last used is found out by using it.
    if (!removed.ok() && m_channel && m_channel->isLost()) removed = removeThere(submission, stop);
    return removed;
  }

 private:
  static std::string folderOf(const std::string& submission) { return "slurm/" + submission; }
  std::string pathOf(const std::string& submission) const { return m_root + "/" + folderOf(submission); }

  Status removeThere(const std::string& submission, const StopToken& stop) {
    FATHOM_CHECK(connect(stop));
    const Json head = {{"verb", "command"}, {"words", {"/bin/sh", "-c", kRemove, "sh", pathOf(submission)}}};
    FATHOM_TRY(const Json answer, m_channel->ask(head, {}, kRemoveSeconds, stop));
    if (memberInteger(answer, "code", -1) == 0) return {};
    return unavailableError(Phrase::words(pathOf(submission)));
  }

  // One that is lost is made again, and asked for what is known of the host.
  Status connect(const StopToken& stop) {
    if (m_channel && !m_channel->isLost()) return {};
    m_channel.reset();
    m_engine = Json();
    SshTrouble trouble;
    auto opened = RelayChannel::open(record(), {}, stop, &trouble);
    m_lasting = !opened.ok() && trouble.lasting;
    if (!opened.ok()) return opened.error();
    FATHOM_TRY(const Json facts, (*opened)->ask({{"verb", "hello"}}, {}, kCommandSeconds, stop));
    const Status root = checkHostRoot(record(), facts);
    m_lasting = !root.ok();
    if (!root.ok()) return root;
    m_root = memberText(facts, "root");
    m_channel = std::move(*opened);
    return {};
  }

  Result<Json> talk(const Json& head, const StopToken& stop) {
    FATHOM_CHECK(connect(stop));
    return m_channel->ask(head, {}, kHostAnswerSeconds, stop);
  }

  Result<ChildOutput> call(std::vector<std::string> words, const std::string& program,
                           const StopToken& stop) override {
    const Json head = {{"verb", "command"},
                       {"needs", program},
                       {"words", std::move(words)},
                       {"seconds", static_cast<std::int64_t>(kCommandSeconds)}};
    FATHOM_TRY(const Json answer, talk(head, stop));
    return ChildOutput{static_cast<int>(memberInteger(answer, "code", -1)),
                       memberFlag(answer, "timed_out", false), memberText(answer, "out"),
                       memberText(answer, "err")};
  }

  std::vector<std::string> submitWords(const SlurmSubmission& submission,
                                       std::vector<std::string> words) const override {
    const std::string folder = pathOf(submission.uuid());
    words.push_back(folder + "/script.sh");
    return submitOnceWords(folder, std::move(words));
  }

  Status askEngine(const StopToken& stop) {
    if (!m_engine.is_null()) return {};
    FATHOM_TRY(const Json facts, talk(engineRequest(record(), "engine"), stop));
    FATHOM_CHECK(checkHostEngine(record(), facts));
    m_engine = facts;
    return {};
  }

  // The script comes last, and its copy here says that everything is there.
  Status stageAll(const SlurmSubmission& submission, const Requests& requests, const Told& told,
                  const StopToken& stop) {
    m_ofRun = false;
    FATHOM_CHECK(connect(stop));
    FATHOM_CHECK(askEngine(stop));
    const std::string folder = pathOf(submission.uuid());
    const PlacedBytes sent = [&](const std::string& file, std::uint64_t done, std::uint64_t of) {
      return told(
          Phrase::tr("sending %1: %2 %")(file.substr(file.rfind('/') + 1), of > 0 ? 100 * done / of : 100));
    };
    PlacedPaths placed;
    Json files = Json::object();
    std::size_t bytes = 0;
    Requests there(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      there[i].ranks = requests[i].ranks;
      if (requests[i].runPath.empty()) continue;
      m_ofRun = true;
      FATHOM_TRY(StagedRun run, stageRun(*m_channel, requests[i], placed, sent, stop));
      m_ofRun = false;
      const std::string name = std::to_string(i), path = m_root + "/" + runPathAtHost(requests[i]);
      if (!run.files.empty()) FATHOM_CHECK(write(runPathAtHost(requests[i]), run.files, true, stop));
      there[i].uuid = requests[i].uuid;
      there[i].runPath = path;
      there[i].configPath = folder + "/" + name + ".json";
      there[i].stderrPath = folder + "/" + name + ".stderr";
      bytes += run.config.size();
      files[name + ".json"] = std::move(run.config);
      if (bytes < kMostTogether) continue;
      FATHOM_CHECK(write(folderOf(submission.uuid()), std::exchange(files, Json::object()), false, stop));
      bytes = 0;
    }
    const std::string script = slurmScript(recordThere(), {submission.uuid(), folder, withEngine(there)});
    files["script.sh"] = script;
    FATHOM_CHECK(write(folderOf(submission.uuid()), files, false, stop));
    return submission.writeScript(script);
  }

  // Over the connection that the engine was asked over, or not at all.
  Status write(const std::string& folder, const Json& files, bool keep, const StopToken& stop) {
    const Json head = {{"verb", "write"}, {"folder", folder}, {"files", files}, {"keep", keep}};
    FATHOM_TRY(const Json answer, m_channel->ask(head, {}, kHostAnswerSeconds, stop));
    return {};
  }

  Requests withEngine(Requests requests) const {
    for (JobRequest& request : requests) request.enginePath = memberText(m_engine, "path");
    return requests;
  }

  PlaceRecord recordThere() const {
    PlaceRecord there = record();
    if (const std::string libraries = memberText(m_engine, "libraries"); !libraries.empty())
      there.before.push_back("export LD_LIBRARY_PATH=" + shellWord(libraries) +
                             "\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"");
    return there;
  }

  std::unique_ptr<RelayChannel> m_channel;
  std::string m_root;
  Json m_engine;           // what the engine there says of itself; null = not asked over this connection
  bool m_lasting = false;  // the last connection was refused, and will be
  bool m_ofRun = false;    // what failed last was of one run, not of the place
};

}  // namespace

std::unique_ptr<SlurmSite> openSlurmHost(const PlaceRecord& record) {
  return std::make_unique<SlurmHost>(record);
}

}  // namespace fathom
