// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/file.h>
#include <unistd.h>

#include <utility>

#include "app/command.h"
#include "app/commands/run_control_commands.h"
#include "app/runner/launcher.h"
#include "core/base/files/input_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/text/text_list.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/mirror_note.h"

namespace fathom {

namespace {

// A runner that is at work brings logs and results itself.
bool runnerBringsIt(const std::string& project, const MirrorNote& note) {
  return note.running && QueueFolder(project).runnerPid() != 0;
}

// One fetch of a run at a time: two would write the same half files. Released when it is destroyed.
class FetchTurn {
 public:
  static Result<FetchTurn> take(const std::string& project, const RunRow& row) {
    const std::string folder = QueueFolder(project).path(),
                      path = folder + "/" + row.identity.uuid + ".fetch";
    FATHOM_CHECK(makeOneFolder(folder));
    FATHOM_TRY(const int fd, openLockFile(path));
    FetchTurn turn(fd, path);
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return Result<FetchTurn>(std::move(turn));
    turn.m_path.clear();
    return unavailableError(Phrase::tr("run %1 is being fetched already")(row.identity.name),
                            Phrase::tr("wait until that one ends"));
  }
  FetchTurn(FetchTurn&& other) noexcept
      : m_fd(std::exchange(other.m_fd, -1)), m_path(std::exchange(other.m_path, {})) {}
  FetchTurn& operator=(FetchTurn&&) = delete;
  ~FetchTurn() {
    if (!m_path.empty()) ::unlink(m_path.c_str());
    if (m_fd >= 0) ::close(m_fd);
  }

 private:
  FetchTurn(int fd, std::string path) : m_fd(fd), m_path(std::move(path)) {}
  int m_fd;
  std::string m_path;
};

std::string fetchedText(const RunRow& row, const MirrorNote& note, const FetchedRun& fetched) {
  const std::string of = row.identity.name + " of " + note.host + ": ";
  if (fetched.files.empty() && fetched.checkpoints.empty()) return of + "nothing is new\n";
  std::string text = of + std::to_string(fetched.bytes) + " bytes, " + std::to_string(fetched.files.size()) +
                     " files beside checkpoints\n";
  if (!fetched.checkpoints.empty()) text += "checkpoints: " + joined(fetched.checkpoints) + "\n";
  return text;
}

Result<CommandOutput> fetchCommand(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const RunRow row, findRun(*library, context.options.text("run")));
  const auto note = mirrorNote(row.path);
  if (!note)
    return usageError(Phrase::tr("run %1 lies here: there is nothing to fetch")(row.identity.name),
                      Phrase::tr("it is for runs that a place on a host has trained"));
  FATHOM_TRY(const PlaceRecord record, findPlace(context.project, note->place));
  FATHOM_TRY(const LauncherEntry* launcher, findLauncher(record.launcher));
  if (!launcher->fetch)
    return usageError(Phrase::tr("run %1 lies here: there is nothing to fetch")(row.identity.name));
  FATHOM_TRY(const FetchTurn turn, FetchTurn::take(context.project, row));
  FetchRequest request{row.path, note->path, row.identity.uuid};
  request.checkpoints = context.options.flag("checkpoints");
  request.best = context.options.flag("best");
  request.logs = !runnerBringsIt(context.project, *note);
  FATHOM_TRY(const FetchedRun fetched, launcher->fetch(record, request, progress, stop));
  if (request.logs && note->running != fetched.running) {
    MirrorNote now = *note;
    now.running = fetched.running;
    FATHOM_CHECK(writeMirrorNote(row.path, now));
  }
  CommandOutput output;
  output.json = {{"format", 1},
                 {"run", {{"uuid", row.identity.uuid}, {"path", row.path}}},
                 {"place", record.id},
                 {"bytes", fetched.bytes},
                 {"files", fetched.files},
                 {"checkpoints", fetched.checkpoints}};
  output.text = fetchedText(row, *note, fetched);
  return output;
}

}  // namespace

Command fetchCommandEntry() {
  return {.id = "fetch",
          .title = "Fetch run",
          .description =
              "Brings what a run has on its host and its copy here lacks: logs and results, and checkpoints "
              "where they are wished for. Given again, it brings what came since.",
          .group = "Run",
          .fields = {runField(),
                     flagField("checkpoints", "Checkpoints", "All checkpoints come, too; they stay here."),
                     flagField("best", "Best",
                               "The best checkpoint by score comes, too; it takes the place of one that came "
                               "as the best before.")},
          .required = {"run"},
          .positional = "run",
          .changesData = true,
          .run = fetchCommand};
}

}  // namespace fathom
