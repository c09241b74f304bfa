// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

inline constexpr int kEventVersion = 1;
inline constexpr std::size_t kMaxEventBytes = 64 * 1024;

// Kinds and their members beside v, seq, t (seconds since epoch, double), k, crc:
//   run_started   attempt, resumed_from ("" or checkpoint), bit_exact (bool), device, threads, total_updates
//   (or -1); message after an attempt that failed: how it ended and where this one begins
//   progress      phase, unit, done, total, spent, remaining; step once this attempt has one
//   step          step (updates done, 1-based), epoch (trained, with the part of the current one), tokens
//                 (target, cumulative), lr, and "m": {metric: number}
//                 metrics: loss, nll, ppl, grad_norm, tokens_per_s, ...
//   epoch         epoch (finished, 1-based), step
//   validation    step, epoch, tokens, "m": {"valid.nll", "valid.ppl", "valid.ppl2", "valid.bleu", ...}
//   sample        step, items: [{source, reference, hypothesis}]
//   array         name, file (relative to the run), step
//   checkpoint    step, name, bytes, best (bool)
//   warning       message, cause and details (the facts the message is made of)
//   diverged      cause, step, last_finite_step, first_module, message, details
//   run_finished  step, "m": final scores       (also after a stop: "stopped": true)
//   run_failed    kind, cause, message, exit_code
//   heartbeat     step
//   gives_way     "m": {metric: step}: what was logged of it before this line gives way from that step on (""
//   =
//                 of every metric); logs of other programs alone
// A number is a JSON number of the shortest form that reads back to the same value, or "NaN" / "Infinity" /
// "-Infinity".
class EventLog {
 public:
  // Creates the file exclusively; seq starts at 0.
  static Result<std::unique_ptr<EventLog>> create(const std::string& path);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  // Appends one line with v, seq, t, k, the members in order, and crc as the last member. When this returns
  // ok the event is acknowledged: it survives kill -9. Thread-safe. On an error (disk full) the file ends
  // with its last whole line; the event waits in a bounded ring and goes out, in order, with the next append
  // or sync that succeeds, so a run may go on and lose nothing when space is made.
  Status append(std::string_view kind, const Json& members);
  // The hot path: all scalars of one update in one line, without a DOM.
  Status appendStep(std::int64_t step, double epoch, std::int64_t tokens, double learningRate,
                    const std::vector<std::pair<std::string_view, double>>& metrics);
  // fdatasync; called every 5 s by append itself and before a checkpoint becomes visible.
  Status sync();
  // Half of the ring is waiting for space: time to wait instead of going on.
  bool crowded();

 private:
  EventLog(int fd, std::string path);
  Status writeLine(std::string& line);
  Status writeOut(std::string_view bytes);
  void keepWaiting(std::string_view line);
  int m_fd = -1;
  std::string m_path;
  std::int64_t m_seq = 0;
  std::int64_t m_size = 0;  // bytes of whole lines in the file
  bool m_torn = false;      // half a line could not be taken back
  std::string m_waiting;    // whole lines that could not be written yet
  double m_lastSync = 0;
  std::mutex m_mutex;
};

// `line` without the closing brace gets ,"crc":N}\n appended (CRC-32C of the bytes before the comma).
void closeEventLine(std::string& line);
// The reverse: the part before ,"crc" when the checksum is right, else an empty view. `line` without newline.
std::string_view checkedEventBody(std::string_view line);

}  // namespace fathom
