// SPDX-License-Identifier: Apache-2.0
#pragma once

// One head of one sequence of the blockwise form (global_local_blocks.cpp): blocks of queries meet the keys
// that they can see, forward and backward.
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/nn/attention/band_rows.h"
#include "core/nn/attention/global_local_pass.h"

namespace fathom::long_attention {

// One head of one sequence, T = float or double.
template <typename T>
class HeadPass {
 public:
  HeadPass(Pass& pass, std::int64_t b, std::int64_t h, Scratch& scratch)
      : m_pass(pass),
        m_rules(pass.rules),
        m_structure(pass.structure, b),
        m_b(b),
        m_h(h),
        m_scratch(scratch) {
    m_scale = static_cast<T>(1 / std::sqrt(static_cast<double>(pass.headWidth())));
    m_mean = m_rules.chain == ScoreChain::Mean ? T(1) / static_cast<T>(m_rules.layer + 1) : T(1);
  }

  void run() {
    const std::int64_t n = m_pass.longLength(), g = m_pass.globalLength(), r = m_rules.radius;
    for (std::int64_t first = 0; first < n; first += kBlockRows) {
      const std::int64_t rows = std::min(kBlockRows, n - first);
      const std::int64_t begin = std::max<std::int64_t>(0, first - r), end = std::min(n, first + rows + r);
      const std::int32_t* context = m_structure.context;
      const bool one =
          context[begin] != 0 && std::all_of(context + begin, context + end,
                                             [&](std::int32_t each) { return each == context[begin]; });
      step(Block{first, rows, begin, end - begin, 0, g, one}, true);
    }
    for (std::int64_t first = 0; first < g;) {
      const Block block = globalBlock(first);
      step(block, false);
      first += block.rows;
    }
  }

 private:
  enum Which { Query, Key, Value };
  // [count, d/H] of this head in the rows of a stream.
  torch::Tensor part(const torch::Tensor& rows, Which which, std::int64_t first, std::int64_t count) const {
    const std::int64_t width = m_pass.headWidth();
    return rows.select(0, m_b).narrow(0, first, count).narrow(1, which * m_pass.width() + m_h * width, width);
  }
  torch::Tensor outPart(const torch::Tensor& out, const Block& block) const {
    const std::int64_t width = m_pass.headWidth();
    return out.select(0, m_b).narrow(0, block.first, block.rows).narrow(1, m_h * width, width);
  }
  // Row `query` of a [B, H, queries, keys] array.
  static T* row(const torch::Tensor& array, std::int64_t b, std::int64_t h, std::int64_t query) {
    return static_cast<T*>(array.data_ptr()) + b * array.stride(0) + h * array.stride(1) +
           query * array.stride(2);
  }
  // Global queries from `first` on with the long tokens that one of them sees. A chain holds scores of hidden
  // keys too: all of them then.
  Block globalBlock(std::int64_t first) const {
    const std::int64_t n = m_pass.longLength(), g = m_pass.globalLength();
    Block block{first, std::min(kBlockRows, g - first), 0, g, 0, n};
    if (m_pass.globals.chain.defined() || !(m_rules.hardGlobal || !m_rules.exchange)) return block;
    for (std::int64_t rows = 0; rows < block.rows;) {
      const std::int64_t more = std::min(kHardRows, block.rows - rows);
      const auto [begin, end] = seenLongs(first + rows, more);
      const bool whole = begin == 0 && end == n;
      if (rows > 0 && !whole) return block.rows = rows, block;
      rows += more;
      if (whole) continue;
      block.rows = rows, block.otherFirst = begin, block.other = end - begin;
    }
    return block;
  }
  // The least range of long tokens with all that these global queries may see; {0, 0} for none.
  std::pair<std::int64_t, std::int64_t> seenLongs(std::int64_t first, std::int64_t rows) const {
    const SequenceStructure& s = m_structure;
    const std::int64_t n = m_pass.longLength();
    if (m_rules.exchange && std::any_of(s.everything + first, s.everything + first + rows,
                                        [](std::int32_t all) { return all != 0; }))
      return {0, n};
    const auto seen = [&](std::int64_t token) {
      const auto among = [&](std::int32_t global) { return global >= first && global < first + rows; };
      return among(s.sentence[token]) || among(s.paragraph[token]);
    };
    std::int64_t begin = 0, end = n;
    while (begin < n && !seen(begin)) ++begin;
    if (begin == n) return {0, 0};
    while (!seen(end - 1)) --end;
    return {begin, end};
  }
  torch::Tensor tablePart(const torch::Tensor& table) const {
    return table.narrow(1, m_h * m_pass.headWidth(), m_pass.headWidth());
  }

  void step(const Block& block, bool isLong) {
    m_long = isLong;
    m_half = isLong ? &m_pass.longs : &m_pass.globals;
    m_own = isLong ? &m_pass.longRows : &m_pass.globalRows;
    m_other = isLong ? &m_pass.globalRows : &m_pass.longRows;
    m_ownGradient = isLong ? &m_pass.longRowsGradient : &m_pass.globalRowsGradient;
    m_otherGradient = isLong ? &m_pass.globalRowsGradient : &m_pass.longRowsGradient;
    if (m_pass.backward)
      backward(block);
    else
      forward(block);
  }

  // Columns of the chain: for a long query its window, then the globals; for a global query the globals, then
  // the long tokens. Entry (query i, key of column c) lies `shift` behind c among the queries' own stream.
  std::int64_t ownShift(const Block& block, std::int64_t query) const {
    return m_long ? block.ownFirst - query + m_rules.radius : 0;
  }
  std::int64_t chainOwnKeys() const { return m_long ? m_rules.windowKeys() : m_pass.globalLength(); }
  // Own keys of this query: columns [begin, end).
  std::pair<std::int64_t, std::int64_t> band(const Block& block, std::int64_t query) const {
    if (!m_long) return {0, block.own};
    const std::int64_t begin = std::max<std::int64_t>(query - m_rules.radius, block.ownFirst);
    const std::int64_t end = std::min(query + m_rules.radius + 1, block.ownFirst + block.own);
    return {begin - block.ownFirst, end - block.ownFirst};
  }

  // Scores of this layer, scaled, with relations; less a number for each row where `less` is not null.
  // Columns outside of a band are not meant to be read.
  torch::Tensor scoresOf(const Block& block, const T* less = nullptr) {
    torch::Tensor scores = m_scratch.matrix(0, block.rows, block.keys());
    const torch::Tensor query = part(*m_own, Query, block.first, block.rows);
    torch::Tensor own = scores.narrow(1, 0, block.own), other = scores.narrow(1, block.own, block.other);
    at::mm_out(own, query, part(*m_own, Key, block.ownFirst, block.own).t());
    if (block.other > 0) at::mm_out(other, query, part(*m_other, Key, block.otherFirst, block.other).t());
    torch::Tensor byType = m_scratch.matrix(1, block.rows, m_pass.types());
    at::mm_out(byType, query, tablePart(m_half->table).t());
    T* types = static_cast<T*>(byType.data_ptr());
    const T* bias = static_cast<const T*>(m_half->bias.const_data_ptr());
    for (std::int64_t i = 0; i < block.rows; ++i) {
      T* byId = types + i * m_pass.types();
      const T down = less == nullptr ? T(0) : less[i];
      for (std::int64_t t = 0; t < m_pass.types(); ++t)
        byId[t] = (byId[t] + bias[t * m_rules.heads + m_h]) * m_scale - down;
      addRelations(block, block.first + i, byId, static_cast<T*>(scores.data_ptr()) + i * block.keys());
    }
    return scores;
  }

  // Calls each(begin, end, id) for the columns of one relation among the queries' own stream, in order.
  template <typename Each>
  void ownRuns(const Block& block, std::int64_t query, Each each) const {
    const auto [begin, end] = band(block, query);
    const RelationIds& ids = m_rules.ids;
    if (!m_long) {
      for (std::int64_t c = begin; c < end; ++c) {
        const bool same = m_structure.globalContext[query] == m_structure.globalContext[c];
        each(c, c + 1, same ? ids.between(query, c) : ids.otherContext());
      }
      return;
    }
    const std::int64_t self = query - block.ownFirst, m = ids.distance;
    const std::int64_t left = std::clamp(self - m + 1, begin, end), right = std::clamp(self + m, begin, end);
    if (begin < left) each(begin, left, 2 * m);
    for (std::int64_t c = left; c < right; ++c) each(c, c + 1, ids.between(self, c));
    if (right < end) each(right, end, m);
  }
  // The same for the other stream: all columns apart, then each(column, column + 1, ...) of those that
  // belong.
  template <typename Each>
  void belonging(const Block& block, std::int64_t query, Each each) const {
    if (m_long) {
      const std::int64_t own[3] = {m_structure.sentence[query], m_structure.paragraph[query],
                                   m_structure.link[query]};
      for (int k = 0; k < 3; ++k) {
        const bool seen = (k > 0 && own[k] == own[0]) || (k > 1 && own[k] == own[1]);
        if (own[k] >= 0 && own[k] < block.other && !seen) each(own[k]);
      }
      return;
    }
    for (std::int64_t j = 0; j < block.other; ++j)
      if (m_structure.belongs(block.otherFirst + j, query)) each(j);
  }

  void addRelations(const Block& block, std::int64_t query, const T* byId, T* row) const {
    ownRuns(block, query, [&](std::int64_t begin, std::int64_t end, std::int64_t id) {
      if (end - begin == 1)
        row[begin] = row[begin] * m_scale + byId[id];
      else
        scaleShift(row + begin, end - begin, m_scale, byId[id]);
    });
    T* other = row + block.own;
    const T apart = byId[m_rules.ids.apart()], near = byId[m_rules.ids.belonging()];
    scaleShift(other, block.other, m_scale, apart);
    belonging(block, query, [&](std::int64_t key) { other[key] += near - apart; });
  }

  // scores += chain of the layer below, kept for the layer above; then what the softmax takes.
  void chainAndMask(const Block& block, torch::Tensor& scores) {
    for (std::int64_t i = 0; i < block.rows; ++i) {
      const std::int64_t query = block.first + i;
      T* line = static_cast<T*>(scores.data_ptr()) + i * block.keys();
      if (m_half->chain.defined()) {
        const auto [begin, end] = band(block, query);
        const std::int64_t shift = ownShift(block, query), split = chainOwnKeys();
        T* kept = row(m_half->chain, m_b, m_h, query);
        if (m_half->previous.defined()) {
          const T* before = row(m_half->previous, m_b, m_h, query);
          for (std::int64_t c = begin; c < end; ++c) line[c] += before[c + shift];
          for (std::int64_t c = 0; c < block.other; ++c) line[block.own + c] += before[split + c];
        }
        std::copy(line + begin, line + end, kept + begin + shift);
        std::copy(line + block.own, line + block.keys(), kept + split);
        if (m_mean != T(1)) scaleShift(line, block.keys(), m_mean, T(0));
      }
      mask(block, query, line);
    }
  }

  // What a chain holds is what the softmax took.
  torch::Tensor logitsFromChain(const Block& block) {
    torch::Tensor scores = m_scratch.matrix(0, block.rows, block.keys());
    for (std::int64_t i = 0; i < block.rows; ++i) {
      const std::int64_t query = block.first + i, shift = ownShift(block, query), split = chainOwnKeys();
      T* line = static_cast<T*>(scores.data_ptr()) + i * block.keys();
      const T* kept = row(m_half->chain, m_b, m_h, query);
      const auto [begin, end] = band(block, query);
      for (std::int64_t c = begin; c < end; ++c) line[c] = kept[c + shift] * m_mean;
      for (std::int64_t c = 0; c < block.other; ++c) line[block.own + c] = kept[split + c] * m_mean;
      mask(block, query, line);
    }
    return scores;
  }

  // -infinity at keys that the query does not see.
  void mask(const Block& block, std::int64_t query, T* line) const {
    constexpr T kHidden = -std::numeric_limits<T>::infinity();
    const SequenceStructure& s = m_structure;
    const std::int32_t own = m_long ? s.context[query] : s.globalContext[query];
    if (own == 0) {
      std::fill(line, line + block.keys(), kHidden);
      return;
    }
    T* other = line + block.own;
    if (m_long) {
      const auto [begin, end] = band(block, query);
      std::fill(line, line + begin, kHidden);
      std::fill(line + end, line + block.own, kHidden);
      for (std::int64_t c = begin; !block.oneContext && c < end; ++c)
        if (s.context[block.ownFirst + c] != own) line[c] = kHidden;
      if (m_rules.exchange && s.allGlobals) return;
      for (std::int64_t c = 0; c < block.other; ++c)
        if (!m_rules.exchange || s.globalContext[c] == 0) other[c] = kHidden;
      return;
    }
    for (std::int64_t c = 0; c < block.own; ++c)
      if (s.globalContext[c] == 0 || !(m_rules.exchange || c == query)) line[c] = kHidden;
    const bool all = m_rules.exchange && (!m_rules.hardGlobal || s.everything[query] != 0);
    for (std::int64_t c = 0; c < block.other; ++c)
      if (const std::int64_t key = block.otherFirst + c;
          s.context[key] == 0 || !(all || s.within(key, query)))
        other[c] = kHidden;
  }

  MaskRule dropRule() const {
    if (m_rules.dropout <= 0) return {};
    return MaskRule(m_rules.dropout, m_long ? m_rules.longSeed : m_rules.globalSeed);
  }
  T dropScale() const { return static_cast<T>(1 / (1 - m_rules.dropout)); }
  // The mask of the site is over [B, H, queries, keys of the softmax].
  void drop(const Block& block, std::int64_t query, T* line, const MaskRule& rule) const {
    const std::int64_t split = chainOwnKeys();
    const std::int64_t keys = split + (m_long ? m_pass.globalLength() : m_pass.longLength());
    const std::int64_t queries = m_long ? m_pass.longLength() : m_pass.globalLength();
    const auto at = static_cast<std::uint64_t>(((m_b * m_rules.heads + m_h) * queries + query) * keys);
    const auto [begin, end] = band(block, query);
    maskRow(line + begin, end - begin, rule, at + static_cast<std::uint64_t>(begin + ownShift(block, query)),
            dropScale());
    maskRow(line + block.own, block.other, rule, at + static_cast<std::uint64_t>(split + block.otherFirst),
            dropScale());
  }

  void forward(const Block& block) {
    torch::Tensor scores = scoresOf(block);
    chainAndMask(block, scores);
    T* lines = static_cast<T*>(scores.data_ptr());
    T* sums = static_cast<T*>(m_half->logSums.data_ptr()) +
              (m_b * m_rules.heads + m_h) * m_half->logSums.size(2) + block.first;
    for (std::int64_t i = 0; i < block.rows; ++i) {
      T* line = lines + i * block.keys();
      sums[i] = largest(line, block.keys());
      if (std::isfinite(sums[i])) scaleShift(line, block.keys(), T(1), -sums[i]);
    }
    scores.exp_();
    const MaskRule rule = dropRule();
    std::array<T, kBlockRows> shares;  // 1 / sum of a row; what it weighs is fewer numbers than it has
    for (std::int64_t i = 0; i < block.rows; ++i) {
      T* line = lines + i * block.keys();
      shares[i] = 0;
      if (sums[i] == -std::numeric_limits<T>::infinity()) {  // sees nothing: exp has left zeros
        sums[i] = std::numeric_limits<T>::infinity();
        continue;
      }
      const T total = sumOf(line, block.keys());
      shares[i] = 1 / total;
      sums[i] += std::log(total);
      if (rule.active()) drop(block, block.first + i, line, rule);
    }
    torch::Tensor out = outPart(m_half->out, block);
    at::mm_out(out, scores.narrow(1, 0, block.own), part(*m_own, Value, block.ownFirst, block.own));
    if (block.other > 0)
      out.addmm_(scores.narrow(1, block.own, block.other),
                 part(*m_other, Value, block.otherFirst, block.other));
    for (std::int64_t i = 0; i < block.rows; ++i)
      scaleShift(static_cast<T*>(out.data_ptr()) + i * out.stride(0), out.size(1), shares[i], T(0));
  }

  // exp(logit - log sum) row by row.
  torch::Tensor probabilitiesOf(const Block& block) {
    const T* sums = static_cast<const T*>(m_half->logSums.const_data_ptr()) +
                    (m_b * m_rules.heads + m_h) * m_half->logSums.size(2) + block.first;
    torch::Tensor scores = m_half->chain.defined() ? logitsFromChain(block) : scoresOf(block, sums);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      T* line = static_cast<T*>(scores.data_ptr()) + i * block.keys();
      if (m_half->chain.defined())
        scaleShift(line, block.keys(), T(1), -sums[i]);
      else
        mask(block, block.first + i, line);
    }
    return scores.exp_();
  }

  void backward(const Block& block) {
    torch::Tensor p = probabilitiesOf(block);
    torch::Tensor slope = m_scratch.matrix(2, block.rows, block.keys());
    const torch::Tensor out = outPart(m_half->out, block), gradient = outPart(m_half->outGradient, block);
    torch::Tensor own = slope.narrow(1, 0, block.own), other = slope.narrow(1, block.own, block.other);
    at::mm_out(own, gradient, part(*m_own, Value, block.ownFirst, block.own).t());
    if (block.other > 0)
      at::mm_out(other, gradient, part(*m_other, Value, block.otherFirst, block.other).t());
    slopes(block, p, slope, out, gradient);
    part(*m_ownGradient, Value, block.ownFirst, block.own).addmm_(p.narrow(1, 0, block.own).t(), gradient);
    if (block.other > 0)
      part(*m_otherGradient, Value, block.otherFirst, block.other)
          .addmm_(p.narrow(1, block.own, block.other).t(), gradient);
    const torch::Tensor query = part(*m_own, Query, block.first, block.rows);
    torch::Tensor queryGradient = part(*m_ownGradient, Query, block.first, block.rows);
    queryGradient.addmm_(own, part(*m_own, Key, block.ownFirst, block.own));
    part(*m_ownGradient, Key, block.ownFirst, block.own).addmm_(own.t(), query);
    if (block.other > 0) {
      queryGradient.addmm_(other, part(*m_other, Key, block.otherFirst, block.other));
      part(*m_otherGradient, Key, block.otherFirst, block.other).addmm_(other.t(), query);
    }
    relationGradients(block, slope, query, queryGradient);
  }

  // `slope`: gradients of the probabilities after dropout become those of the products q k; p becomes what
  // the values were weighed by.
  void slopes(const Block& block, torch::Tensor& p, torch::Tensor& slope, const torch::Tensor& out,
              const torch::Tensor& gradient) {
    const MaskRule rule = dropRule();
    for (std::int64_t i = 0; i < block.rows; ++i) {
      const std::int64_t query = block.first + i;
      T* weights = static_cast<T*>(p.data_ptr()) + i * block.keys();
      T* line = static_cast<T*>(slope.data_ptr()) + i * block.keys();
      const T mean =
          dotOf(static_cast<const T*>(out.const_data_ptr()) + i * out.stride(0),
                static_cast<const T*>(gradient.const_data_ptr()) + i * gradient.stride(0), out.size(1));
      if (rule.active()) drop(block, query, line, rule);
      const bool chained = m_half->chain.defined();
      softmaxSlope(weights, line, block.keys(), mean, chained ? T(1) : m_scale);
      if (rule.active()) drop(block, query, weights, rule);
      if (!chained) continue;
      chainSlope(block, query, line);
      scaleShift(line, block.keys(), m_scale, T(0));
    }
  }

  // Of the sums: what comes from above too; handed on to the layer below.
  void chainSlope(const Block& block, std::int64_t query, T* line) const {
    const auto [begin, end] = band(block, query);
    const std::int64_t shift = ownShift(block, query), split = chainOwnKeys();
    if (m_mean != T(1)) scaleShift(line, block.keys(), m_mean, T(0));
    if (m_half->chainGradient.defined()) {
      const T* above = row(m_half->chainGradient, m_b, m_h, query);
      for (std::int64_t c = begin; c < end; ++c) line[c] += above[c + shift];
      for (std::int64_t c = 0; c < block.other; ++c) line[block.own + c] += above[split + c];
    }
    if (!m_half->previousGradient.defined()) return;
    T* below = row(m_half->previousGradient, m_b, m_h, query);
    std::copy(line + begin, line + end, below + begin + shift);
    std::copy(line + block.own, line + block.keys(), below + split);
  }

  void relationGradients(const Block& block, const torch::Tensor& slope, const torch::Tensor& query,
                         torch::Tensor& queryGradient) {
    torch::Tensor byType = m_scratch.matrix(1, block.rows, m_pass.types());
    byType.zero_();
    T* bias = static_cast<T*>(m_half->biasGradient.data_ptr()) + m_b * m_pass.types() * m_rules.heads + m_h;
    for (std::int64_t i = 0; i < block.rows; ++i) {
      T* byId = static_cast<T*>(byType.data_ptr()) + i * m_pass.types();
      const T* line = static_cast<const T*>(slope.const_data_ptr()) + i * block.keys();
      ownRuns(block, block.first + i, [&](std::int64_t begin, std::int64_t end, std::int64_t id) {
        byId[id] += end - begin == 1 ? line[begin] : sumOf(line + begin, end - begin);
      });
      const T* other = line + block.own;
      T near = 0;
      belonging(block, block.first + i, [&](std::int64_t key) { near += other[key]; });
      byId[m_rules.ids.belonging()] += near;
      byId[m_rules.ids.apart()] += sumOf(other, block.other) - near;
      for (std::int64_t t = 0; t < m_pass.types(); ++t) bias[t * m_rules.heads] += byId[t];
    }
    queryGradient.addmm_(byType, tablePart(m_half->table));
    torch::Tensor table = tablePart(m_half->tableGradient.select(0, m_b));
    table.addmm_(byType.t(), query);
  }

  Pass& m_pass;
  const GlobalLocalRules& m_rules;
  SequenceStructure m_structure;
  std::int64_t m_b, m_h;
  Scratch& m_scratch;
  T m_scale = 1, m_mean = 1;
  bool m_long = true;
  HalfArrays* m_half = nullptr;
  const torch::Tensor *m_own = nullptr, *m_other = nullptr, *m_ownGradient = nullptr,
                      *m_otherGradient = nullptr;
};

}  // namespace fathom::long_attention
