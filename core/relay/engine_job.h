// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/files/process_identity.h"
#include "core/base/json/json.h"

namespace fathom {

// An engine to be started on this host, detached from whoever asks: it outlives the connection.
struct EngineStart {
  std::string token;                 // of this start, a UUID: the same one twice starts once
  std::string run;                   // its folder
  std::vector<std::string> command;  // program and arguments; "%CONFIG%" is the configuration's path
  std::vector<std::string> before;   // lines of the shell before it
  std::string libraries;             // folders for LD_LIBRARY_PATH
  std::vector<std::pair<std::string, std::string>> environment;
  std::string config;  // text of the configuration; "" = none
  int nice = 0;
};

// Starts leave files in <root>/start: <token>.claim, whose lock is held as long as shell or engine live;
// .pid, the shell; .json, the configuration; .sh; .log, what they print; .code, what the engine left with.
class EngineJobs {
 public:
  explicit EngineJobs(std::string root);
  // False when this token was started before. Errors leave nothing that counts as started.
  Result<bool> start(const EngineStart& start) const;
  // {"exists", "attempt", "outcome", "holder": {pid, host, boot_id, start_time}, "claimed", "begun", "alive",
  //  "rebooted": this machine was started anew since, "code", "words": the end of what it printed}: of the
  //  run and of the token, as far as they are there. With `run` "" of the token alone.
  Json state(const std::string& run, const std::string& token) const;
  // Ends the process that holds the run's lock, and the shell of the token. With `run` "" the latter alone.
  Status kill(const std::string& run, const std::string& token) const;
  // Removes what the token has left.
  void forget(const std::string& token) const;

 private:
  std::string file(const std::string& token, const char* suffix) const;
  std::optional<ProcessIdentity> shellProcess(const std::string& token) const;
  std::string m_folder;
};

// False where the folder holds another run than the one of this UUID; "" is any.
bool holdsRun(const std::string& folder, const std::string& uuid);
// The end of a file; "" where there is none.
std::string lastBytes(const std::string& path, std::uint64_t most);
// The shell of an engine with these lines before it.
std::vector<std::string> shellOf(const std::vector<std::string>& before);
// Its text before the engine: what the lines print are messages, and the folders come before the host's own.
std::string textBeforeEngine(const std::vector<std::string>& before, const std::string& libraries);

}  // namespace fathom
