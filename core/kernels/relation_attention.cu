// SPDX-License-Identifier: Apache-2.0
// Family (d): attention with relations by id over packed rows. A block has eight queries (or keys) of a head
// of a sequence, a warp each; keys and values come in tiles of 32 through shared memory, a lane scores one of
// them. Nothing of size n x n x width exists, and probabilities are made again backwards.
#include "core/kernels/relation_attention.h"

#include "core/kernels/device_sums.h"

namespace fathom {

namespace {

constexpr unsigned kRelationThreads = 256;
constexpr unsigned kRelationWarps = kRelationThreads / kLanes;
constexpr int kColumns = kWidestRelationHead / kLanes;  // of a lane

// The call in the numbers of its format.
template <typename T>
struct RelationRowsOf {
  std::int64_t heads, width, types;
  const T *projected, *relationKeys, *relationValues;
  const std::uint8_t* ids;
  const std::int64_t *idStarts, *spans;
  Wide<T> scale, keptScale;
  bool causal;
  MaskRule mask;
  std::int64_t maskLength;
  T* out;
  Wide<T>* stats;
  const T* outGradient;
  T* projectedGradient;
  Wide<T>*byKey, *byValue, *along;
};

// Where a block works: a head of a sequence.
template <typename T>
struct RelationHead {
  std::int64_t sequence, head, firstRow, count, stride;
  const std::uint8_t* ids;

  __device__ __forceinline__ explicit RelationHead(const RelationRowsOf<T>& call)
      : sequence(blockIdx.x / call.heads),
        head(blockIdx.x % call.heads),
        firstRow(call.spans[2 * sequence]),
        count(call.spans[2 * sequence + 1]),
        stride(3 * call.heads * call.width),
        ids(call.ids + call.idStarts[sequence]) {}
  // Of a part of a projected row: 0 query, 1 key, 2 value.
  __device__ __forceinline__ std::int64_t at(const RelationRowsOf<T>& call, std::int64_t row,
                                             int part) const {
    return (firstRow + row) * stride + (part * call.heads + head) * call.width;
  }
  __device__ __forceinline__ std::int64_t outAt(const RelationRowsOf<T>& call, std::int64_t row) const {
    return ((firstRow + row) * call.heads + head) * call.width;
  }
  __device__ __forceinline__ std::int64_t statAt(const RelationRowsOf<T>& call, std::int64_t row) const {
    return (firstRow + row) * call.heads + head;
  }
  __device__ __forceinline__ Wide<T> kept(const RelationRowsOf<T>& call, std::int64_t query,
                                          std::int64_t key) const {
    const auto index = static_cast<std::uint64_t>(
        ((sequence * call.heads + head) * call.maskLength + query) * call.maskLength + key);
    const bool stays =
        call.mask.bits(static_cast<std::uint32_t>(index), call.mask.key(index)) >= call.mask.threshold;
    return stays ? call.keptScale : Wide<T>(0);
  }
};

// 32 rows of `width` numbers, a number apart from each other's banks; zeros behind the last row.
template <typename T>
__device__ __forceinline__ void loadTile(SharedArray<Wide<T>> tile, const T* first, std::int64_t stride,
                                         std::int64_t rows, unsigned width) {
  for (unsigned n = threadIdx.x; n < kLanes * width; n += kRelationThreads) {
    const unsigned row = n / width, column = n % width;
    tile[row * (width + 1) + column] = row < rows ? widened(first[row * stride + column]) : Wide<T>(0);
  }
}

template <typename T>
__device__ __forceinline__ void loadRow(SharedArray<Wide<T>> row, const T* first, unsigned width) {
  for (unsigned column = threadIdx.x % kLanes; column < width; column += kLanes)
    row[column] = widened(first[column]);
}

// row . (tile row + table row)
template <typename T>
__device__ __forceinline__ Wide<T> productWith(SharedArray<Wide<T>> row, SharedArray<Wide<T>> tileRow,
                                               const T* table, unsigned width) {
  Wide<T> sum = 0;
  for (unsigned column = 0; column < width; ++column)
    sum += row[column] * (tileRow[column] + widened(table[column]));
  return sum;
}

template <typename T>
__global__ void __launch_bounds__(kRelationThreads) relationForward(RelationRowsOf<T> call) {
  using W = Wide<T>;
  const RelationHead<T> head(call);
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.y) * kRelationWarps;
  if (begin >= head.count) return;
  const auto width = static_cast<unsigned>(call.width);
  const unsigned lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  SharedMemory memory;
  const auto keys = memory.take<W>(kLanes * (width + 1)), values = memory.take<W>(kLanes * (width + 1));
  const auto query = memory.take<W>(kRelationWarps * width).from(warp * width);
  const std::int64_t i = begin + warp;
  const bool active = i < head.count;
  if (active) loadRow<T>(query, call.projected + head.at(call, i, 0), width);
  W largest = -static_cast<W>(INFINITY), total = 0;
  W sums[kColumns] = {};
  for (std::int64_t first = 0; first < head.count; first += kLanes) {
    __syncthreads();
    loadTile<T>(keys, call.projected + head.at(call, first, 1), head.stride, head.count - first, width);
    loadTile<T>(values, call.projected + head.at(call, first, 2), head.stride, head.count - first, width);
    __syncthreads();
    if (!active) continue;
    const std::int64_t key = first + lane;
    const bool visible = key < head.count && !(call.causal && key > i);
    const unsigned id = key < head.count ? head.ids[i * head.count + key] : 0u;
    W score = -static_cast<W>(INFINITY);
    if (visible)
      score = call.scale *
              productWith<T>(query, keys.from(lane * (width + 1)), call.relationKeys + id * width, width);
    const W above = largestOfWarp(score);
    const W next = above > largest ? above : largest;
    const W rescale = exponentialOf(largest - next);
    const W p = visible ? exponentialOf(score - next) : W(0);
    total = total * rescale + sumOfWarp(p);
    largest = next;
    for (W& sum : sums) sum *= rescale;
    const W kept = visible ? p * head.kept(call, i, key) : W(0);
    for (unsigned other = 0; other < kLanes; ++other) {
      const W factor = __shfl_sync(kAllLanes, kept, static_cast<int>(other));
      const T* table = call.relationValues + __shfl_sync(kAllLanes, id, static_cast<int>(other)) * width;
      for (int k = 0; k < kColumns; ++k) {
        const unsigned column = lane + static_cast<unsigned>(k) * kLanes;
        if (column < width)
          sums[k] += factor * (values[other * (width + 1) + column] + widened(table[column]));
      }
    }
  }
  if (!active) return;
  const W inverse = W(1) / total;
  for (int k = 0; k < kColumns; ++k) {
    const unsigned column = lane + static_cast<unsigned>(k) * kLanes;
    if (column < width) call.out[head.outAt(call, i) + column] = narrowed<T>(sums[k] * inverse);
  }
  if (lane == 0) call.stats[head.statAt(call, i)] = largest + logarithmOf(total);
}

// Of queries, and what the tables' gradients are made of.
template <typename T>
__global__ void __launch_bounds__(kRelationThreads) relationByQuery(RelationRowsOf<T> call) {
  using W = Wide<T>;
  const RelationHead<T> head(call);
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.y) * kRelationWarps;
  if (begin >= head.count) return;
  const auto width = static_cast<unsigned>(call.width), types = static_cast<unsigned>(call.types);
  const unsigned lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  SharedMemory memory;
  const auto keys = memory.take<W>(kLanes * (width + 1)), values = memory.take<W>(kLanes * (width + 1));
  const auto query = memory.take<W>(kRelationWarps * width).from(warp * width);
  const auto gradient = memory.take<W>(kRelationWarps * width).from(warp * width);
  // Type t belongs to lane t % 32.
  const auto byKey = memory.take<W>(kRelationWarps * types).from(warp * types);
  const auto byValue = memory.take<W>(kRelationWarps * types).from(warp * types);
  const std::int64_t i = begin + warp;
  const bool active = i < head.count;
  W along = 0, stat = 0;
  if (active) {
    loadRow<T>(query, call.projected + head.at(call, i, 0), width);
    loadRow<T>(gradient, call.outGradient + head.outAt(call, i), width);
    for (unsigned column = lane; column < width; column += kLanes)
      along += widened(call.outGradient[head.outAt(call, i) + column]) *
               widened(call.out[head.outAt(call, i) + column]);
    along = sumOfWarp(along);
    stat = call.stats[head.statAt(call, i)];
    for (unsigned type = lane; type < types; type += kLanes) byKey[type] = byValue[type] = W(0);
  }
  W sums[kColumns] = {};
  for (std::int64_t first = 0; first < head.count; first += kLanes) {
    __syncthreads();
    loadTile<T>(keys, call.projected + head.at(call, first, 1), head.stride, head.count - first, width);
    loadTile<T>(values, call.projected + head.at(call, first, 2), head.stride, head.count - first, width);
    __syncthreads();
    if (!active) continue;
    const std::int64_t key = first + lane;
    const bool visible = key < head.count && !(call.causal && key > i);
    const unsigned id = key < head.count ? head.ids[i * head.count + key] : 0u;
    W kept = 0, ofScore = 0;
    if (visible) {
      const W score =
          productWith<T>(query, keys.from(lane * (width + 1)), call.relationKeys + id * width, width);
      const W p = exponentialOf(call.scale * score - stat), stays = head.kept(call, i, key);
      const W ofP = stays * productWith<T>(gradient, values.from(lane * (width + 1)),
                                           call.relationValues + id * width, width);
      kept = p * stays;
      ofScore = call.scale * p * (ofP - along);
    }
    for (unsigned other = 0; other < kLanes; ++other) {
      const W factor = __shfl_sync(kAllLanes, ofScore, static_cast<int>(other));
      const W share = __shfl_sync(kAllLanes, kept, static_cast<int>(other));
      const unsigned type = __shfl_sync(kAllLanes, id, static_cast<int>(other));
      if (type % kLanes == lane) {
        byKey[type] += factor;
        byValue[type] += share;
      }
      const T* table = call.relationKeys + type * width;
      for (int k = 0; k < kColumns; ++k) {
        const unsigned column = lane + static_cast<unsigned>(k) * kLanes;
        if (column < width) sums[k] += factor * (keys[other * (width + 1) + column] + widened(table[column]));
      }
    }
  }
  if (!active) return;
  for (int k = 0; k < kColumns; ++k) {
    const unsigned column = lane + static_cast<unsigned>(k) * kLanes;
    if (column < width) call.projectedGradient[head.at(call, i, 0) + column] = narrowed<T>(sums[k]);
  }
  const std::int64_t shares = head.statAt(call, i) * call.types;
  for (unsigned type = lane; type < types; type += kLanes) {
    call.byKey[shares + type] = byKey[type];
    call.byValue[shares + type] = byValue[type];
  }
  if (lane == 0) call.along[head.statAt(call, i)] = along;
}

// Of keys and values: a warp has a key, a lane one of 32 queries.
template <typename T>
__global__ void __launch_bounds__(kRelationThreads) relationByKey(RelationRowsOf<T> call) {
  using W = Wide<T>;
  const RelationHead<T> head(call);
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.y) * kRelationWarps;
  if (begin >= head.count) return;
  const auto width = static_cast<unsigned>(call.width);
  const unsigned lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  SharedMemory memory;
  const auto queries = memory.take<W>(kLanes * (width + 1)), gradients = memory.take<W>(kLanes * (width + 1));
  const auto ownKey = memory.take<W>(kRelationWarps * width).from(warp * width);
  const auto ownValue = memory.take<W>(kRelationWarps * width).from(warp * width);
  const std::int64_t j = begin + warp;
  const bool active = j < head.count;
  if (active) {
    loadRow<T>(ownKey, call.projected + head.at(call, j, 1), width);
    loadRow<T>(ownValue, call.projected + head.at(call, j, 2), width);
  }
  W ofKey[kColumns] = {}, ofValue[kColumns] = {};
  for (std::int64_t first = 0; first < head.count; first += kLanes) {
    __syncthreads();
    loadTile<T>(queries, call.projected + head.at(call, first, 0), head.stride, head.count - first, width);
    loadTile<T>(gradients, call.outGradient + head.outAt(call, first), call.heads * call.width,
                head.count - first, width);
    __syncthreads();
    if (!active) continue;
    const std::int64_t query = first + lane;
    W kept = 0, ofScore = 0;
    if (query < head.count && !(call.causal && j > query)) {
      const unsigned id = head.ids[query * head.count + j];
      const T *keyTable = call.relationKeys + id * width, *valueTable = call.relationValues + id * width;
      const auto queryRow = queries.from(lane * (width + 1)),
                 gradientRow = gradients.from(lane * (width + 1));
      const W p = exponentialOf(call.scale * productWith<T>(queryRow, ownKey, keyTable, width) -
                                call.stats[head.statAt(call, query)]);
      const W stays = head.kept(call, query, j);
      const W ofP = stays * productWith<T>(gradientRow, ownValue, valueTable, width);
      kept = p * stays;
      ofScore = call.scale * p * (ofP - call.along[head.statAt(call, query)]);
    }
    for (unsigned other = 0; other < kLanes; ++other) {
      const W factor = __shfl_sync(kAllLanes, ofScore, static_cast<int>(other));
      const W share = __shfl_sync(kAllLanes, kept, static_cast<int>(other));
      for (int k = 0; k < kColumns; ++k) {
        const unsigned column = lane + static_cast<unsigned>(k) * kLanes;
        if (column >= width) continue;
        ofKey[k] += factor * queries[other * (width + 1) + column];
        ofValue[k] += share * gradients[other * (width + 1) + column];
      }
    }
  }
  if (!active) return;
  for (int k = 0; k < kColumns; ++k) {
    const unsigned column = lane + static_cast<unsigned>(k) * kLanes;
    if (column >= width) continue;
    call.projectedGradient[head.at(call, j, 1) + column] = narrowed<T>(ofKey[k]);
    call.projectedGradient[head.at(call, j, 2) + column] = narrowed<T>(ofValue[k]);
  }
}

template <typename T>
RelationRowsOf<T> relationRows(const RelationAttentionCall& call,
                               const RelationAttentionGradients& gradients) {
  using W = Wide<T>;
  RelationRowsOf<T> rows{};
  rows.heads = call.heads;
  rows.width = call.width;
  rows.types = call.types;
  rows.projected = static_cast<const T*>(call.projected);
  rows.relationKeys = static_cast<const T*>(call.relationKeys);
  rows.relationValues = static_cast<const T*>(call.relationValues);
  rows.ids = call.ids;
  rows.idStarts = call.idStarts;
  rows.spans = call.spans;
  rows.scale = static_cast<W>(call.scale);
  rows.keptScale =
      std::is_same_v<T, double> ? static_cast<W>(call.wideScale) : static_cast<W>(call.mask.scale);
  rows.causal = call.causal;
  rows.mask = call.mask.taken();
  rows.maskLength = call.maskLength;
  rows.out = static_cast<T*>(call.out);
  rows.stats = static_cast<W*>(call.stats);
  rows.outGradient = static_cast<const T*>(gradients.out);
  rows.projectedGradient = static_cast<T*>(gradients.projected);
  rows.byKey = static_cast<W*>(gradients.byKey);
  rows.byValue = static_cast<W*>(gradients.byValue);
  rows.along = static_cast<W*>(gradients.along);
  return rows;
}

template <typename T>
LaunchShape relationShape(const RelationAttentionCall& call, unsigned rowsOfHeads, unsigned typesOfHeads) {
  using W = Wide<T>;
  const auto width = static_cast<unsigned>(call.width);
  LaunchShape shape;
  shape.threads = kRelationThreads;
  shape.blocks = call.sequences * call.heads;
  shape.blocksY = static_cast<unsigned>((call.longest + kRelationWarps - 1) / kRelationWarps);
  shape.sharedBytes =
      2 * SharedMemory::bytesOf<W>(kLanes * (width + 1)) +
      rowsOfHeads * SharedMemory::bytesOf<W>(kRelationWarps * width) +
      typesOfHeads * SharedMemory::bytesOf<W>(kRelationWarps * static_cast<unsigned>(call.types));
  return shape;
}

template <typename T>
int launchRelations(const RelationAttentionCall& call, void* stream) {
  return launchKernel(relationForward<T>, relationShape<T>(call, 1, 0), stream, relationRows<T>(call, {}));
}

template <typename T>
int launchRelationGradients(const RelationAttentionCall& call, const RelationAttentionGradients& gradients,
                            void* stream) {
  const RelationRowsOf<T> rows = relationRows<T>(call, gradients);
  if (const int error = launchKernel(relationByQuery<T>, relationShape<T>(call, 2, 2), stream, rows))
    return error;
  return launchKernel(relationByKey<T>, relationShape<T>(call, 2, 0), stream, rows);
}

#if FATHOM_KERNEL_PART != 2
bool relationsFit(const RelationAttentionCall& call) {
  return call.width >= 1 && call.width <= kWidestRelationHead && call.types >= 1 &&
         call.types <= kMostRelations && call.heads >= 1 &&
         call.longest <= 65535 * static_cast<std::int64_t>(kRelationWarps);
}
#endif

}  // namespace

#if FATHOM_KERNEL_PART != 2
int launchRelationAttention(const RelationAttentionCall& call, void* stream) {
  if (!relationsFit(call)) return kInvalidCall;
  if (call.sequences < 1 || call.longest < 1) return 0;
  switch (call.format) {
    case NumberFormat::Float32:
      return launchRelations<float>(call, stream);
    case NumberFormat::BFloat16:
      return launchRelations<BFloat16>(call, stream);
    case NumberFormat::Float64:
      return launchRelationAttention64(call, stream);
  }
  return kInvalidCall;
}

int launchRelationAttentionBackward(const RelationAttentionCall& call,
                                    const RelationAttentionGradients& gradients, void* stream) {
  if (!relationsFit(call)) return kInvalidCall;
  if (call.sequences < 1 || call.longest < 1) return 0;
  switch (call.format) {
    case NumberFormat::Float32:
      return launchRelationGradients<float>(call, gradients, stream);
    case NumberFormat::BFloat16:
      return launchRelationGradients<BFloat16>(call, gradients, stream);
    case NumberFormat::Float64:
      return launchRelationAttentionBackward64(call, gradients, stream);
  }
  return kInvalidCall;
}

namespace {
const KernelRegistration kRelationAttentionRegistration(kRelationAttentionPass, launchRelationAttention);
const KernelRegistration kRelationAttentionBackwardRegistration(kRelationAttentionBackwardPass, launchRelationAttentionBackward);
}  // namespace
#endif
#if FATHOM_KERNEL_PART != 1
int launchRelationAttention64(const RelationAttentionCall& call, void* stream) {
  return launchRelations<double>(call, stream);
}
int launchRelationAttentionBackward64(const RelationAttentionCall& call,
                                      const RelationAttentionGradients& gradients, void* stream) {
  return launchRelationGradients<double>(call, gradients, stream);
}
#endif

}  // namespace fathom
