// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/runner/child_process.h"
#include "app/runner/launcher.h"
#include "app/runner/place_record.h"
#include "core/relay/run_file_kind.h"

namespace fathom {

// Keys of every place that is reached by ssh, whatever starts its engines.
std::vector<OptionField> hostFields();
// Those, and keys of a host where engines are started as processes.
std::vector<OptionField> sshResources();
std::vector<OptionField> sshLimits();
// Judges the former: the host is one word.
Status checkHostFields(const PlaceRecord& record);
// Judges a record of launcher ssh.
Status checkSshPlace(const PlaceRecord& record);
// Judges the host, and what this machine has to have for it: ssh, and the relay beside this program.
Status checkSshHere(const PlaceRecord& record);

// The relay that is brought to a host: its bytes, known there by their sum.
struct RelayProgram {
  std::string path, sha256;
  std::size_t bytes = 0;
};
// Unavailable where it does not lie beside this program.
Result<RelayProgram> relayProgram();

// The user's ssh with what starts the relay at the host, or takes its bytes first. Connections are shared
// (ControlMaster) and stay for ten minutes. Unavailable where there is no ssh or no folder for its socket.
Result<ChildSpec> sshCommand(const PlaceRecord& record, const RelayProgram& relay, const PlaceTalk& talk);
// Folder of runs and data at the host, as far as it is known here: relative to the home there.
std::string hostRoot(const PlaceRecord& record);
// As the resources `checkpoints` and `keep_best` say, and the options of fetch.
CheckpointWish checkpointWish(bool all, bool best);

}  // namespace fathom
