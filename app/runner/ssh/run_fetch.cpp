// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/run_fetch.h"

#include "app/runner/ssh/relay_channel.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/run_folder.h"
#include "core/relay/run_mirror.h"

namespace fathom {

namespace {

constexpr double kFetchAnswerSeconds = 60, kFetchDeafSeconds = 45;
constexpr const char* kFetchAsideEnd = ".fetched.tmp";

class Fetch {
 public:
  Fetch(const FetchRequest& request, Progress& progress)
      : m_mirror(request.copy, kFetchAsideEnd), m_request(request), m_progress(progress) {}

  Result<FetchedRun> from(RelayChannel& channel, const StopToken& stop) {
    FATHOM_TRY(const KnownFiles known, m_mirror.known(checkpointWish(m_request.checkpoints, m_request.best)));
    Json run = knownFilesToJson(known);
    run.update({{"id", "fetch"},
                {"run", m_request.original},
                {"uuid", m_request.uuid},
                {"checkpoints", m_request.checkpoints},
                {"best", m_request.best},
                {"logs", m_request.logs},
                {"once", true}});
    channel.setTake([this](const RelayFrame& frame) { return take(frame); });
    m_progress.begin("fetching", "bytes", -1);
    FATHOM_TRY(const Json answer, channel.ask({{"verb", "follow"}, {"runs", Json::array({std::move(run)})}},
                                              {}, kFetchAnswerSeconds, stop));
    while (m_told.is_null()) {
      if (stop.stopRequested()) return interruptedError();
      FATHOM_CHECK(channel.receive(0.1));
      if (channel.silentSeconds() > kFetchDeafSeconds)
        return unavailableError(Phrase::tr("%1: host %2 does not answer")(
            channel.record().id, channel.record().resources.text("host")));
    }
    m_progress.finish();
    const std::string host = channel.record().resources.text("host");
    if (!memberFlag(m_told, "there", false))
      return unavailableError(Phrase::tr("host %1 has no folder %2")(host, m_request.original),
                              Phrase::tr("the run was moved or deleted there; what is here stays"));
    if (memberFlag(m_told, "other", false))
      return unavailableError(
          Phrase::tr("the folder %1 on host %2 holds another run")(m_request.original, host),
          Phrase::tr("the run was moved or deleted there; what is here stays"));
    if (!memberFlag(m_told, "seen", false))
      return unavailableError(Phrase::tr("not all of %2 can be read on host %1")(host, m_request.original),
                              Phrase::tr("look at its permissions there"));
    m_fetched.running = memberFlag(m_told, "held", false);
    return std::move(m_fetched);
  }

 private:
  Status take(const RelayFrame& frame) {
    if (memberText(frame.head, "run").empty()) return {};
    if (frame.head.contains("fetched")) {
      m_told = frame.head;
      return {};
    }
    FATHOM_CHECK(m_mirror.take(frame));
    m_fetched.bytes += frame.body.size();
    m_progress.report(static_cast<double>(m_fetched.bytes));
    const std::string kind = memberText(frame.head, "kind"), file = memberText(frame.head, "file"),
                      folder = memberText(frame.head, "folder");
    const std::string checkpoints = std::string(kCheckpointsName) + "/";
    if (kind == "finished" && folder.starts_with(checkpoints))
      m_fetched.checkpoints.push_back(folder.substr(checkpoints.size()));
    if (folder.empty() && !file.empty() && (m_fetched.files.empty() || m_fetched.files.back() != file))
      m_fetched.files.push_back(file);
    return {};
  }

  RunMirror m_mirror;
  const FetchRequest& m_request;
  Progress& m_progress;
  FetchedRun m_fetched;
  Json m_told;
};

}  // namespace

Result<FetchedRun> fetchFromHost(const PlaceRecord& record, const FetchRequest& request, Progress& progress,
                                 const StopToken& stop) {
  progress.begin("connecting", "steps", 1);
  FATHOM_TRY(const auto channel, RelayChannel::open(record, talkHere(), stop));
  progress.finish();
  Fetch fetch(request, progress);
  return fetch.from(*channel, stop);
}

}  // namespace fathom
