// SPDX-License-Identifier: Apache-2.0
// fathom-sqlrun: executes queries nobody trusts. Started by SqlRunPool with a socket on descriptor 3.
//   fathom-sqlrun --prepare FILE   checks a private copy and folds its journal in
//   fathom-sqlrun --serve FILE     answers requests until the socket closes
//   fathom-sqlrun --check FOLDER   enters the sandbox and says which layers are active
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/sqlrun/sqlrun_connection.h"
#include "core/sqlrun/sqlrun_sandbox.h"
#include "core/sqlrun/sqlrun_wire.h"

namespace {

using namespace fathom;
constexpr int kSocket = 3;

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

int check(const std::string& folder) {
  SandboxReport report = enterSandbox(folder, SandboxAccess::ReadOnly);
  closeSystemCalls(report);
  std::printf("%s\n", report.text().c_str());
  const bool all = report.limits && report.noNewPrivileges && (report.landlock || report.landlockAbi == 0) &&
                   (report.seccomp || !report.seccompOffered);
  return all ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  if (count != 3) {
    std::fprintf(stderr, "usage: fathom-sqlrun --prepare FILE | --serve FILE | --check FOLDER\n");
    return 2;
  }
  const std::string verb = words[1];
  if (verb == "--prepare") return prepare(words[2]);
  if (verb == "--serve") return serve(words[2]);
  if (verb == "--check") return check(words[2]);
  std::fprintf(stderr, "fathom-sqlrun: unknown verb \"%s\"\n", words[1]);
  return 2;
}
