// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/mixed_precision.h"

#include <ATen/autocast_mode.h>

#include "core/base/json/json_fields.h"
#include "core/base/options/field_builder.h"

namespace fathom {

std::optional<torch::ScalarType> mixedFormat(const std::string& precision) {
  if (precision == "bfloat16") return torch::kBFloat16;
  if (precision == "float16") return torch::kHalf;
  return std::nullopt;
}

MixedScope::MixedScope(const torch::Device& device, std::optional<torch::ScalarType> format)
    : m_device(device.type()), m_active(format.has_value()) {
  if (!m_active) return;
  m_before = at::autocast::is_autocast_enabled(m_device);
  m_formatBefore = at::autocast::get_autocast_dtype(m_device);
  at::autocast::set_autocast_dtype(m_device, *format);
  at::autocast::set_autocast_enabled(m_device, true);
  at::autocast::increment_nesting();
}

MixedScope::~MixedScope() {
  if (!m_active) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(m_device, m_before);
  at::autocast::set_autocast_dtype(m_device, m_formatBefore);
}

std::vector<OptionField> lossScaleOptionFields() {
  std::vector<OptionField> fields = fromPaper(
      "Micikevicius et al. 2018 §3.2; fairseq, fp16_optimizer",
      {realField("loss_scale.initial", "Loss scale at the start",
                 "The loss is multiplied by it before the backward pass, so that small gradients survive.",
                 128)
           .above(0),
       integerField("loss_scale.window", "Grows after",
                    "Updates without overflow after which the scale doubles.", 256)
           .unit("updates")
           .atLeast(1),
       realField("loss_scale.tolerance", "Tolerated overflows",
                 "Share of overflowing updates below which the scale is kept.", 0)
           .atLeast(0)
           .below(1),
       realField("loss_scale.threshold", "Lowest scale",
                 "Floor of the scale; an overflow always skips the update.", 0.03125)
           .atLeast(0)});
  for (OptionField& field : fields)
    field.enabledWhen.push_back({"precision", OptionClause::Test::In, {"float16"}});
  return fields;
}

std::optional<LossScaler> lossScaler(const OptionValues& options) {
  if (options.text("precision") != "float16") return std::nullopt;
  LossScalerSettings settings;
  settings.initialScale = options.real("loss_scale.initial");
  settings.window = options.integer("loss_scale.window");
  settings.tolerance = options.real("loss_scale.tolerance");
  settings.threshold = options.real("loss_scale.threshold");
  return LossScaler(settings);
}

template <typename Io>
void jsonMembers(Io& io, LossScaler::State& state) {
  io("scale", state.scale)("iteration", state.iteration)("last_overflow", state.lastOverflow);
  io("last_rescale", state.lastRescale)("overflows", state.overflowsSinceLowered);
}

Json lossScalerToJson(const LossScaler& scaler) {
  return jsonOf(scaler.state());
}

void restoreLossScaler(LossScaler& scaler, const Json& json) {
  LossScaler::State state;
  readJson(json, state);
  scaler.restore(state);
}

}  // namespace fathom
