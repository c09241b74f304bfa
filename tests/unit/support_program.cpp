// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/support_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace fathom::tests {

EndedProgram runProgram(const std::vector<std::string>& words, const std::string& outputFile,
                        const std::string& errorFile) {
  EndedProgram ended;
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return ended;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (outputFile.empty())
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 1);
  else
    posix_spawn_file_actions_addopen(&actions, 1, outputFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (!errorFile.empty())
    posix_spawn_file_actions_addopen(&actions, 2, errorFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe[1]);
  char bytes[4096];
  ssize_t got = 0;
  while (!failed && ((got = read(pipe[0], bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR)))
    if (got > 0) ended.output.append(bytes, static_cast<std::size_t>(got));
  close(pipe[0]);
  int status = 0;
  if (failed) return ended;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return ended;
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  return ended;
}

}  // namespace fathom::tests
