// SPDX-License-Identifier: Apache-2.0
// fathom-sqlrun: executes queries nobody trusts. Started by SqlRunPool with a socket on descriptor 3.
//   fathom-sqlrun --prepare FILE   checks a private copy and folds its journal in
//   fathom-sqlrun --serve FILE     answers requests until the socket closes
//   fathom-sqlrun --check FOLDER   enters the sandbox in a child and says which layers are active
//   fathom-sqlrun --values FILE…   the texts that stand in databases, read in sandboxes of their own, as the
//                                  lines of a prepared file (docs/schema_linking.md §5)
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/files/standard_streams.h"
#include "core/base/text/shell_output.h"
#include "core/sqlrun/column_values.h"
#include "core/sqlrun/sqlrun_connection.h"
#include "core/sqlrun/sqlrun_sandbox.h"
#include "core/sqlrun/sqlrun_wire.h"

namespace {

using namespace fathom;
constexpr int kSocket = 3;
constexpr int kDiskCode = 50;  // as all our programs (README)

std::string folderOf(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

int prepare(const std::string& path) {
  enterSandbox(folderOf(path), SandboxAccess::ReadWrite);
  limitCpu(30);
  const Status status = prepareDatabase(path);
  if (status) return 0;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return 1;
}

int serve(const std::string& path) {
  SandboxReport report = enterSandbox(folderOf(path), SandboxAccess::ReadOnly);
  auto connection = SqlRunConnection::open(path);
  closeSystemCalls(report);
  Json hello = {{"sandbox", report.text()}};
  if (connection) {
    hello["facts"] = (*connection)->schemaFacts();
  } else {
    hello["error"] = connection.error().message;
  }
  if (!sendMessage(kSocket, hello.dump())) return 1;
  std::string bytes;
  while (connection && receiveMessage(kSocket, bytes, kMaxRequestBytes)) {
    const auto request = decodeRequest(bytes);
    if (!request) return 1;
    limitCpu(request->limits.seconds);
    if (!sendMessage(kSocket, encodeResult((*connection)->run(*request)))) return 1;
  }
  return 0;
}

// Enters the sandbox and sends what is active: "1" or "0" for all that the kernel offers, then the words.
int reportSandbox(const std::string& folder, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  SandboxReport report = enterSandbox(folder, SandboxAccess::ReadOnly);
  closeSystemCalls(report);
  const bool all = report.limits && report.noNewPrivileges && (report.landlock || report.landlockAbi == 0) &&
                   (report.seccomp || !report.seccompOffered);
  return sendMessage(output, (all ? "1" : "0") + report.text()) ? 0 : 1;
}

// Inside the sandbox no file may grow, not even the one that the output goes to: a child enters it and the
// parent prints.
int check(const std::string& folder) {
  int ends[2];
  const pid_t child = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
  if (child < 0) {
    std::fprintf(stderr, "error: cannot start the check: %s\n", std::strerror(errno));
    return 1;
  }
  if (child == 0) _exit(reportSandbox(folder, ends[1]));
  close(ends[1]);
  std::string said;
  const bool received = receiveMessage(ends[0], said, kMaxRequestBytes) && !said.empty();
  close(ends[0]);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!received) {
    std::fprintf(stderr, "error: the sandbox ended the check\n");
    return 1;
  }
  const bool written = std::printf("%s\n", said.c_str() + 1) > 0;
  return codeAfterOutput(said[0] == '1' ? 0 : 1, written, kDiskCode);
}

// Databases that cannot be read are named on stderr; the others go on. 1: none could be read.
int printValues(const std::vector<std::string>& databases) {
  SqlRunPoolOptions options;
  options.program = "/proc/self/exe";
  Progress silent;
  const auto read = readColumnValues(options, databases, {}, silent);
  if (!read) {
    std::fprintf(stderr, "error: %s\n", read.error().text().c_str());
    return 1;
  }
  std::size_t failed = 0;
  for (std::size_t i = 0; i < databases.size(); ++i) {
    const auto fault = (*read)[i].find("error");
    if (fault == (*read)[i].end()) continue;
    ++failed;
    std::fprintf(stderr, "warning: %s: %s\n", databases[i].c_str(), fault->get<std::string>().c_str());
  }
  const std::string text = valuesFileText(*read);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return codeAfterOutput(failed == databases.size() ? 1 : 0, written, kDiskCode);
}

}  // namespace

int main(int count, char** words) {
  keepStandardStreams();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error of the write, not a sudden death
  const std::string verb = count > 1 ? words[1] : "";
  if (count >= 3 && verb == "--values") return printValues({words + 2, words + count});
  if (count != 3) {
    std::fprintf(stderr,
                 "usage: fathom-sqlrun --prepare FILE | --serve FILE | --check FOLDER | --values FILE...\n");
    return 2;
  }
  // The sandbox forbids the work of a normal exit (under a sanitizer: the search for leaks).
  if (verb == "--prepare") std::_Exit(prepare(words[2]));
  if (verb == "--serve") std::_Exit(serve(words[2]));
  if (verb == "--check") return check(words[2]);
  std::fprintf(stderr, "fathom-sqlrun: unknown verb \"%s\"\n", words[1]);
  return 2;
}
