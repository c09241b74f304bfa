// SPDX-License-Identifier: Apache-2.0
// The engine's command line, with LibTorch loaded once for many commands: each line of the input, {"words",
// "environment", "in", "out", "err"}, is run in a fork of this process, and answered by {"code"} or
// {"signal"}. What a command costs by itself is then left: loading LibTorch takes longer than two updates of
// a small model.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "core/base/json/json.h"
#include "core/engine/engine_process.h"
#include "core/engine/engine_verbs.h"
#include "tests/device/device_checks.h"

namespace fathom::device_checks {

namespace {

void openAs(int stream, const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 || ::dup2(file, stream) < 0) ::_exit(127);
  ::close(file);
}

// As a process of its own has it: nothing has been asked of LibTorch yet, and no thread runs.
[[noreturn]] void runCommand(const Json& command) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  openAs(STDIN_FILENO, command.at("in").get<std::string>(), O_RDONLY);
  for (const auto& [stream, name] : {std::pair{STDOUT_FILENO, "out"}, std::pair{STDERR_FILENO, "err"}})
    openAs(stream, command.at(name).get<std::string>(), O_WRONLY | O_CREAT | O_TRUNC);
  ::clearenv();
  for (const auto& [name, value] : command.at("environment").items())
    ::setenv(name.c_str(), value.get<std::string>().c_str(), 1);
  auto words = command.at("words").get<std::vector<std::string>>();
  words.insert(words.begin(), "fathom-engine");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  endEngineProcess(runEngine(static_cast<int>(words.size()), arguments.data()));
}

}  // namespace

int serveForks(const Words&) {
  std::string line;
  while (std::getline(std::cin, line)) {
    const Json command = Json::parse(line);
    const pid_t child = ::fork();
    if (child == 0) runCommand(command);
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) return 1;
    const Json answer =
        WIFSIGNALED(status) ? Json{{"signal", WTERMSIG(status)}} : Json{{"code", WEXITSTATUS(status)}};
    std::cout << answer.dump() << std::endl;
  }
  return 0;
}

}  // namespace fathom::device_checks
