// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/relay/engine_job.h"
#include "core/relay/host_facts.h"
#include "core/relay/relay_frame.h"
#include "core/relay/run_stream.h"
#include "core/relay/stored_data.h"

namespace fathom {

// The protocol of a relay, without its pipes: bytes in, bytes out. Requests have a verb and a number that
// their answer carries; what happens to runs that are followed comes by itself. One thread.
class RelaySession {
 public:
  // `root`: an absolute folder, which relative paths of requests lie in.
  explicit RelaySession(std::string root);
  // Data error: the other side talks something else.
  Status feed(std::string_view bytes);
  // Bytes that wait to be written; written() takes off so many.
  std::string_view waiting() const { return std::string_view(m_out).substr(m_written); }
  void written(std::size_t bytes);
  // Looks at what is followed, as far as there is room for it in what waits.
  void work();
  // Until there may be something to do again; 0 = now.
  double idleSeconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Followed {
    RunStream stream;
    std::string token, told;  // the state as it was told last
    std::int64_t mark = 0;    // of the last question for it
    Clock::time_point looked{}, looksForGrowth{};
    bool atEnd = false;
    bool stateDue = false;  // to be told when what was seen is sent
    bool once = false;      // until all that is there now is sent
  };
  using Verb = Result<Json> (RelaySession::*)(const RelayFrame&);
  void answer(const RelayFrame& frame);
  void put(const Json& head, std::string_view body = {});
  std::string pathOf(const Json& head, const char* key) const;
  HostEngine engineOf(const Json& head) const;
  Result<Json> hello(const RelayFrame& frame);
  Result<Json> check(const RelayFrame& frame);
  Result<Json> engine(const RelayFrame& frame);
  Result<Json> start(const RelayFrame& frame);
  Result<Json> wish(const RelayFrame& frame);
  Result<Json> kill(const RelayFrame& frame);
  Result<Json> forget(const RelayFrame& frame);
  Result<Json> follow(const RelayFrame& frame);
  Result<Json> leave(const RelayFrame& frame);
  Result<Json> look(const RelayFrame& frame);
  Result<Json> command(const RelayFrame& frame);
  Result<Json> write(const RelayFrame& frame);
  Result<Json> read(const RelayFrame& frame);
  Result<Json> findData(const RelayFrame& frame);
  Result<Json> putData(const RelayFrame& frame);
  Result<Json> dataFolder(const RelayFrame& frame);
  Result<Json> useEngine(const RelayFrame& frame);
  void tellState(Followed& run);
  bool hasFetched(Followed& run);
  void lookAt(Followed& run, Clock::time_point now);

  std::string m_root;
  FrameReader m_reader;
  std::string m_out;
  std::size_t m_written = 0;
  EngineJobs m_jobs;
  StoredData m_data;
  std::map<std::string, Followed> m_followed;
  Clock::time_point m_said = Clock::now();
};

// An error as it travels, and back: its kind and its phrases.
Json relayErrorToJson(const Error& error);
Error relayErrorFromJson(const Json& json);

}  // namespace fathom
