// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// Facts that can be told at once: {"host", "user", "boot_id", "machine", "time": seconds since 1970, "root",
// "writable": "" or why not, "locks": bool, "free": bytes, "home"}. `root` is made.
Json briefFacts(const std::string& root);

// These and the answers of other programs of the host, a few seconds: "glibc", "cores", "memory", "gpus":
// […], "slurm": its version, "partitions": a line for each, "lingers": "yes", "no" or "", "kills": logout
// ends processes, "torch": [{"path", "version"}], "engine": {"path", "version" or "words"}.
struct HostEngine {
  std::string program;              // of the engine
  std::vector<std::string> before;  // lines of the shell before it
  std::string libraries;            // folders for LD_LIBRARY_PATH
};
Json fullFacts(const std::string& root, const HostEngine& engine);
// {"slurm": its version, "" = none, "partitions": […]} of this machine.
Json slurmFacts();
// {"path", "libraries", "there": bool}, with "version", or "words": what it said instead.
Json engineFacts(const HostEngine& engine);

}  // namespace fathom
