// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_sample_engine.h"

#include <algorithm>
#include <map>

#include "core/record/presets.h"

namespace fathom::test {

namespace {

OptionField field(const char* key, OptionType type, Json value, const char* title, const char* help = "") {
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
      field("task", OptionType::Text, "nmt", "Task"),
      field("model.width", OptionType::Integer, 512, "Width d", "Entries of a hidden vector."),
      field("encoder.layers", OptionType::Integer, 6, "Encoder layers", "Depth."),
      field("data.train", OptionType::Path, "", "Training file", "What is learned."),
      field("training.length", OptionType::Text, "10e", "Length"),
      field("seed", OptionType::Integer, 1, "Seed"),
      field("fake.steps", OptionType::Integer, 20, "Steps"),
      field("checkpoint.interval", OptionType::Text, "1e", "Checkpoint interval",
            "How often the width is saved."),
      field("unused.width", OptionType::Integer, 3, "Width of nothing", "Never used.")};
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
    fields.push_back(field(key.c_str(), type, value, key.c_str()));
  }
  EngineDescription engine;
  engine.options = OptionSchema(std::move(fields), {});
  return engine;
}

}  // namespace fathom::test
