// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/lines/line_cutter.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// A run's load on its machine, attempts/NNNN/system.jsonl: lines as those of the events (event_log.h), by the
// runner for runs that it has here, by whoever else writes a run folder (resources/help/run_folder.md), by
// importers. Kinds and their members beside v, seq, t, k and crc:
//   machine       cores, memory (GiB), device ("cpu", "cuda:0"), needed_bytes (memory of the run as its dry
//                 run estimated it); what is not known is left out
//   system        "m": {name: value}, about every ten seconds
//   gives_way     from, to: samples of these times (seconds since 1970) that stand before the line, in this
//                 stream or those of attempts before, give way to what comes: their source was written anew
inline constexpr std::string_view kMachineKind = "machine";
inline constexpr std::string_view kSystemKind = "system";

// Names of values that programs of ours write; foreign ones may have others. Those of card N: "system/gpuN"
// (% busy), "system/gpuN_memory" and "system/gpuN_process_memory" (GiB), "system/gpuN_power" (W),
// "system/gpuN_temperature" (°C).
namespace system_name {
inline constexpr std::string_view kPrefix = "system/";
inline constexpr std::string_view kCpu = "system/cpu";                       // % of all cores, whole machine
inline constexpr std::string_view kMemory = "system/memory";                 // GiB in use, whole machine
inline constexpr std::string_view kProcessCpu = "system/process_cpu";        // cores
inline constexpr std::string_view kProcessMemory = "system/process_memory";  // GiB in physical memory
inline constexpr std::string_view kProcessPeak = "system/process_memory_peak";  // the most so far
inline constexpr std::string_view kDiskFree = "system/disk_free";               // GiB, of the run's disk
inline constexpr std::string_view kDiskWritten = "system/disk_written";         // GiB so far, by the run
inline constexpr std::string_view kCard = "system/gpu";                         // before a card's number
}  // namespace system_name

// The machine that an attempt runs on; 0 and "" = not known.
struct MachineFacts {
  int cores = 0;
  double memory = 0;  // GiB
  std::string device;
  std::int64_t neededBytes = 0;
};
// Times in seconds since 1970, both ends belong to it.
struct LoadSpan {
  double from = 0, to = 0;
};
using SystemSample = std::vector<std::pair<std::string, double>>;  // name and value

std::string systemStreamPath(const RunFolder& run, int attempt);

// Writes one stream. A sample that cannot be written (full disk) is lost and nothing else; half a line of a
// writer that was killed stays as a bad line, and the next one stands below it. Not thread-safe.
class SystemStream {
 public:
  // Made where it is not there, in a folder that is; else it is gone on with.
  static Result<std::unique_ptr<SystemStream>> open(const std::string& path);
  ~SystemStream();
  SystemStream(const SystemStream&) = delete;
  SystemStream& operator=(const SystemStream&) = delete;

  // `time`: seconds since epoch.
  Status describe(const MachineFacts& facts, double time);
  Status add(const SystemSample& sample, double time);
  Status giveWay(const LoadSpan& span);
  // On the disk when this returns.
  Status sync() const;

 private:
  SystemStream(int fd, std::string path) : m_fd(fd), m_path(std::move(path)) {}
  void findEnd();
  Status writeEvent(std::string_view kind, const std::string& members, double time);
  int m_fd;
  std::string m_path;
  std::int64_t m_seq = 0;
  bool m_torn = false;  // the file ends within a line
};

// Follows one stream that may still grow. Not thread-safe.
class SystemReader {
 public:
  explicit SystemReader(std::string path);
  // Gives what was appended since the last call to whichever it is for; views hold until the next line. A
  // file that is not there yet has nothing; a torn tail is left for the next call; a line of a newer version
  // is an error after which nothing is read.
  struct Takers {
    std::function<void(double time, const MachineFacts& facts)> machine;
    std::function<void(double time, const std::vector<std::pair<std::string_view, double>>& values)> sample;
    std::function<void(const LoadSpan& span)> givesWay;
  };
  Status poll(const Takers& take);
  std::int64_t badLines() const { return m_badLines; }

 private:
  Status takeLine(const LineCutter::Line& line, const Takers& take);
  std::string m_path;
  LineCutter m_lines;
  std::uint64_t m_offset = 0;
  std::int64_t m_badLines = 0;
  std::optional<Error> m_stopped;  // a newer version was met
};

}  // namespace fathom
