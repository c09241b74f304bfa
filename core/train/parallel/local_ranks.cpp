// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/local_ranks.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "core/base/files/atomic_file.h"
#include "core/base/files/process_identity.h"
#include "core/train/parallel/rank_variables.h"

extern char** environ;

namespace fathom {

namespace {

constexpr const char* kThisProgram = "/proc/self/exe";

// Words of a command line or an environment as the system takes them.
struct WordList {
  std::vector<std::string> words;
  std::vector<char*> pointers() {
    std::vector<char*> all;
    for (std::string& word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
  }
};

Result<WordList> ownCommandLine() {
  FATHOM_TRY(const std::string bytes, readFile("/proc/self/cmdline"));
  WordList list;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto end = std::min(bytes.find('\0', at), bytes.size());
    list.words.push_back(bytes.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

WordList environmentWith(const std::vector<std::pair<std::string, std::string>>& more) {
  WordList list;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view word = *one;
    const bool replaced =
        std::any_of(more.begin(), more.end(), [&](const auto& m) { return word.starts_with(m.first + "="); });
    if (!replaced) list.words.emplace_back(word);
  }
  for (const auto& [name, value] : more) list.words.push_back(name + "=" + value);
  return list;
}

std::string endOfRank(int status) {
  if (WIFSIGNALED(status)) return "killed (signal " + std::to_string(WTERMSIG(status)) + ")";
  return "ended with code " + std::to_string(WEXITSTATUS(status));
}

// The last line that says something.
std::string lastWords(const std::string& log) {
  const auto text = readFile(log);
  if (!text.ok()) return {};
  const auto end = text->find_last_not_of(" \n");
  if (end == std::string::npos) return {};
  const auto before = text->rfind('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text->substr(begin, end + 1 - begin);
}

}  // namespace

Status LocalRanks::start(int size, int port, const std::string& folder) {
  for (int rank = 1; rank < size; ++rank)
    FATHOM_CHECK(startOne(rank, size, port, folder + "/stderr." + std::to_string(rank) + ".log"));
  return {};
}

Status LocalRanks::startOne(int rank, int size, int port, const std::string& log) {
  FATHOM_TRY(WordList line, ownCommandLine());
  WordList environment = environmentWith({{kRankVariable, std::to_string(rank)},
                                          {kSizeVariable, std::to_string(size)},
                                          {kLocalRankVariable, std::to_string(rank)},
                                          {kLocalSizeVariable, std::to_string(size)},
                                          {kAddressVariable, "127.0.0.1"},
                                          {kPortVariable, std::to_string(port)},
                                          {kOursVariable, std::to_string(thisProcess().pid)}});
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own: a Ctrl-C is rank 0's to hear.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  Child child{-1, rank, log, 0};
  const int code = posix_spawn(&child.process, kThisProgram, &actions, &attributes, line.pointers().data(),
                               environment.pointers().data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return systemError(Phrase::tr("cannot start a rank:"), kThisProgram, code);
  m_children.push_back(child);
  return {};
}

bool LocalRanks::look(Child& child) {
  if (child.process < 0) return false;
  if (::waitpid(child.process, &child.status, WNOHANG) != child.process) return false;
  child.process = -1;
  return true;
}

std::optional<std::string> LocalRanks::ended() {
  for (Child& child : m_children) {
    look(child);
    if (child.process >= 0 || child.status == 0) continue;
    std::string words = "rank " + std::to_string(child.rank) + " " + endOfRank(child.status);
    if (const std::string last = lastWords(child.log); !last.empty()) words += "; it wrote: " + last;
    return words;
  }
  return std::nullopt;
}

LocalRanks::~LocalRanks() {
  constexpr std::chrono::seconds kPatience{2};
  const auto until = std::chrono::steady_clock::now() + kPatience;
  const auto working = [this] {
    return std::any_of(m_children.begin(), m_children.end(), [](const Child& c) { return c.process >= 0; });
  };
  while (working() && std::chrono::steady_clock::now() < until) {
    for (Child& child : m_children) look(child);
    if (working()) std::this_thread::sleep_for(std::chrono::milliseconds(10));  // no signal tells of an end
  }
  for (Child& child : m_children) {
    if (child.process < 0) continue;
    ::kill(child.process, SIGKILL);
    while (::waitpid(child.process, &child.status, 0) < 0 && errno == EINTR) {
    }
  }
}

void endWithStarter() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const char* starter = std::getenv(kOursVariable);
  // It may have ended before it was asked for.
  if (starter == nullptr || std::to_string(::getppid()) != starter) std::_Exit(128 + SIGKILL);
}

}  // namespace fathom
