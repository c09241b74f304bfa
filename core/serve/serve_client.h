// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/serve/local_socket.h"
#include "core/serve/serve_protocol.h"

namespace fathom {

// Asks a server of core/serve. Blocks the calling thread, which looks at `stop` all the while: not for a GUI
// thread. Movable.
class ServeClient {
 public:
  // Unavailable where nobody serves at `path`.
  static Result<ServeClient> connect(const std::string& path);
  // The reply that carries the request's id, once it is ok; else its error. What the server says of its
  // progress goes to `progress`. Errors besides: the server ended, no reply within `seconds`, interrupted
  // (the server then drops the request, as this client is gone).
  Result<Json> ask(const ServeRequest& request, double seconds, Progress& progress, const StopToken& stop);

 private:
  explicit ServeClient(LocalSocket socket) : m_socket(std::move(socket)) {}
  Result<bool> receive(int milliseconds);
  LocalSocket m_socket;
  std::string m_in, m_out;
};

}  // namespace fathom
