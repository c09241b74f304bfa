// SPDX-License-Identifier: Apache-2.0
#include "core/relay/host_facts.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/process_identity.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text_list.h"
#include "core/relay/engine_job.h"
#include "core/relay/host_command.h"

namespace fathom {

namespace {

std::string withoutEnds(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n"), to = text.find_last_not_of(" \t\r\n");
  return from == std::string::npos ? std::string() : text.substr(from, to - from + 1);
}

// False where the file system keeps none; an error where there is no room for a file, or it cannot be made.
Result<bool> keepsLocks(const std::string& root) {
  // Others may look at the same folder at the same time.
  const ProcessIdentity& own = thisProcess();
  const std::string path = root + "/.locks-" + own.host + "-" + std::to_string(own.pid) + "-" + own.startTime;
  FATHOM_TRY(const int first, openLockFile(path));
  const auto second = openLockFile(path);
  const bool kept = second.ok() && ::flock(first, LOCK_EX | LOCK_NB) == 0 &&
                    ::flock(*second, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(first);
  if (second.ok()) ::close(*second);
  ::unlink(path.c_str());
  return kept;
}

Json linesOfAnswer(const std::string& text) {
  Json lines = Json::array();
  LinesOf all(text);
  for (std::string_view line; all.next(line);)
    if (!trimmed(line).empty()) lines.push_back(std::string(trimmed(line)));
  return lines;
}

// Without importing it, which takes seconds: each Python that is about says where its torch lies.
constexpr const char* kTorchLine =
    "for p in python3 \"$HOME\"/*/bin/python3 \"$HOME\"/.venv/bin/python3 "
    "\"$HOME\"/*conda*/envs/*/bin/python3 "
    "${VIRTUAL_ENV:+\"$VIRTUAL_ENV\"/bin/python3} ${CONDA_PREFIX:+\"$CONDA_PREFIX\"/bin/python3}; do "
    "command -v \"$p\" >/dev/null 2>&1 || continue; \"$p\" -c 'import importlib.util as u,os,re\n"
    "s=u.find_spec(\"torch\")\n"
    "d=s and list(s.submodule_search_locations)[0]\n"
    "v=d and open(os.path.join(d,\"version.py\")).read()\n"
    "d and print(re.search(r\"__version__ = .(.*).\\n\",v).group(1)+\"\\t\"+os.path.join(d,\"lib\"))' "
    "2>/dev/null; done | sort -u";

// Answer of lines of a shell that takes at most `seconds`; "" where it fails, unless `failed` takes its
// words.
std::string shellAnswer(const std::string& lines, int seconds, std::vector<std::string> shell,
                        std::string* failed = nullptr) {
  shell.insert(shell.end(), {"-c", lines});
  const HostAnswer answer =
      hostAnswer(std::move(shell), seconds, failed != nullptr ? HostMessages::Among : HostMessages::Nowhere);
  const bool good = answer.exitCode == 0 && !answer.timedOut;
  if (!good && failed != nullptr) *failed = withoutEnds(answer.out);
  return good ? withoutEnds(answer.out) : std::string();
}

constexpr int kAnswerSeconds = 5;
// A star stands behind the name of the one that jobs go to by default.
constexpr const char* kPartitionsLine =
    "sinfo -h -o '%P, %a, nodes %D, time limit %l, processors %c, %m MB, devices %G'";

Json torchFacts(const HostEngine& engine) {
  Json found = Json::array();
  const std::string script = textBeforeEngine(engine.before, {}) + kTorchLine;
  for (const Json& line : linesOfAnswer(shellAnswer(script, 10, shellOf(engine.before)))) {
    const std::string text = line.get<std::string>();
    const std::size_t tab = text.find('\t');
    if (tab != std::string::npos)
      found.push_back({{"version", text.substr(0, tab)}, {"path", text.substr(tab + 1)}});
  }
  return found;
}

}  // namespace

Json briefFacts(const std::string& root) {
  Json facts = {{"host", hostName()}, {"boot_id", bootId()}, {"root", root}};
  utsname system{};
  if (::uname(&system) == 0) facts["machine"] = system.machine;
  const char* user = std::getenv("USER");
  const char* home = std::getenv("HOME");
  facts["user"] = user != nullptr ? user : "";
  facts["home"] = home != nullptr ? home : "";
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  facts["time"] =
      static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) / 1000;
  std::string fault;
  if (const Status made = makeFolders(root); !made.ok()) fault = made.error().text();
  if (fault.empty() && ::access(root.c_str(), W_OK | X_OK) != 0) fault = std::strerror(errno);
  facts["locks"] = false;
  if (fault.empty()) {
    const auto locks = keepsLocks(root);
    if (!locks.ok()) fault = locks.error().text();
    facts["locks"] = locks.ok() && *locks;
  }
  facts["writable"] = fault;
  struct statvfs disk {};
  if (::statvfs(root.c_str(), &disk) == 0)
    facts["free"] = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  return facts;
}

Json engineFacts(const HostEngine& engine) {
  Json facts = {{"path", engine.program}, {"libraries", engine.libraries}};
  std::string words;
  const std::string line =
      textBeforeEngine(engine.before, engine.libraries) + shellWord(engine.program) + " --version";
  const std::string said = shellAnswer(line, 20, shellOf(engine.before), &words);
  facts["there"] = fileExists(engine.program) || !said.empty();
  if (said.empty()) {
    facts["words"] = words;
  } else {
    facts["version"] = said.substr(said.rfind(' ') + 1);
  }
  return facts;
}

Json slurmFacts() {
  const std::string version = shellAnswer("sinfo --version", kAnswerSeconds, shellOf({}));
  return {{"slurm", version.substr(version.rfind(' ') + 1)},
          {"partitions", linesOfAnswer(shellAnswer(kPartitionsLine, kAnswerSeconds, shellOf({})))}};
}

Json fullFacts(const std::string& root, const HostEngine& engine) {
  Json facts = briefFacts(root);
  const auto answer = [](const char* line) { return shellAnswer(line, kAnswerSeconds, shellOf({})); };
  const std::string glibc = answer("getconf GNU_LIBC_VERSION");
  facts["glibc"] = glibc.substr(glibc.rfind(' ') + 1);
  facts["cores"] = static_cast<std::int64_t>(::sysconf(_SC_NPROCESSORS_ONLN));
  facts["memory"] = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  facts["gpus"] =
      linesOfAnswer(answer("nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader"));
  findAsLoginShell("sinfo");  // in the relay alone: it changes the environment
  facts.update(slurmFacts());
  facts["lingers"] = answer("loginctl show-user \"$(id -un)\" -p Linger --value");
  facts["kills"] = !answer(
                        "cat /etc/systemd/logind.conf /etc/systemd/logind.conf.d/*.conf 2>/dev/null | "
                        "grep -i '^ *KillUserProcesses *= *\\(yes\\|true\\|1\\|on\\)'")
                        .empty();
  facts["torch"] = torchFacts(engine);
  facts["engine"] = engineFacts(engine);
  return facts;
}

}  // namespace fathom
