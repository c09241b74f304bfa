// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fathom {

// Length-prefixed messages over a socket; interrupted calls are repeated. False: the other side is gone, or
// the message is longer than `most`.
bool sendMessage(int socket, std::string_view bytes);
bool receiveMessage(int socket, std::string& bytes, std::uint32_t most);
// The same with a deadline in milliseconds for the whole message; `timedOut` tells the two failures apart.
bool receiveMessageWithin(int socket, std::string& bytes, std::uint32_t most, int milliseconds,
                          bool& timedOut);

}  // namespace fathom
