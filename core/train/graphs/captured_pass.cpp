// SPDX-License-Identifier: Apache-2.0
#include "core/train/graphs/captured_pass.h"

#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/empty.h>

#include <utility>

#include "core/base/errors/error.h"
#include "core/base/errors/phrase.h"
#include "core/kernels/handed_seeds.h"
#include "core/nn/device_upload.h"
#include "core/nn/dropout.h"
#include "core/nn/host_tape.h"

namespace fathom {

namespace {

// Hands out the pass's own tensors for what the host sends, and its own places for seeds.
class HandingTape final : public HostTape {
 public:
  HandingTape(UploadCheck& check, const std::vector<torch::Tensor>& own, const std::vector<MaskSite>& masks,
              const torch::Tensor& seeds)
      : m_check(check), m_own(own), m_masks(masks), m_seeds(seeds) {}
  torch::Tensor upload(const torch::Tensor& host) override { return m_own[m_check.next(host)]; }
  void seed(std::uint64_t seed, const StepContext& context, std::string_view site) override {
    const MaskSite mask{std::string(site), context.microBatch};
    if (m_next == m_masks.size() || !(m_masks[m_next] == mask))
      throw Failure(unavailableError(Phrase::tr("it draws other masks than the pass before")));
    ++m_next;
    m_seeds.add(seed);
  }

 private:
  UploadCheck& m_check;
  const std::vector<torch::Tensor>& m_own;
  const std::vector<MaskSite>& m_masks;
  HandedSeeds m_seeds;
  std::size_t m_next = 0;
};

// int64 [masks, 2] on the host: low and high words of the seeds of one update.
torch::Tensor seedsOf(const std::vector<MaskSite>& masks, const StepContext& context) {
  torch::Tensor words = at::empty({static_cast<std::int64_t>(masks.size()), 2}, torch::kInt64);
  auto* word = words.mutable_data_ptr<std::int64_t>();
  for (const MaskSite& mask : masks) {
    StepContext own = context;
    own.microBatch = mask.microBatch;
    const MaskRule rule(0, dropoutSeed(own, mask.site));
    *word++ = rule.low;
    *word++ = rule.high;
  }
  return words;
}

torch::Tensor ownOf(const torch::Tensor& like, const torch::Device& device) {
  return at::empty(like.sizes(), like.options().device(device).pinned_memory(false));
}

}  // namespace

std::size_t UploadCheck::next(const torch::Tensor& host) {
  while (m_next < m_said.size() && !m_said[m_next].defined()) ++m_next;
  const bool same = m_next < m_said.size() && m_said[m_next].scalar_type() == host.scalar_type() &&
                    m_said[m_next].equal(host);
  if (!same)
    throw Failure(
        unavailableError(Phrase::tr("it sends numbers of the host that its task does not tell beforehand")));
  return m_next++;
}

void UploadCheck::end() const {
  for (std::size_t i = m_next; i < m_said.size(); ++i)
    if (m_said[i].defined())
      throw Failure(
          unavailableError(Phrase::tr("it sends fewer numbers of the host than its task tells beforehand")));
}

CapturedPass::CapturedPass(const torch::Device& device, const PassInputs& inputs, std::vector<MaskSite> masks)
    : m_device(device),
      m_graph(device),
      m_batches(inputs.batches),
      m_uploads(inputs.uploads),
      m_masks(std::move(masks)) {
  const at::NoGradGuard noGrad;
  for (DeviceBatch& batch : m_batches)
    for (auto& [name, array] : batch.arrays) m_inputs.push_back(array = ownOf(array, device));
  for (const torch::Tensor& upload : m_uploads) {
    m_ownUploads.push_back(upload.defined() ? ownOf(upload, device) : torch::Tensor());
    if (upload.defined()) m_inputs.push_back(m_ownUploads.back());
  }
  if (!m_masks.empty()) m_inputs.push_back(m_seeds = ownOf(seedsOf(m_masks, inputs.context), device));
  fill(inputs);
}

void CapturedPass::capture(const std::function<PassResults(const std::vector<DeviceBatch>&)>& work) {
  UploadCheck check(m_uploads);
  m_graph.capture([&] {
    const HandingTape tape(check, m_ownUploads, m_masks, m_seeds);
    m_results = work(m_batches);
  });
  check.end();
  m_batches.clear();
  m_uploads.clear();
}

// One copy to the device for what the host has made, and one operator for all.
void CapturedPass::fill(const PassInputs& inputs) {
  const at::NoGradGuard noGrad;
  std::vector<torch::Tensor> sources;
  for (const DeviceBatch& batch : inputs.batches)
    for (const auto& [name, array] : batch.arrays) sources.push_back(array);
  DeviceUpload upload(m_device);
  for (const torch::Tensor& host : inputs.uploads)
    if (host.defined()) sources.push_back(upload.add(host));
  if (!m_masks.empty()) sources.push_back(upload.add(seedsOf(m_masks, inputs.context)));
  upload.send();
  at::_foreach_copy_(m_inputs, sources, /*non_blocking=*/true);
}

const PassResults& CapturedPass::launch(const PassInputs& inputs) {
  fill(inputs);
  m_graph.launch();
  return m_results;
}

}  // namespace fathom
