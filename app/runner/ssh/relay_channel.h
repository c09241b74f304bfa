// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/runner/ssh/ssh_line.h"
#include "app/runner/ssh/ssh_trouble.h"
#include "core/base/threads/stop_token.h"
#include "core/relay/relay_frame.h"

namespace fathom {

// A connection to the relay of a host: one channel of the user's ssh. One thread. Destroying it ends the
// relay; engines are not touched.
class RelayChannel {
 public:
  // Frames that answer no question: of runs that are followed.
  using Take = std::function<Status(const RelayFrame&)>;
  // Brings the relay where the host has none. `trouble` tells more of an error.
  static Result<std::unique_ptr<RelayChannel>> open(const PlaceRecord& record, const PlaceTalk& talk,
                                                    const StopToken& stop, SshTrouble* trouble = nullptr);
  ~RelayChannel();
  void setTake(Take take) { m_take = std::move(take); }
  // The answer to a request, whose head has a verb; its error, unless the connection is lost.
  Result<Json> ask(Json head, std::string_view body, double seconds, const StopToken& stop);
  bool isLost() const { return m_lost; }
  // Takes what comes within `seconds`, at least once around; an error where the connection is lost.
  Status receive(double seconds);
  // Since when nothing was heard, seconds.
  double silentSeconds() const;
  const PlaceRecord& record() const { return m_record; }

 private:
  using Clock = std::chrono::steady_clock;
  RelayChannel(PlaceRecord record, PipedChild child) : m_record(std::move(record)), m_child(child) {}
  Status greet(const RelayProgram& relay, double seconds, const StopToken& stop);
  Status turn(double seconds);  // writes and reads what is possible
  Status takeFrames();
  Status takeWholeFrames();
  Error lost();

  PlaceRecord m_record;
  PipedChild m_child;
  Take m_take;
  std::string m_out, m_in, m_errors;
  std::size_t m_written = 0;
  FrameReader m_reader;
  std::int64_t m_asked = 0, m_wanted = 0;
  std::optional<RelayFrame> m_answer;
  Clock::time_point m_heard = Clock::now();
  bool m_lost = false, m_greeted = false, m_lasting = false;
};

}  // namespace fathom
