// SPDX-License-Identifier: Apache-2.0
#include "core/train/graphs/update_graphs.h"

#include <c10/util/Exception.h>

#include <utility>

#include "core/base/errors/error.h"
#include "core/base/text/lines_of.h"
#include "core/nn/host_tape.h"

namespace fathom {

namespace {

constexpr std::size_t kMostGraphs = 32;
constexpr std::size_t kMostRefused = 4;  // buckets; a pass that was refused was computed twice

// Notes what a plain pass gets of the host.
class WatchingTape final : public HostTape {
 public:
  WatchingTape(UploadCheck& check, std::uint64_t seed) : m_check(check), m_seed(seed) {}
  torch::Tensor upload(const torch::Tensor& host) override {
    m_check.next(host);
    return {};
  }
  void seed(std::uint64_t, const StepContext& context, std::string_view site) override {
    if (context.seed != m_seed)
      throw Failure(unavailableError(Phrase::tr("it draws masks from a seed of their own")));
    masks.push_back({std::string(site), context.microBatch});
  }
  std::vector<MaskSite> masks;

 private:
  UploadCheck& m_check;
  std::uint64_t m_seed;
};

// In our words, or in the first line of LibTorch's.
Phrase reasonOf(const std::exception& failure) {
  if (const auto* own = dynamic_cast<const Failure*>(&failure)) return own->error().phrase();
  std::string_view line;
  LinesOf(failure.what()).next(line);
  return Phrase::words(std::string(line));
}

std::string shapeText(const torch::Tensor& tensor) {
  if (!tensor.defined()) return "-";
  std::string text = toString(tensor.scalar_type());
  for (const std::int64_t size : tensor.sizes()) text += "," + std::to_string(size);
  return text;
}

}  // namespace

UpdateGraphs::UpdateGraphs(Parts parts, bool wished, bool scales)
    : m_parts(std::move(parts)), m_on(wished), m_scales(scales), m_cache(kMostGraphs) {}

void UpdateGraphs::begin() {
  if (!m_on) return;
  if (!m_parts.onDevice) return turnOff(Phrase::tr("the processor computes each operator at once"));
  if (graphPlugin().table == nullptr) return turnOff(graphPlugin().reason);
  if (m_scales) turnOff(Phrase::tr("the loss scale of float16 is another in each update"));
}

std::optional<UpdateGraphs::Planned> UpdateGraphs::planOf(const std::vector<DeviceBatch>& batches,
                                                          const StepContext& context) const {
  Planned planned;
  planned.inputs = {batches, {}, context};
  for (const DeviceBatch& batch : batches) {
    std::optional<PassFacts> facts = m_parts.objective.passFacts(batch);
    if (!facts) return std::nullopt;
    std::string& key = planned.key;
    key += std::to_string(batch.rows()) + " " + std::to_string(batch.targetUnits);
    for (const auto& [name, array] : batch.arrays) key += " " + name + ":" + shapeText(array);
    for (const std::int64_t number : facts->numbers) key += " " + std::to_string(number);
    for (torch::Tensor& upload : facts->uploads) {
      key += " " + shapeText(upload);
      planned.inputs.uploads.push_back(std::move(upload));
    }
    key += ";";
  }
  return planned;
}

void UpdateGraphs::pass(const std::vector<DeviceBatch>& batches, const StepContext& context) {
  if (!m_on) return plain(batches, context);
  const std::optional<Planned> planned = planOf(batches, context);
  if (!planned) {
    turnOff(Phrase::tr("this task does not tell beforehand what it reads of a batch on the host"));
    return plain(batches, context);
  }
  GraphBucket& bucket = m_cache.use(planned->key);
  using State = GraphBucket::State;
  try {
    if (bucket.state == State::New) return watched(bucket, *planned);
    if (bucket.state == State::Captured) return launched(bucket, *planned);
    if (bucket.state == State::Watched && m_cache.makeRoom(bucket)) return captured(bucket, *planned);
    return plain(batches, context);
  } catch (const c10::OutOfMemoryError&) {
    if (m_cache.graphs() == 0) throw;
  }
  turnOff(Phrase::tr("the memory of the device does not hold them"));
  again(batches, context);
}

void UpdateGraphs::plain(const std::vector<DeviceBatch>& batches, const StepContext& context) {
  StepContext own = context;
  for (const DeviceBatch& batch : batches) {
    m_parts.update.add(m_parts.forward(batch, own));
    ++own.microBatch;
  }
}

// Whatever was gathered before something failed does not count.
void UpdateGraphs::again(const std::vector<DeviceBatch>& batches, const StepContext& context) {
  m_parts.update.begin();
  plain(batches, context);
}

// A plain pass in which a wait is an error. What fails for another reason fails again.
void UpdateGraphs::watched(GraphBucket& bucket, const Planned& planned) {
  const StepContext& context = planned.inputs.context;
  try {
    UploadCheck check(planned.inputs.uploads);
    WatchingTape tape(check, context.seed);
    const WaitsRefused refused;
    plain(planned.inputs.batches, context);
    check.end();
    bucket.state = GraphBucket::State::Watched;
    bucket.masks = std::move(tape.masks);
  } catch (const c10::OutOfMemoryError&) {
    throw;
  } catch (const std::exception& failure) {
    refuse(bucket, reasonOf(failure));
    again(planned.inputs.batches, context);
  }
}

void UpdateGraphs::captured(GraphBucket& bucket, const Planned& planned) {
  const StepContext& context = planned.inputs.context;
  try {
    auto pass = std::make_shared<CapturedPass>(m_parts.device, planned.inputs, bucket.masks);
    pass->capture([&](const std::vector<DeviceBatch>& own) {
      plain(own, context);
      return m_parts.update.gathered();
    });
    m_cache.keep(bucket, std::move(pass));
  } catch (const std::exception& failure) {
    refuse(bucket, reasonOf(failure));
    return again(planned.inputs.batches, context);
  }
  if (++m_counts.recorded == 1) m_parts.say(Phrase::tr("graphs: the first bucket of shapes is recorded"));
  m_parts.update.begin();
  launched(bucket, planned);
}

void UpdateGraphs::launched(GraphBucket& bucket, const Planned& planned) {
  m_parts.update.take(bucket.pass->launch(planned.inputs));
  ++m_counts.launched;
}

void UpdateGraphs::refuse(GraphBucket& bucket, const Phrase& reason) {
  m_cache.refuse(bucket);
  if (m_cache.refusals() >= kMostRefused && m_cache.graphs() == 0) return turnOff(reason);
  if (std::exchange(m_said, true)) return;
  m_parts.warn(
      Phrase::tr("some updates are no graphs (device.graphs=auto), at the same numbers: %1")(reason));
}

void UpdateGraphs::turnOff(const Phrase& reason) {
  m_on = false;
  m_cache.clear();
  if (std::exchange(m_said, true)) return;
  m_parts.warn(Phrase::tr("no graphs (device.graphs=auto), updates are as without: %1")(reason));
}

}  // namespace fathom
