// SPDX-License-Identifier: Apache-2.0
#include "core/train/mixed_precision.h"

#include <ATen/autocast_mode.h>

#include "core/nn/field_builder.h"

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
  const auto field = [](const char* key, OptionType type, Json value) {
    return FieldBuilder(key, type, std::move(value))
        .reference("Micikevicius et al. 2018 §3.2; fairseq, fp16_optimizer")
        .group("Run")
        .when("precision", {"float16"});
  };
  return {field("loss_scale.initial", OptionType::Real, 128.0)
              .title("Loss scale at the start")
              .help("The loss is multiplied by it before the backward pass, so that small gradients survive.")
              .above(0),
          field("loss_scale.window", OptionType::Integer, 256)
              .title("Grows after")
              .help("Updates without overflow after which the scale doubles.")
              .unit("updates")
              .atLeast(1),
          field("loss_scale.tolerance", OptionType::Real, 0.0)
              .title("Tolerated overflows")
              .help("Share of overflowing updates below which the scale is kept.")
              .atLeast(0)
              .below(1),
          field("loss_scale.threshold", OptionType::Real, 0.03125)
              .title("Lowest scale")
              .help("Floor of the scale; an overflow always skips the update.")
              .atLeast(0)};
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

Json lossScalerToJson(const LossScaler& scaler) {
  const LossScaler::State state = scaler.state();
  return {{"scale", state.scale},
          {"iteration", state.iteration},
          {"last_overflow", state.lastOverflow},
          {"last_rescale", state.lastRescale},
          {"overflows", state.overflowsSinceLowered}};
}

void restoreLossScaler(LossScaler& scaler, const Json& json) {
  LossScaler::State state;
  state.scale = json.at("scale").get<double>();
  state.iteration = json.at("iteration").get<std::int64_t>();
  state.lastOverflow = json.at("last_overflow").get<std::int64_t>();
  state.lastRescale = json.at("last_rescale").get<std::int64_t>();
  state.overflowsSinceLowered = json.at("overflows").get<std::int64_t>();
  scaler.restore(state);
}

}  // namespace fathom
