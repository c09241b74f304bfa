// SPDX-License-Identifier: Apache-2.0
// The only source that sees Gloo's own headers: those of the system serve for compiling alone, the code is
// LibTorch's. No object of Gloo is touched here.
#include "core/train/parallel/gloo_exchange.h"

#include "core/base/errors/phrase.h"

#if __has_include(<gloo/context.h>)
#define USE_C10D_GLOO
#include <ATen/Functions.h>
#include <c10/util/Logging.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <utility>

#include "core/base/files/process_identity.h"
#include "core/base/threads/thread_start.h"
#include "core/train/parallel/device_sum.h"
#include "core/train/parallel/nccl_plugin.h"
#include "core/train/parallel/network_way.h"
#include "core/train/parallel/rank_devices.h"
#include "core/train/parallel/rank_watch.h"
#include "core/train/parallel/store_thread.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kStrongestWish = 2;

milliseconds inMilliseconds(double seconds) {
  return milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

// Warnings of c10d hold LibTorch's stack; what they mean is told by the ends of the ranks.
void silenceWarnings() {
  if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr)
    FLAGS_caffe2_log_level = std::max<int>(FLAGS_caffe2_log_level, c10::GLOG_ERROR);
}

// While somebody waits in a connection nobody else is answered there.
c10::intrusive_ptr<c10d::Store> ownConnection(const c10::intrusive_ptr<c10d::Store>& store,
                                              const char* prefix) {
  return c10::make_intrusive<c10d::PrefixStore>(prefix, store->clone());
}

class GlooExchange final : public GradientExchange {
 public:
  GlooExchange(const Ranks& ranks, const ParallelSettings& settings, StarterWatch watch)
      : m_ranks(ranks), m_settings(settings) {
    silenceWarnings();
    openStore(std::move(watch));
    try {
      findOthers();
    } catch (const RankLost& lost) {
      leaveUnmet({lost.error(), true});
      throw;
    } catch (const OtherRankFailed& failed) {
      leaveUnmet({failed.error(), true});
      throw;
    } catch (const Failure& failure) {
      leaveUnmet({failure.error(), false});
      throw;
    }
  }

  int rank() const override { return m_ranks.rank; }
  int size() const override { return m_ranks.size; }
  std::string way() const override { return m_sum ? m_way + " and NCCL on " + m_device.str() : m_way; }

  void useDevice(const torch::Device& device) override {
    if (device == m_device) return;
    const NcclPlugin& plugin = ncclPlugin();
    if (plugin.table == nullptr) throw Failure(withoutNccl(device.str(), plugin.reason));
    m_sum = made<std::shared_ptr<DeviceSum>>(
        [shared = m_store->store(), table = plugin.table, ranks = m_ranks, settings = m_settings,
         index = device.index()] {
          const c10::intrusive_ptr<c10d::Store> store = ownConnection(shared, "nccl");
          const NcclPlace place{&store,
                                ranks.rank,
                                ranks.size,
                                index,
                                RankWatch::quiet(inMilliseconds(settings.timeout)).count(),
                                settings.interface.c_str()};
          return std::make_shared<DeviceSum>(*table, place, settings.ordered);
        },
        [&](const std::string& words) { notJoined(device, words); });
    m_device = device;
  }

  void launch(const torch::Tensor& flat) override {
    if (flat.device() != m_device)
      throw Failure(internalError(Phrase::tr("%1 adds tensors of %2, not of %3")(
          m_sum ? "NCCL" : "Gloo", m_device.str(), flat.device().str())));
    said([&] {
      if (m_sum) return m_sum->add(flat);
      std::vector<at::Tensor> tensors{flat};
      if (!m_settings.ordered) {
        m_launched.push_back({flat, {}, m_group->allreduce(tensors)});
        return;
      }
      std::vector<std::vector<at::Tensor>> all(1);
      for (int i = 0; i < size(); ++i) all.front().push_back(at::empty_like(flat));
      m_launched.push_back({flat, all.front(), m_group->allgather(all, tensors)});
    });
  }

  void finish() override {
    const at::NoGradGuard noGrad;
    said([&] {
      if (m_sum) awaitSums();
      for (Launched& one : m_launched) {
        one.work->wait();
        if (one.all.empty()) continue;
        one.flat.copy_(one.all.front());
        for (std::size_t i = 1; i < one.all.size(); ++i) one.flat.add_(one.all[i]);
      }
    });
    m_launched.clear();
  }

  std::vector<std::vector<double>> gather(const std::vector<double>& mine) override {
    std::vector<at::Tensor> input{at::tensor(mine, at::kDouble)};
    std::vector<std::vector<at::Tensor>> outputs(1);
    for (int i = 0; i < size(); ++i) outputs.front().push_back(at::empty_like(input.front()));
    said([&] { m_group->allgather(outputs, input)->wait(); });
    std::vector<std::vector<double>> all;
    for (const at::Tensor& output : outputs.front()) {
      const double* at = output.const_data_ptr<double>();
      all.emplace_back(at, at + output.numel());
    }
    return all;
  }

  std::string fromFirst(const std::string& text) override {
    m_watch->raiseFound();
    const std::string key = "first/" + std::to_string(m_talks++);
    if (rank() == 0) {
      said([&] { m_store->set(key, text, patience()); });
      return text;
    }
    return wordsAt(key, 0);
  }

  std::vector<std::string> collect(const std::string& mine) override {
    m_watch->raiseFound();
    const std::string key = "all/" + std::to_string(m_talks++) + "/";
    said([&] { m_store->set(key + own(), mine, patience()); });
    std::vector<std::string> all;
    for (int i = 0; i < size(); ++i) all.push_back(i == rank() ? mine : wordsAt(key + std::to_string(i), i));
    return all;
  }

  int strongestWish(int wish) override {
    const milliseconds brief = RankWatch::brief(inMilliseconds(m_settings.timeout));
    if (wish > m_wish) m_store->set(wishKey(wish), own(), brief);
    m_wish = std::max(wish, m_wish);
    for (int strength = kStrongestWish; strength > m_wish; --strength)
      if (m_store->has(wishKey(strength), brief)) m_wish = strength;
    return m_wish;
  }

  bool someoneGone() override { return m_watch->look(); }

  void leave(const RankEnd& end) override {
    if (m_sum) m_sum->breakOff();
    m_watch->leave(end);
  }

  std::string nameOf(int rank) const override { return m_watch->nameOf(rank); }

 private:
  struct Launched {
    torch::Tensor flat;
    std::vector<torch::Tensor> all;  // of every rank, where they are added in order
    c10::intrusive_ptr<c10d::Work> work;
  };

  std::string own() const { return std::to_string(m_ranks.rank); }
  milliseconds beat() const { return RankWatch::beat(inMilliseconds(m_settings.timeout)); }
  milliseconds patience() const { return RankWatch::quiet(inMilliseconds(m_settings.timeout)); }
  static std::string wishKey(int strength) { return "wish/" + std::to_string(strength); }

  void findOthers() {
    const std::string address = chooseWay();
    const std::vector<std::string> names = collect(hostName());
    m_watch->setMachines(names);
    agreeOnAddresses(address, names);
    makeGroup();
  }

  // Told before it ends, and to all of them: the store ends with rank 0.
  void leaveUnmet(const RankEnd& end) {
    m_watch->leave(end);
    if (m_ranks.first() && !m_ranks.metElsewhere) m_watch->awaitOthers();
  }

  void openStore(StarterWatch watch) {
    // A name that nobody knows is told at once; the store would ask again and again.
    if (m_ranks.starter != Ranks::Starter::Ourselves) addressTowards(m_ranks.address, m_ranks.port).value();
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(m_ranks.port);
    options.isServer = m_ranks.first() && !m_ranks.metElsewhere;
    options.waitWorkers = false;
    options.multiTenant = true;
    options.timeout = inMilliseconds(m_settings.timeout);
    // Without a word to say otherwise the store would listen on every address of the machine.
    if (options.isServer && m_ranks.starter == Ranks::Starter::Ourselves)
      options.masterListenFd = listenHere(m_ranks.address).value();
    c10::intrusive_ptr<c10d::TCPStore> store;
    const std::string words =
        thrownBy([&] { store = c10::make_intrusive<c10d::TCPStore>(m_ranks.address, options); });
    if (!store)
      throw Failure(unavailableError(
          Phrase::tr("the ranks cannot meet at %1, port %2: %3")(m_ranks.address, m_ranks.port, words),
          Phrase::tr("choose a free port and a machine that all of them reach")));
    m_ranks.port = store->getPort();
    m_store =
        std::make_unique<StoreThread>(c10::make_intrusive<c10d::PrefixStore>("fathom/" + m_ranks.life, store),
                                      RankWatch::heartKey(rank()), beat());
    if (options.isServer) watch.serving(m_ranks.port);
    m_watch =
        std::make_unique<RankWatch>(*m_store, std::move(watch), m_ranks, inMilliseconds(m_settings.timeout));
  }

  // The interface that was named, or the own address that leads to rank 0; the address.
  std::string chooseWay() {
    const char* named = std::getenv("GLOO_SOCKET_IFNAME");
    m_interface = m_settings.interface.empty() && named != nullptr ? named : m_settings.interface;
    if (m_interface.empty()) return m_way = addressTowards(m_ranks.address, m_ranks.port).value();
    checkInterface(m_interface).value();
    m_way = m_interface;
    return interfaceAddress(m_interface);
  }

  // Machines often know themselves by an address that they alone reach: between several of them the address
  // that leads to another one counts.
  void agreeOnAddresses(const std::string& mine, const std::vector<std::string>& names) {
    const std::vector<std::string> all = collect(mine);
    const auto strange = std::find_if(all.begin(), all.end(), isLoopback);
    const bool oneMachine =
        std::all_of(names.begin(), names.end(), [&](const auto& name) { return name == names[0]; });
    if (oneMachine || strange == all.end()) return;
    const auto other = std::find_if_not(all.begin(), all.end(), isLoopback);
    if (m_interface.empty() && isLoopback(mine) && other != all.end())
      m_way = addressTowards(*other, m_ranks.port).value();
    checkAddresses(collect(m_interface.empty() ? m_way : mine));
  }

  // Who names such an address all the same is waited for in vain. All ranks say so.
  void checkAddresses(const std::vector<std::string>& addresses) {
    const auto strange = std::find_if(addresses.begin(), addresses.end(), isLoopback);
    if (strange == addresses.end()) return;
    throw Failure(unavailableError(
        Phrase::tr("%1 is to be reached at %2, which no other machine reaches")(
            nameOf(static_cast<int>(strange - addresses.begin())), *strange),
        Phrase::tr(
            "name its network interface (parallel.interface), and rank 0's machine in MASTER_ADDR as the "
            "others know it")));
  }

  static Phrase otherWay() {
    return Phrase::tr(
        "name the network interface that leads from one machine to the other: parallel.interface");
  }

  std::shared_ptr<gloo::transport::Device> device() const {
    std::shared_ptr<gloo::transport::Device> device;
    const std::string words = thrownBy([&] {
      device = m_interface.empty() ? c10d::ProcessGroupGloo::createDeviceForHostname(m_way)
                                   : c10d::ProcessGroupGloo::createDeviceForInterface(m_interface);
    });
    if (device) return device;
    throw Failure(unavailableError(Phrase::tr("%1 cannot be reached by %2: %3")(nameOf(rank()), m_way, words),
                                   otherWay()));
  }

  void makeGroup() {
    const auto options = c10d::ProcessGroupGloo::Options::create(patience());
    options->devices.push_back(device());
    m_group = made<c10::intrusive_ptr<c10d::ProcessGroupGloo>>(
        [shared = m_store->store(), options, ranks = m_ranks]() mutable {
          const auto store = ownConnection(std::exchange(shared, {}), "gloo");
          return c10::make_intrusive<c10d::ProcessGroupGloo>(store, ranks.rank, ranks.size, options);
        },
        [this](const std::string& words) { lost(words); });
  }

  // By a thread, which is left alone once the time is over: where a peer has failed a group is made for ever.
  // `failed` throws, and gets the words of what `make` throws.
  template <typename Made>
  Made made(std::function<Made()> make, const std::function<void(const std::string&)>& failed) {
    struct Making {
      std::mutex mutex;
      std::condition_variable done;
      Made made;
      std::string words;
      bool ended = false;
    };
    const auto making = std::make_shared<Making>();
    std::thread maker = startThread([making, make = std::move(make)] {
      Made made;
      const std::string words = thrownBy([&] { made = make(); });
      const std::lock_guard lock(making->mutex);
      making->made = std::move(made);
      making->words = words;
      making->ended = true;
      making->done.notify_all();
    });
    const auto deadline = Clock::now() + inMilliseconds(m_settings.timeout);
    std::unique_lock lock(making->mutex);
    std::optional<GoneRank> ended;
    std::string silent;  // words of a store that does not answer
    while (!making->ended && !ended && silent.empty() && Clock::now() < deadline) {
      making->done.wait_for(lock, beat());
      silent = thrownBy([&] { ended = m_watch->gone(patience()); });
    }
    if (making->ended) {
      lock.unlock();
      maker.join();
      if (!making->made) failed(making->words);
      return making->made;
    }
    lock.unlock();
    abandonThread(std::move(maker));
    if (ended) ended->raise();
    if (!silent.empty()) failed(silent);
    const auto seconds = static_cast<std::int64_t>(m_settings.timeout);
    throw RankLost(Phrase::tr("the ranks did not find each other within %1 s")(seconds), otherWay());
  }

  // A rank that is gone, or else what NCCL does not have here.
  [[noreturn]] void notJoined(const torch::Device& device, const std::string& words) {
    if (const auto gone = m_watch->goneOrSilent()) gone->raise();
    throw Failure(unavailableError(Phrase::tr("NCCL does not join the ranks on %1: %2")(device.str(), words),
                                   Phrase::tr("NCCL_DEBUG=INFO says more; device=cpu needs no NCCL")));
  }

  // Looks for the others meanwhile: NCCL itself never ends to wait.
  void awaitSums() {
    const auto begun = Clock::now();
    auto asked = begun;
    std::chrono::microseconds pause{20};
    while (!m_sum->done()) {
      const auto now = Clock::now();
      if (now - asked > beat()) {
        asked = now;
        if (const auto gone = m_watch->gone(patience())) gone->raise();
      }
      if (now - begun > patience()) {
        const auto seconds = static_cast<std::int64_t>(m_settings.timeout);
        throw std::runtime_error("no sum of the gradients for " + std::to_string(seconds) + " s");
      }
      std::this_thread::sleep_for(pause);  // a card can only be asked
      pause = std::min(2 * pause, std::chrono::microseconds(1000));
    }
    m_sum->take();
  }

  // The value of a key that `of` will set, for as long as its heart beats.
  std::string wordsAt(const std::string& key, int of) {
    std::string text;
    said([&] {
      std::int64_t beats = m_watch->beatsOf(of, patience());
      auto heard = Clock::now(), asked = heard;
      milliseconds pause{1};
      while (!m_store->has(key, patience())) {
        if (Clock::now() - asked > beat()) {
          asked = Clock::now();
          m_watch->raiseFound();
          if (const auto gone = m_watch->gone(patience())) gone->raise();
          const std::int64_t now = m_watch->beatsOf(of, patience());
          if (now != beats) heard = asked;
          beats = now;
        }
        if (Clock::now() - heard > patience() - beat()) throw RankLost(m_watch->silence(of));
        std::this_thread::sleep_for(pause);  // a store can only be asked
        pause = std::min(2 * pause, milliseconds(50));
      }
      text = m_store->get(key, patience());
    });
    return text;
  }

  // Runs what talks to the others: where that fails a rank is lost.
  void said(const std::function<void()>& work) {
    try {
      work();
    } catch (const Failure&) {
      if (m_sum) m_sum->breakOff();
      throw;
    } catch (const c10::Error& error) {
      lost(firstLineOf(error.what_without_backtrace()));
    } catch (const std::exception& error) {
      lost(firstLineOf(error.what()));
    }
  }

  [[noreturn]] void lost(const std::string& words) {
    if (m_sum) m_sum->breakOff();
    m_watch->findLost(words, m_group ? Phrase() : otherWay());
  }

  Ranks m_ranks;
  ParallelSettings m_settings;
  std::string m_way, m_interface;  // the latter where one is named
  std::unique_ptr<StoreThread> m_store;
  std::unique_ptr<RankWatch> m_watch;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
  std::vector<Launched> m_launched;
  torch::Device m_device = torch::kCPU;  // of the tensors that are added
  std::shared_ptr<DeviceSum> m_sum;      // of a card, else null
  std::int64_t m_talks = 0;
  int m_wish = 0;  // the strongest that was told
};

}  // namespace

bool hasGloo() {
  return true;
}

std::unique_ptr<GradientExchange> joinByGloo(const Ranks& ranks, const ParallelSettings& settings,
                                             const StarterWatch& watch) {
  return std::make_unique<GlooExchange>(ranks, settings, watch);
}

}  // namespace fathom

#else

namespace fathom {

bool hasGloo() {
  return false;
}

std::unique_ptr<GradientExchange> joinByGloo(const Ranks&, const ParallelSettings&, const StarterWatch&) {
  throw Failure(
      unavailableError(Phrase::tr("this program was built without ranks: Gloo's headers were missing"),
                       Phrase::tr("install libgloo-dev and build it again")));
}

}  // namespace fathom

#endif
