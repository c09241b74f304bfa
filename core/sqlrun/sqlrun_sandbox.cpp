// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/sqlrun_sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/threads/sanitizers.h"

namespace fathom {

namespace {

// Landlock, from the kernel's interface; the header of the build machine may be older than the kernel.
constexpr long kLandlockCreateRuleset = 444;
constexpr long kLandlockAddRule = 445;
constexpr long kLandlockRestrictSelf = 446;
constexpr std::uint32_t kLandlockVersion = 1;
constexpr int kLandlockPathBeneath = 1;
constexpr std::uint64_t kFsWriteFile = 1u << 1, kFsReadFile = 1u << 2, kFsReadDir = 1u << 3,
                        kFsRemoveFile = 1u << 5, kFsMakeRegular = 1u << 8, kFsTruncate = 1u << 14;

struct RulesetAttributes {
  std::uint64_t handledFs;
  std::uint64_t handledNet;
  std::uint64_t scoped;
};
struct __attribute__((packed)) PathBeneath {
  std::uint64_t allowed;
  std::int32_t parent;
};

std::uint64_t fsRights(int abi) {
  const int bits = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13;
  return (std::uint64_t{1} << bits) - 1;
}

bool restrictFiles(const std::string& folder, SandboxAccess access, int abi) {
  RulesetAttributes attributes{fsRights(abi), abi >= 4 ? std::uint64_t{3} : 0,
                               abi >= 6 ? std::uint64_t{3} : 0};
  const std::size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const auto ruleset = static_cast<int>(syscall(kLandlockCreateRuleset, &attributes, size, 0));
  if (ruleset < 0) return false;
  std::uint64_t allowed = kFsReadFile | kFsReadDir;
  if (access == SandboxAccess::ReadWrite)
    allowed |= kFsWriteFile | kFsRemoveFile | kFsMakeRegular | kFsTruncate;
  PathBeneath rule{allowed & fsRights(abi), open(folder.c_str(), O_PATH | O_CLOEXEC | O_DIRECTORY)};
  bool ok = rule.parent >= 0 && syscall(kLandlockAddRule, ruleset, kLandlockPathBeneath, &rule, 0) == 0;
  ok = ok && syscall(kLandlockRestrictSelf, ruleset, 0) == 0;
  if (rule.parent >= 0) close(rule.parent);
  close(ruleset);
  return ok;
}

bool setLimit(__rlimit_resource_t which, rlim_t value) {
  const rlimit limit{value, value};
  return setrlimit(which, &limit) == 0;
}

// Under a sanitizer, whose shadow memory takes terabytes, the limit of SQLite's heap alone holds.
bool limitAddressSpace() {
  return kSanitized || setLimit(RLIMIT_AS, rlim_t{512} << 20);
}

std::vector<std::uint32_t> allowedCalls() {
  std::vector<std::uint32_t> calls = {
      SYS_read,        SYS_write,         SYS_readv,           SYS_writev,          SYS_pread64,
      SYS_lseek,       SYS_close,         SYS_fstat,           SYS_newfstatat,      SYS_fcntl,
      SYS_brk,         SYS_munmap,        SYS_mremap,          SYS_madvise,         SYS_futex,
      SYS_exit,        SYS_exit_group,    SYS_rt_sigreturn,    SYS_rt_sigprocmask,  SYS_rt_sigaction,
      SYS_sigaltstack, SYS_clock_gettime, SYS_clock_nanosleep, SYS_gettimeofday,    SYS_getpid,
      SYS_gettid,      SYS_tgkill,        SYS_geteuid,         SYS_getuid,          SYS_getrandom,
      SYS_sched_yield, SYS_getrusage,     SYS_prlimit64,       SYS_restart_syscall,
#ifdef SYS_poll
      SYS_poll,
#endif
#ifdef SYS_stat
      SYS_stat,
#endif
  };
  // Sanitizers find out with a pipe whether a pointer can be read.
  if (kSanitized) calls.push_back(SYS_pipe2);
#ifdef SYS_pipe
  if (kSanitized) calls.push_back(SYS_pipe);
#endif
  return calls;
}

std::uint32_t ownArchitecture() {
#if defined(__x86_64__)
  return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  return AUDIT_ARCH_AARCH64;
#else
  return 0;
#endif
}

sock_filter statement(std::uint16_t code, std::uint32_t value) {
  return {code, 0, 0, value};
}
sock_filter jump(std::uint16_t code, std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
  return {code, yes, no, value};
}

std::vector<sock_filter> callFilter() {
  constexpr std::uint16_t load = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K,
                          give = BPF_RET | BPF_K;
  const std::uint32_t refuse = SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA);
  std::vector<sock_filter> filter = {
      statement(load, offsetof(seccomp_data, arch)),
      jump(equal, ownArchitecture(), 1, 0),
      statement(give, SECCOMP_RET_KILL_PROCESS),
      statement(load, offsetof(seccomp_data, nr)),
  };
#if defined(__x86_64__)
  // The x32 calls share the architecture; their numbers have bit 30.
  filter.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  filter.push_back(statement(give, SECCOMP_RET_KILL_PROCESS));
#endif
  for (const std::uint32_t call : allowedCalls()) {
    filter.push_back(jump(equal, call, 0, 1));
    filter.push_back(statement(give, SECCOMP_RET_ALLOW));
  }
  // mmap and mprotect, but nothing executable (PROT_EXEC = 4, third argument, low half).
  for (const std::uint32_t call :
       {static_cast<std::uint32_t>(SYS_mmap), static_cast<std::uint32_t>(SYS_mprotect)}) {
    filter.push_back(jump(equal, call, 0, 4));
    filter.push_back(statement(load, offsetof(seccomp_data, args) + 16));
    filter.push_back(jump(BPF_JMP | BPF_JSET | BPF_K, 4, 1, 0));
    filter.push_back(statement(give, SECCOMP_RET_ALLOW));
    filter.push_back(statement(give, refuse));
  }
  filter.push_back(statement(give, refuse));
  return filter;
}

}  // namespace

std::string SandboxReport::text() const {
  std::string out = limits ? "limits" : "no limits";
  out += noNewPrivileges ? ", no new privileges" : ", privileges not dropped";
  out += landlock          ? ", Landlock ABI " + std::to_string(landlockAbi)
         : landlockAbi > 0 ? ", Landlock offered but not active"
                           : ", no Landlock in this kernel";
  out += seccomp          ? ", seccomp"
         : seccompOffered ? ", seccomp offered but not active"
                          : ", no seccomp in this kernel";
  return out;
}

SandboxReport enterSandbox(const std::string& folder, SandboxAccess access) {
  SandboxReport report;
  report.noNewPrivileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  report.limits = limitAddressSpace() && setLimit(RLIMIT_NOFILE, 32) && setLimit(RLIMIT_CORE, 0) &&
                  (access == SandboxAccess::ReadWrite || setLimit(RLIMIT_FSIZE, 0));
  const long abi = syscall(kLandlockCreateRuleset, nullptr, 0, kLandlockVersion);
  report.landlockAbi = abi > 0 ? static_cast<int>(abi) : 0;
  report.landlock = abi > 0 && restrictFiles(folder, access, report.landlockAbi);
  report.seccompOffered = ownArchitecture() != 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
  return report;
}

void closeSystemCalls(SandboxReport& report) {
  if (!report.seccompOffered) return;
  auto filter = callFilter();
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  report.seccomp = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

void limitCpu(double seconds) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double used = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1;
  rlimit limit{};
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = static_cast<rlim_t>(std::ceil(used + seconds + 1));
  setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace fathom
