// SPDX-License-Identifier: Apache-2.0
// Compiled without ThreadSanitizer even where the kernels are compiled with it: what this file does in the
// place of a card is not to order the threads of a kernel. Their fibers are switched without synchronisation;
// barriers alone release and acquire. FATHOM_EXECUTOR_TSAN and FATHOM_EXECUTOR_ASAN say which sanitizer the
// kernels have.
#include "core/kernels/host/executor.h"

#include <sys/mman.h>

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "core/kernels/host/block_memory.h"
#include "core/kernels/host/judges.h"

namespace fathom::executor {

namespace {

enum class Waits { Nothing, Block, Warp, Exchange, Ballot };

const char* nameOf(Waits waits) {
  switch (waits) {
    case Waits::Block:
      return "__syncthreads";
    case Waits::Warp:
      return "__syncwarp";
    case Waits::Exchange:
      return "a shuffle";
    case Waits::Ballot:
      return "a vote";
    case Waits::Nothing:
      break;
  }
  return "nothing";
}

struct Thread {
  ThreadPlace place;
  unsigned index = 0;  // in its block
  boost::context::fiber fiber, back;
  char* stack = nullptr;
  void* watched = nullptr;    // TSan's fiber
  void* fakeStack = nullptr;  // ASan's
  Waits waits = Waits::Nothing;
  CallSite site{"", 0};
  unsigned mask = 0;  // lanes of the warp operation that it waits for
  int source = -1;
  std::uint64_t value = 0, received = 0;
  unsigned blockPhase = 0, warpPhase = 0;
  std::size_t takes = 0;
  bool ended = false;
};

unsigned laneOf(const Thread& thread) {
  return 1u << (thread.index % kWarp);
}

// SplitMix64: the order of threads.
std::uint64_t nextRandom(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
// One of so many, less than 2^32, without a division: it is drawn for every step of every thread.
std::size_t randomBelow(std::size_t count, std::uint64_t& state) {
  return (nextRandom(state) >> 32) * count >> 32;
}

// Fibers of TSan that have ended. It gives what it knows of an ended one to the next that begins, who would
// then count as the same thread: they stay for as long as it has room for others.
class EndedFibers {
 public:
  void add(void* fiber) {
    if (fiber == nullptr) return;
    m_fibers.push_back(fiber);
    if (m_fibers.size() <= kMostKept) return;
    judges::endFiber(m_fibers.front());
    m_fibers.pop_front();
  }
  void clear() {
    for (void* fiber : m_fibers) judges::endFiber(fiber);
    m_fibers.clear();
  }

 private:
  static constexpr std::size_t kMostKept = 4096;
  std::deque<void*> m_fibers;
};

struct NoDeallocation {
  void deallocate(boost::context::stack_context&) noexcept {}
  boost::context::stack_context allocate() { return {}; }
};

class Grid {
 public:
  // Blocks from `first` to before `last`. Where the judge watches order each has fresh shared memory: no two
  // had the same cell.
  Grid(Body body, const void* call, const LaunchShape& shape, std::uint64_t seed, Stacks& stacks,
       std::int64_t first, std::int64_t last)
      : m_body(body),
        m_call(call),
        m_shape(shape),
        m_random(seed),
        m_stacks(stacks),
        m_first(first),
        m_blocks(static_cast<std::size_t>(last - first) * shape.blocksY),
        m_shared(shape.sharedBytes, judges::kWatchesOrder ? m_blocks : 1) {}

  void run();

  Thread* running = nullptr;

  void wait(Thread& thread, Waits waits, CallSite site);
  SharedArrays& shared() { return m_shared; }
  void* blockSync(unsigned phase) { return &m_blockSync[2 * m_ordinal + phase % 2]; }
  void* warpSync(const Thread& thread) {
    return &m_warpSync[(2 * m_ordinal + thread.warpPhase % 2) * kMostThreads / kWarp + thread.index / kWarp];
  }
  unsigned threadCount() const { return m_shape.threads; }

 private:
  void runBlock(std::int64_t block);
  void start(Thread& thread);
  void resume(Thread& thread);
  void end(Thread& thread);
  bool releaseBlock();
  bool releaseWarp(const Thread& arrived);
  void settleWarp(unsigned firstLane, const Thread& one);
  [[noreturn]] void refuseStuck();
  template <typename Each>
  void shuffled(std::size_t count, Each each);

  Body m_body;
  const void* m_call;
  LaunchShape m_shape;
  std::uint64_t m_random;
  Stacks& m_stacks;
  std::int64_t m_first;
  std::size_t m_blocks;
  SharedArrays m_shared;
  char* m_freshStacks = nullptr;  // of all threads of the grid, where the judge watches order
  std::size_t m_stacksTaken = 0;
  std::vector<Thread> m_threads;
  EndedFibers m_endedFibers;
  std::vector<unsigned> m_ready;
  std::vector<unsigned> m_waitingLanes, m_endedLanes;  // a bit for each lane of a warp
  unsigned m_ended = 0, m_atBlockBarrier = 0;
  std::size_t m_ordinal = 0;                  // of the block, in the order of running
  std::vector<char> m_blockSync, m_warpSync;  // addresses that stand for barriers
  char m_gridEnd = 0;
  void* m_hostFiber = nullptr;
  const void* m_hostBottom = nullptr;
  std::size_t m_hostSize = 0;
};

std::mutex launches;
std::uint64_t orderSeed = 1;
std::int64_t firstBlock = 0, lastBlock = -1;
// Asked by every word of a kernel: found without a call of the loader.
[[gnu::tls_model("initial-exec")]] thread_local Grid* grid = nullptr;

Thread& self() {
  if (grid == nullptr || grid->running == nullptr) {
    std::fprintf(stderr, "executor: a word of a kernel was said outside of one\n");
    std::abort();
  }
  return *grid->running;
}

template <typename Each>
void Grid::shuffled(std::size_t count, Each each) {
  std::vector<std::int64_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::int64_t>(i);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[randomBelow(i, m_random)]);
  for (const std::int64_t one : order) each(one);
}

void Grid::run() {
  m_hostFiber = judges::thisFiber();
  const std::size_t stackBytes = judges::kWatchesOrder ? m_blocks * m_shape.threads * kStackBytes : 0;
  if (stackBytes > 0) m_freshStacks = mapped(stackBytes);
  m_threads.resize(m_shape.threads);
  m_blockSync.resize(2 * m_blocks);
  m_warpSync.resize(2 * m_blocks * kMostThreads / kWarp);
  shuffled(m_blocks, [&](std::int64_t block) {
    runBlock(m_first * m_shape.blocksY + block);
    ++m_ordinal;
  });
  judges::acquire(&m_gridEnd);
  m_endedFibers.clear();
  if (stackBytes > 0) ::munmap(m_freshStacks, stackBytes);
}

void Grid::runBlock(std::int64_t block) {
  m_shared.begin(m_ordinal);
  m_ended = m_atBlockBarrier = 0;
  m_ready.clear();
  const std::size_t warps = (m_shape.threads + kWarp - 1) / kWarp;
  m_waitingLanes.assign(warps, 0);
  m_endedLanes.assign(warps, 0);
  for (unsigned i = 0; i < m_shape.threads; ++i) {
    Thread& thread = m_threads[i];
    thread = Thread{};
    thread.index = i;
    const auto x = static_cast<unsigned>(block / m_shape.blocksY),
               y = static_cast<unsigned>(block % m_shape.blocksY);
    thread.place = {{i, 0, 0},
                    {x, y, 0},
                    {m_shape.threads, 1, 1},
                    {static_cast<unsigned>(m_shape.blocks), m_shape.blocksY, 1}};
    start(thread);
    m_ready.push_back(i);
  }
  while (m_ended < m_shape.threads) {
    if (m_ready.empty()) refuseStuck();
    const std::size_t chosen = randomBelow(m_ready.size(), m_random);
    Thread& thread = m_threads[m_ready[chosen]];
    m_ready[chosen] = m_ready.back();
    m_ready.pop_back();
    resume(thread);
    if (thread.ended) {
      end(thread);
    } else {
      m_waitingLanes[thread.index / kWarp] |= laneOf(thread);
      if (thread.waits == Waits::Block)
        ++m_atBlockBarrier;
      else
        releaseWarp(thread);
    }
    releaseBlock();
  }
}

void Grid::start(Thread& thread) {
  // Two threads on one stack, one after the other, would look like a race.
  thread.stack = m_freshStacks != nullptr ? m_freshStacks + m_stacksTaken++ * kStackBytes : m_stacks.take();
  thread.watched = judges::newFiber();
  boost::context::stack_context context;
  context.sp = thread.stack + kStackBytes;
  context.size = kStackBytes;
  const boost::context::preallocated place(context.sp, context.size, context);
  thread.fiber = boost::context::fiber(std::allocator_arg, place, NoDeallocation(),
                                       [this, &thread](boost::context::fiber&& back) {
                                         judges::enterStack(nullptr, &m_hostBottom, &m_hostSize);
                                         thread.back = std::move(back);
                                         m_body(m_call);
                                         thread.ended = true;
                                         judges::release(&m_gridEnd);
                                         judges::switchTo(m_hostFiber);
                                         judges::leaveStack(nullptr, m_hostBottom, m_hostSize);
                                         return std::move(thread.back);
                                       });
}

void Grid::resume(Thread& thread) {
  running = &thread;
  thread.waits = Waits::Nothing;
  void* fakeStack = nullptr;
  judges::leaveStack(&fakeStack, thread.stack, kStackBytes);
  judges::switchTo(thread.watched);
  thread.fiber = std::move(thread.fiber).resume();
  judges::enterStack(fakeStack, nullptr, nullptr);
  running = nullptr;
}

// Called on the thread's fiber; returns when what it waits for has come.
void Grid::wait(Thread& thread, Waits waits, CallSite site) {
  thread.waits = waits;
  thread.site = site;
  judges::switchTo(m_hostFiber);
  judges::leaveStack(&thread.fakeStack, m_hostBottom, m_hostSize);
  thread.back = std::move(thread.back).resume();
  judges::enterStack(thread.fakeStack, &m_hostBottom, &m_hostSize);
}

void Grid::end(Thread& thread) {
  ++m_ended;
  m_endedFibers.add(thread.watched);
  if (m_freshStacks == nullptr) m_stacks.give(thread.stack);
  const unsigned warp = thread.index / kWarp;
  m_endedLanes[warp] |= laneOf(thread);
  for (unsigned left = m_waitingLanes[warp]; left != 0; left &= left - 1) {  // some may wait for it
    const Thread& other = m_threads[warp * kWarp + static_cast<unsigned>(__builtin_ctz(left))];
    if ((other.mask & laneOf(thread)) != 0 && other.waits != Waits::Block)
      refuse("a lane that the mask names has ended", other.site);
  }
}

// All at one barrier go on; whoever ended or stands at another one breaks CUDA's rules.
bool Grid::releaseBlock() {
  if (m_atBlockBarrier == 0 || m_atBlockBarrier + m_ended < m_shape.threads) return false;
  const CallSite* site = nullptr;
  for (const Thread& thread : m_threads) {
    if (thread.ended) continue;
    if (m_ended > 0)
      refuse("__syncthreads is not reached by every thread of the block: some have ended", thread.site);
    if (site != nullptr &&
        (site->line != thread.site.line || std::strcmp(site->file, thread.site.file) != 0)) {
      std::fprintf(stderr, "executor: a thread waits at %s:%d\n", site->file, site->line);
      refuse("threads of a block meet at different barriers", thread.site);
    }
    site = &thread.site;
  }
  for (Thread& thread : m_threads) {
    thread.waits = Waits::Nothing;
    m_ready.push_back(thread.index);
  }
  std::fill(m_waitingLanes.begin(), m_waitingLanes.end(), 0);
  m_atBlockBarrier = 0;
  return true;
}

// The lanes of the mask go on when the last of them has come.
bool Grid::releaseWarp(const Thread& arrived) {
  const unsigned warp = arrived.index / kWarp, first = warp * kWarp;
  if ((arrived.mask & laneOf(arrived)) == 0)
    refuse("the mask of a warp operation does not name its caller", arrived.site);
  const unsigned lanes = std::min(kWarp, m_shape.threads - first);
  if (lanes < kWarp && arrived.mask >> lanes != 0)
    refuse("the mask names a lane that the block does not have", arrived.site);
  if ((arrived.mask & m_endedLanes[warp]) != 0) refuse("a lane that the mask names has ended", arrived.site);
  if ((arrived.mask & ~m_waitingLanes[warp]) != 0) return false;  // some are on their way
  for (unsigned left = arrived.mask; left != 0; left &= left - 1) {
    const Thread& other = m_threads[first + static_cast<unsigned>(__builtin_ctz(left))];
    if (other.waits == arrived.waits && other.mask == arrived.mask && other.site.line == arrived.site.line)
      continue;
    if (other.waits == Waits::Block || other.mask == arrived.mask) {
      std::fprintf(stderr, "executor: a lane that the mask names waits for %s at %s:%d\n",
                   nameOf(other.waits), other.site.file, other.site.line);
      refuse("lanes of a warp meet at different operations", arrived.site);
    }
    return false;
  }
  settleWarp(first, arrived);
  return true;
}

void Grid::settleWarp(unsigned firstLane, const Thread& one) {
  const unsigned mask = one.mask;
  const Waits waits = one.waits;
  unsigned votes = 0;
  for (unsigned lane = 0; lane < kWarp; ++lane)
    if ((mask >> lane & 1u) != 0 && m_threads[firstLane + lane].value != 0) votes |= 1u << lane;
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    Thread& thread = m_threads[firstLane + lane];
    if (waits == Waits::Exchange) {
      const bool own = thread.source < 0;
      if (!own && (thread.source >= static_cast<int>(kWarp) || (mask >> thread.source & 1u) == 0))
        refuse("a shuffle reads from a lane that does not take part", thread.site);
      thread.received =
          own ? thread.value : m_threads[firstLane + static_cast<unsigned>(thread.source)].value;
    } else if (waits == Waits::Ballot) {
      thread.received = votes;
    }
    m_ready.push_back(thread.index);
  }
  for (unsigned lane = 0; lane < kWarp; ++lane)  // released ones wait no longer, whatever order they run in
    if ((mask >> lane & 1u) != 0) m_threads[firstLane + lane].waits = Waits::Nothing;
  m_waitingLanes[firstLane / kWarp] &= ~mask;
}

void Grid::refuseStuck() {
  const Thread* shown = nullptr;
  for (const Thread& thread : m_threads) {
    if (thread.ended) continue;
    if (shown == nullptr || thread.site.line != shown->site.line)
      std::fprintf(stderr, "executor: thread %u waits for %s at %s:%d\n", thread.index, nameOf(thread.waits),
                   thread.site.file, thread.site.line);
    shown = &thread;
  }
  refuse("a barrier is not reached by every thread", shown->site);
}

}  // namespace

const ThreadPlace& place() {
  return self().place;
}

void setOrder(std::uint64_t seed) {
  orderSeed = seed;
}

void onlyBlocks(std::int64_t first, std::int64_t last) {
  firstBlock = first;
  lastBlock = last;
}

void runGrid(Body body, const void* call, const LaunchShape& shape) {
  static Stacks stacks;
  const std::lock_guard lock(launches);
  const CallSite here{"a launch", 0};
  if (shape.threads == 0 || shape.threads > kMostThreads) refuse("a block has 1 to 1024 threads", here);
  if (shape.blocks < 1 || shape.blocks > 0x7FFFFFFF || shape.blocksY < 1 || shape.blocksY > 65535)
    refuse("a grid has 1 to 2^31 - 1 blocks, 65535 in its second direction", here);
  if (shape.sharedBytes > kMostShared) refuse("a block has at most 227 KB of shared memory", here);
  Grid one(body, call, shape, orderSeed, stacks, lastBlock < 0 ? 0 : firstBlock,
           lastBlock < 0 ? shape.blocks : lastBlock);
  grid = &one;
  one.run();
  grid = nullptr;
}

// Two objects by turns: who is late at one barrier must not learn of what others did behind it.
void syncBlock(CallSite site) {
  Thread& thread = self();
  judges::release(grid->blockSync(thread.blockPhase));
  grid->wait(thread, Waits::Block, site);
  judges::acquire(grid->blockSync(thread.blockPhase));
  ++thread.blockPhase;
}

void syncWarp(unsigned mask, CallSite site) {
  Thread& thread = self();
  thread.mask = mask;
  judges::release(grid->warpSync(thread));
  grid->wait(thread, Waits::Warp, site);
  judges::acquire(grid->warpSync(thread));
  ++thread.warpPhase;
}

std::uint64_t exchange(unsigned mask, std::uint64_t value, int source, CallSite site) {
  Thread& thread = self();
  thread.mask = mask;
  thread.value = value;
  thread.source = source;
  grid->wait(thread, Waits::Exchange, site);
  return thread.received;
}

unsigned ballot(unsigned mask, bool vote, CallSite site) {
  Thread& thread = self();
  thread.mask = mask;
  thread.value = vote ? 1 : 0;
  grid->wait(thread, Waits::Ballot, site);
  return static_cast<unsigned>(thread.received);
}

void* takeShared(std::size_t bytes) {
  return grid->shared().take(self().takes++, bytes);
}

void noteWritten(const void* data, std::size_t bytes) {
  grid->shared().noteWritten(data, bytes);
}

void requireWritten(const void* data, std::size_t bytes) {
  if (!grid->shared().wereWritten(data, bytes))
    refuse("shared memory is read that nobody wrote", {"shared memory", 0});
}

}  // namespace fathom::executor
