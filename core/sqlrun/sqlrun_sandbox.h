// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Layers that the kernel offered and that are active; one that is offered and not active is a bug (tested).
struct SandboxReport {
  bool noNewPrivileges = false;
  bool limits = false;
  int landlockAbi = 0;  // 0: the kernel has none
  bool landlock = false;
  bool seccompOffered = false, seccomp = false;
  std::string text() const;  // "limits, no new privileges, Landlock ABI 6, seccomp"
};

enum class SandboxAccess { ReadOnly, ReadWrite };

// Step 1, before anything foreign is opened: resource limits, no new privileges, files only below `folder`.
// ReadWrite is for preparing a private copy. Landlock by our own system calls and constants, rights masked by
// the probed ABI. Cannot be undone.
SandboxReport enterSandbox(const std::string& folder, SandboxAccess access);
// Step 2, once the database is open: system calls by an allow-list; everything else fails with EPERM. No file
// can be opened any more, no process or socket made.
void closeSystemCalls(SandboxReport& report);
// CPU seconds from now on after which the kernel ends the process.
void limitCpu(double seconds);

}  // namespace fathom
