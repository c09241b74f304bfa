// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_sample_engine.h"

#include <algorithm>
#include <map>

#include "core/record/presets.h"

namespace fathom::test {

namespace {

OptionField sampleField(const char* key, OptionType type, Json value, const char* title,
                        const char* help = "") {
  OptionField result;
  result.key = key;
  result.type = type;
  result.defaultValue = std::move(value);
  result.title = title;
  result.help = help;
  result.group = "Model";
  return result;
}

}  // namespace

EngineDescription sampleEngine() {
  std::vector<OptionField> fields = {
      sampleField("task", OptionType::Text, "nmt", "Task"),
      sampleField("model.width", OptionType::Integer, 512, "Width d", "Entries of a hidden vector."),
      sampleField("encoder.layers", OptionType::Integer, 6, "Encoder layers", "Depth."),
      sampleField("data.train", OptionType::Path, "", "Training file", "What is learned."),
      sampleField("training.length", OptionType::Text, "10e", "Length"),
      sampleField("seed", OptionType::Integer, 1, "Seed"),
      sampleField("fake.steps", OptionType::Integer, 20, "Steps"),
      sampleField("checkpoint.interval", OptionType::Text, "1e", "Checkpoint interval",
                  "How often the width is saved."),
      sampleField("unused.width", OptionType::Integer, 3, "Width of nothing", "Never used.")};
  fields.back().enabledWhen = {{"fake.steps", OptionClause::Test::In, {Json(999)}}};
  std::map<std::string, Json> others;
  for (const char* id : {"sample_small", "sample_deep", "mlm_quick"}) {
    const Preset preset = findPreset(id).value();
    for (const auto& [key, value] : preset.options.items()) others[key] = value;
  }
  for (const auto& [key, value] : others) {
    if (std::any_of(fields.begin(), fields.end(), [&k = key](const OptionField& f) { return f.key == k; }))
      continue;
    const OptionType type = value.is_boolean()          ? OptionType::Flag
                            : value.is_number_integer() ? OptionType::Real
                            : value.is_number()         ? OptionType::Real
                                                        : OptionType::Text;
    fields.push_back(sampleField(key.c_str(), type, value, key.c_str()));
  }
  EngineDescription engine;
  engine.options = OptionSchema(std::move(fields), {});
  return engine;
}

}  // namespace fathom::test
