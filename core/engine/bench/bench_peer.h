// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// A program that does the same work another way, for comparison. It answers each line on its stdin with one
// line of JSON on its stdout. Owned child process, ended with this object. One thread.
class BenchPeer {
 public:
  static Result<std::unique_ptr<BenchPeer>> start(const std::vector<std::string>& command);
  ~BenchPeer();
  BenchPeer(const BenchPeer&) = delete;
  BenchPeer& operator=(const BenchPeer&) = delete;
  // Unavailable, with the last of the peer's words, when it has ended: what it needs is not there, or it
  // failed. Data error when it answers something else than JSON.
  Result<Json> ask(const std::string& line);

 private:
  BenchPeer() = default;
  Error absence();
  std::string m_program;
  std::FILE* m_words = nullptr;  // what it writes to its stderr
  pid_t m_pid = -1;
  std::FILE* m_to = nullptr;
  std::FILE* m_from = nullptr;
};

// Options that a training and its peer have alike, whatever the preset says: no dropout, and PyTorch's AdamW.
const std::vector<std::string>& optionsLikePeers();
// Files that a peer finds in the folder that it is given.
Status writePeerConfig(const std::string& folder, const Json& config);
std::string peerWeights(const std::string& folder);  // safetensors
std::string peerBatch(const std::string& folder);

// Wall and processor seconds since some point, and the machine's busy share from others.
struct BenchClock {
  double wall = 0, cpu = 0;  // of this process
  double machineBusy = 0;    // CPU seconds of the whole machine, idle excluded
  static BenchClock now();
};
// Share of the machine's cores that others used between two readings.
double foreignLoad(const BenchClock& begin, const BenchClock& end, double ownCpu);
double median(std::vector<double> values);

}  // namespace fathom
