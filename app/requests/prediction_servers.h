// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/serve/serve_client.h"

namespace fathom {

// Asks the warm models of runs (`fathom-engine serve`): one server per run and checkpoint, found where it
// runs already, whoever started it, and started where it does not. Any thread; calls block, and look at their
// stop token all the while.
class PredictionServers {
 public:
  struct Lifetime {
    std::int64_t idleSeconds = 900;  // a server ends by itself after so long without a question
    bool outlivesUs = false;         // else those started here end with this object
  };
  PredictionServers() = default;
  explicit PredictionServers(const Lifetime& lifetime) : m_lifetime(lifetime) {}
  ~PredictionServers();
  PredictionServers(const PredictionServers&) = delete;
  PredictionServers& operator=(const PredictionServers&) = delete;

  // A reply of core/serve/serve_protocol.h. `checkpoint`: a name, a number of updates, "best" or "" = the
  // newest. Errors: the run or the checkpoint is gone, there is no engine, what the server says, interrupted
  // (a server that is still loading for this question alone is ended).
  Result<Json> ask(const std::string& runPath, const std::string& checkpoint, const ServeRequest& request,
                   Progress& progress, const StopToken& stop);
  // Ends what was started here.
  void end();

 private:
  struct Started {
    std::string socket;
    int pid = 0;
    bool answered = false;
  };
  Result<ServeClient> connected(const std::string& socket, const std::vector<std::string>& words,
                                Progress& progress, const StopToken& stop);
  Status start(const std::string& socket, const std::vector<std::string>& words);
  bool hasEnded(const std::string& socket);
  void markAnswered(const std::string& socket);
  void endLoading(const std::string& socket);
  Lifetime m_lifetime;
  std::mutex m_mutex;  // of what follows, and held while a server is started
  std::vector<Started> m_started;
};

}  // namespace fathom
