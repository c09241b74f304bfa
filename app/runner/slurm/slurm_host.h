// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/runner/slurm/slurm_site.h"

namespace fathom {

// A Slurm whose commands a host has that ssh reaches: <root>/slurm/<uuid> there holds script, configurations
// and what became of a submission, <root>/runs the runs. The connection is made when something is asked, and
// made again after it was lost. A submission that the host has asked its Slurm for is answered from its notes
// there: however often an answer is lost on its way here, sbatch is called once.
std::unique_ptr<SlurmSite> openSlurmHost(const PlaceRecord& record);

}  // namespace fathom
