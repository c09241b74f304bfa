// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Which of the processes that train one run together this one is. Rank 0 writes the run's folder.
struct Ranks {
  enum class Starter {
    Nobody,     // one process
    Ourselves,  // rank 0 has started the others on its own machine
    Torchrun,
    Slurm  // the tasks of a step (srun)
  };
  Starter starter = Starter::Nobody;
  int rank = 0, size = 1;
  int localRank = 0, localSize = 1;  // among those of this machine
  std::string address;               // of the machine where they meet
  int port = 0;
  bool metElsewhere = false;  // the starter itself serves the port: no rank may
  std::string life = "0";     // changes when the starter starts all of them anew

  bool alone() const { return size == 1; }
  bool first() const { return rank == 0; }
};

// Value of an environment variable, or nothing.
using EnvironmentLook = std::function<std::optional<std::string>(const char* name)>;
EnvironmentLook processEnvironment();

// As the starter has said in the environment: torchrun's five variables (rank 0 sets the same for those that
// it starts), else those of a Slurm step of more than one task, which MASTER_ADDR and MASTER_PORT may send
// elsewhere than to its first node. SLURM_NTASKS alone, as in a batch script, means nothing. Errors name the
// variable and its value.
Result<Ranks> ranksOf(const EnvironmentLook& look);

// The first machine of a Slurm list such as "n[03-05,9],login2".
std::string firstHostOf(const std::string& list);

}  // namespace fathom
