// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "app/command.h"
#include "app/runner/followed_sources.h"
#include "app/runner/runner.h"
#include "core/base/files/path_facts.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/library/records/project_library.h"

namespace fathom {

namespace {

// The sources of other programs that the project follows, beside the queue: a thread until all are over.
class FollowingBeside {
 public:
  FollowingBeside(const std::string& project, const StopToken& stop,
                  std::function<void(const std::string&)> say)
      : m_say(std::move(say)), m_sources(m_say), m_stop(stop) {
    for (SourceFollower::Options& options : followedSources(project)) {
      const std::string source = options.source;
      const Status opened = m_sources.open(std::move(options));
      if (opened.ok()) ++m_count;
    }
    if (m_count > 0) m_thread = startThread([this] { (void)errorThrownBy([this] { work(); }); });
  }
  // Where the project is not there any more, nobody waits for the sources.
  ~FollowingBeside() {
    if (m_thread.joinable()) m_stop.requestStop();
    wait();
  }
  void wait() {
    if (m_thread.joinable()) m_thread.join();
  }
  int count() const { return m_count; }

 private:
  void work() {
    if (const Status followed = m_sources.run(m_stop); !followed.ok()) m_say(followed.error().text());
    m_sources.leave(true);
  }

  std::function<void(const std::string&)> m_say;
  FollowedSources m_sources;
  StopToken m_stop;
  int m_count = 0;
  std::thread m_thread;
};

Result<CommandOutput> runQueue(const CommandContext& context, Progress&, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  std::mutex saying;  // queue and sources are worked on by a thread each
  const auto say = [&context, &saying](const std::string& line) {
    const std::lock_guard lock(saying);
    context.say(isoTimeNow() + "  " + line);
  };
  FollowingBeside following(context.project, stop, say);
  auto known = runnerOptions(context.project, stop);
  if (!known.ok()) {
    following.wait();  // sources need no engine
    return known.error();
  }
  RunnerOptions options = std::move(known).value();
  options.log = say;
  Runner runner(std::move(options));
  const auto worked = runner.run(stop);
  if (!worked.ok() && following.count() > 0) say(worked.error().text());  // before what may last for days
  if (worked.ok() || folderExists(context.project)) following.wait();
  if (!worked.ok()) return worked.error();
  const std::optional<RunnerStatus>& status = *worked;
  CommandOutput output;
  output.json["followed"] = following.count();
  output.json["other_runner"] = !status.has_value();
  output.json["ended"] = status ? status->ended : 0;
  output.json["not_finished"] = status ? status->notFinished : 0;
  output.json["left_running"] = status ? status->active.size() : 0;
  output.json["put_aside"] = Json::array();
  if (!status) {
    output.text = "another runner of this machine works on the queue of this project\n";
  } else {
    output.text = std::to_string(status->ended) + " runs ended, " + std::to_string(status->notFinished) +
                  " of them not finished\n";
    for (const Error& error : status->putAside) {
      output.json["put_aside"].push_back(error.text());
      output.text += "put aside in queue/aside: " + error.text() + "\n";
    }
  }
  return output;
}

}  // namespace

Command runQueueCommandEntry() {
  return {.id = "run-queue",
          .title = "Run the queue",
          .description =
              "Works through the project's queue and ends when it is empty; window and 'train' start it by "
              "themselves.",
          .group = "Run",
          .changesData = true,
          .run = runQueue};
}

}  // namespace fathom
