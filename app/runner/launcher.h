// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/runner/place_record.h"
#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/record/runs/run_script.h"

namespace fathom {

// One attempt to start: a new run (configPath given) or the next attempt of one that exists.
struct JobRequest {
  std::string enginePath;
  std::string runPath;
  std::string uuid;        // of the run
  std::string configPath;  // "" = resume
  std::string stderrPath;  // messages of the engine before its run folder exists
  int threads = 1;
  int nice = 5;
  int ranks = 1;                 // processes that its configuration asks for
  std::int64_t neededBytes = 0;  // of memory, as a dry run has estimated them; 0 = not known
  // The command that is started in the engine's stead, what it is called, and for whom.
  RunScript script = {};
  std::string name = {};          // of the run, "" = as the program calls it
  std::string device = {};        // of this machine that the queue gave it
  std::string entryCreated = {};  // QueueEntry::created
  int attemptsBefore = 0;
};

// An exit code that nobody of ours could see.
inline constexpr int kUnknownExit = -1;

// What ended a job, where it was not the engine itself.
enum class JobEnd { Own, TimeLimit, Memory, Node, Preempted, Cancelled };

// Answer of a place about a job. It is a hint: what a run is comes from its folder, and no answer is no end.
// Refused: the place will never take it as it is asked for; the run goes on waiting in our queue.
struct JobStatus {
  enum class Kind { Waiting, Running, Ended, Unknown, Refused };
  Kind kind = Kind::Running;
  int exitCode = kUnknownExit;  // of one that has ended (core/record/runs/exit_code.h)
  Phrase reason = {};      // why it waits, was refused, or why nothing is known: words of the place, or ours
  std::string field = {};  // the resource of the place that a refusal is about; "" = none
  JobEnd end = JobEnd::Own;
  bool stuck = false;        // it waits for what does not come by itself
  std::string job = {};      // the place's own name of it: "17_3"; "" = none yet
  double silentSeconds = 0;  // since when the place has not answered: the rest is what it said before
};

// Wish of a person or the runner for a job: save and end, save and go on, end now, be gone whatever it
// does.
enum class JobSignal { Stop, Save, Abort, Kill };

// A started attempt. Destroying it does not end the engine.
class Job {
 public:
  virtual ~Job() = default;
  // Name of the job at its place, for logs and for the place itself: "process 4711". Nobody else reads it.
  virtual const std::string& id() const = 0;
  // Attempts that the run had before this job, where a place has kept that for those who come later.
  virtual std::optional<int> attemptsBefore() const { return std::nullopt; }
  // Never blocks: a place that has to ask somebody asks on a thread of its own and gives the last answer.
  virtual JobStatus status() = 0;
  virtual Status signal(JobSignal what) = 0;
};

// Abilities that the runner may expect of a place.
struct PlaceAbilities {
  bool ownQueue = false;         // it keeps jobs back by itself: no slots of this machine are taken
  bool restarts = false;         // it starts the engine again by itself after a limit or a lost node
  bool knowsMemoryKill = false;  // engines are killed for memory in this machine's groups
  bool scripts = false;          // it starts commands that are no engine
};

// A place where engines run: this machine, another, a batch system. The runner knows this interface alone.
class Place {
 public:
  virtual ~Place() = default;
  virtual PlaceAbilities abilities() const = 0;
  // All in one go, in the order asked for; all are started, or none and the error.
  virtual Result<std::vector<std::unique_ptr<Job>>> submit(std::span<const JobRequest> requests) = 0;
  // The engine that works on the run now, or will, started by somebody else (a runner that has died); null
  // when there is none. A place with a queue of its own also gives one that it may have taken.
  virtual std::unique_ptr<Job> adopt(const std::string& runPath) = 0;
};

// Who may be asked for a password, a code or an unknown key while a place is reached.
struct PlaceTalk {
  enum class Who {
    Nobody,    // keys, agents, and connections that are open
    Terminal,  // on the terminal of this program
    Window     // by a program of ours that asks the window behind the local socket `door`
  };
  // In the environment of that program: the door.
  static constexpr const char* kDoorVariable = "FATHOM_ASK_DOOR";
  Who who = Who::Nobody;
  std::string door = {};
};
// A person who looks at a terminal may be asked there.
PlaceTalk talkHere();

// A look at a place: what it is like, and what keeps runs from being trained there, each with what to do.
struct PlaceLook {
  Json facts = Json::object();
  std::vector<Error> troubles = {};
};

// What is to come of a run that lies at a place, into its copy here.
struct FetchRequest {
  std::string copy, original;  // folders, the second one there
  std::string uuid = {};       // of the run
  bool checkpoints = false, best = false;
  bool logs = true;  // false while a runner follows the run, which brings the rest
};
struct FetchedRun {
  std::uint64_t bytes = 0;
  std::vector<std::string> files;        // new, or grown; relative to the run
  std::vector<std::string> checkpoints;  // names
  bool running = false;                  // an engine has it there
};

// One entry of launchers.list.
struct LauncherEntry {
  std::string id;     // in places.json; also the name of a place with its defaults
  std::string title;  // English
  std::function<Result<std::unique_ptr<Place>>(const PlaceRecord&, const std::string& project)> open;
  std::vector<OptionField> resources = {}, limits = {};  // keys of a record
  bool hasScript = false;                                // it takes lines of a shell before the engine
  bool hasHead = false;                                  // and those of a script's head
  bool elsewhere = false;                                // it has a disk of its own, and a root on it
  std::function<Status(const PlaceRecord&)> check = {};  // of a record's lines; may be empty
  // The script that a run is submitted by, with words in capital letters in the place of its paths; empty
  // where there is none.
  std::function<std::string(const PlaceRecord&)> script = {};
  // Judges what this machine needs to start engines there: programs, a host's name. It asks nobody; may be
  // empty.
  std::function<Status(const PlaceRecord&)> ready = {};
  // Work of `fathom check-place`, `prepare-place` and `check-place --all-reduce`; empty where there is none.
  using Visit =
      std::function<Result<PlaceLook>(const PlaceRecord&, const PlaceTalk&, Progress&, const StopToken&)>;
  Visit look = {}, prepare = {}, measure = {};
  // Work of `fathom fetch`; empty where runs lie on this disk.
  std::function<Result<FetchedRun>(const PlaceRecord&, const FetchRequest&, Progress&, const StopToken&)>
      fetch = {};
};

const std::vector<LauncherEntry>& launcherEntries();
// Data error naming those that there are.
Result<const LauncherEntry*> findLauncher(const std::string& id);
// The place that a queue entry of the project names (place_record.h).
Result<std::unique_ptr<Place>> openPlace(const std::string& project, const std::string& id);

}  // namespace fathom
