// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// Numeric address of this machine by which `address` is reached; nothing is sent. Errors name the address.
// Gloo's own choice is what the machine's name resolves to, which is often an address that only it can reach.
Result<std::string> addressTowards(const std::string& address, int port);

// A socket that listens at a free port of a numeric IPv4 address of this machine alone.
Result<int> listenHere(const std::string& address);

// True for a numeric address that no other machine reaches.
bool isLoopback(const std::string& address);

// Numeric address of an interface, an IPv4 one where it has one; "" where it has none.
std::string interfaceAddress(const std::string& name);

// Refuses an interface that this machine does not have, naming those that it has.
Status checkInterface(const std::string& name);

}  // namespace fathom
