// SPDX-License-Identifier: Apache-2.0
#include "core/train/graphs/graph_cache.h"

#include <utility>

namespace fathom {

GraphBucket& GraphCache::use(const std::string& key) {
  if (!m_buckets.contains(key) && m_buckets.size() - m_graphs >= m_mostBuckets)
    m_buckets.erase(oldest(false));
  GraphBucket& bucket = m_buckets[key];
  bucket.usedBefore = std::exchange(bucket.usedAt, ++m_uses);
  return bucket;
}

GraphCache::Place GraphCache::oldest(bool captured) {
  Place found = m_buckets.end();
  for (Place place = m_buckets.begin(); place != m_buckets.end(); ++place) {
    if ((place->second.state == GraphBucket::State::Captured) != captured) continue;
    if (found == m_buckets.end() || place->second.usedAt < found->second.usedAt) found = place;
  }
  return found;
}

bool GraphCache::makeRoom(const GraphBucket& bucket) {
  if (m_graphs < m_mostGraphs) return true;
  const Place last = oldest(true);
  if (last == m_buckets.end() || last->second.usedAt >= bucket.usedBefore) return false;
  m_buckets.erase(last);
  --m_graphs;
  ++m_evictions;
  return true;
}

void GraphCache::keep(GraphBucket& bucket, std::shared_ptr<CapturedPass> pass) {
  bucket.state = GraphBucket::State::Captured;
  bucket.pass = std::move(pass);
  ++m_graphs;
}

void GraphCache::refuse(GraphBucket& bucket) {
  bucket.state = GraphBucket::State::Refused;
  ++m_refusals;
}

void GraphCache::clear() {
  m_buckets.clear();
  m_graphs = 0;
}

}  // namespace fathom
