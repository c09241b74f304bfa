// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fathom {

class CapturedPass;

// A mask that is drawn in a pass.
struct MaskSite {
  std::string site;
  std::int64_t microBatch = 0;
  bool operator==(const MaskSite&) const = default;
};

// Updates that are computed by the same operators, and what became of them.
struct GraphBucket {
  enum class State : std::uint8_t {
    New,       // nothing is known
    Watched,   // a plain pass has shown that it can be recorded
    Captured,  // there is a graph
    Refused    // it cannot be recorded
  };
  State state = State::New;
  std::vector<MaskSite> masks;              // that the watched pass has drawn
  std::shared_ptr<CapturedPass> pass;       // of a captured one
  std::int64_t usedAt = 0, usedBefore = 0;  // numbers of uses of the cache; 0: never
};

// Buckets by their keys, with at most so many graphs. A graph goes only for a bucket that came back sooner
// than it did: of shapes that come by turns, more than fit, those that are there stay. Buckets without a
// graph that were unused for the longest are forgotten. One thread.
class GraphCache {
 public:
  explicit GraphCache(std::size_t mostGraphs, std::size_t mostBuckets = 4096)
      : m_mostGraphs(mostGraphs), m_mostBuckets(mostBuckets) {}

  // The bucket, which is used now; valid until the next call of use() or clear().
  GraphBucket& use(const std::string& key);
  // Whether a graph may be kept for `bucket`. Where all places are taken, the graph that was unused for the
  // longest is dropped for it, and its bucket has to come twice again.
  bool makeRoom(const GraphBucket& bucket);
  void keep(GraphBucket& bucket, std::shared_ptr<CapturedPass> pass);
  void refuse(GraphBucket& bucket);
  void clear();

  std::size_t graphs() const { return m_graphs; }
  std::size_t buckets() const { return m_buckets.size(); }
  std::int64_t evictions() const { return m_evictions; }
  std::size_t refusals() const { return m_refusals; }

 private:
  using Place = std::map<std::string, GraphBucket>::iterator;
  Place oldest(bool captured);
  std::size_t m_mostGraphs, m_mostBuckets, m_graphs = 0, m_refusals = 0;
  std::int64_t m_uses = 0, m_evictions = 0;
  std::map<std::string, GraphBucket> m_buckets;
};

}  // namespace fathom
