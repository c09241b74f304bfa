// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// Ranks 1, 2, … as processes of this machine: this program with its own command line once more. They end with
// the process that starts them, at the latest.
class LocalRanks {
 public:
  LocalRanks() = default;
  LocalRanks(const LocalRanks&) = delete;
  LocalRanks& operator=(const LocalRanks&) = delete;
  // Waits a while for those that still work, then ends them.
  ~LocalRanks();

  // They meet at `port` of this machine; what they write to stderr goes to <folder>/stderr.<rank>.log.
  Status start(int size, int port, const std::string& folder);
  // "rank 1: killed (signal 9); …" once one has ended with an error. Never waits.
  std::optional<std::string> ended();

 private:
  struct Child {
    pid_t process = -1;  // -1: has ended
    int rank = 0;
    std::string log;
    int status = 0;
  };
  Status startOne(int rank, int size, int port, const std::string& log);
  bool look(Child& child);
  std::vector<Child> m_children;
};

// In a rank that was started so, on the thread of main(): it ends with the process that started it.
void endWithStarter();

}  // namespace fathom
