// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>

#include "app/runner/ssh/relay_channel.h"

namespace fathom {

// Tells that so many bytes of a file are at the host; may be empty. No question is open then, and an error
// ends the sending.
using PlacedBytes = std::function<Status(const std::string& file, std::uint64_t done, std::uint64_t of)>;

// Sends a file or a folder by its content, unless the host has it; its path there.
Result<std::string> placeAtHost(RelayChannel& channel, const std::string& path, const PlacedBytes& told,
                                const StopToken& stop);
// Paths of this machine and where the host has them: what many runs name is looked for once.
using PlacedPaths = std::map<std::string, std::string>;
// A configuration whose files and folders of this machine are those of the host: what is there under the same
// path with the same content is named, everything else is sent.
Result<Json> configAtHost(RelayChannel& channel, Json config, PlacedPaths& placed, const PlacedBytes& told,
                          const StopToken& stop);

}  // namespace fathom
