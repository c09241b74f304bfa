// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/runner/engine_description.h"
#include "app/text_table.h"
#include "core/record/presets.h"

namespace fathom {

namespace {

std::string describeText(const EngineDescription& engine, bool withOptions) {
  std::string text = "engine " + engine.path + ", version " + engine.version + "\n\n";
  TextTable devices({"device", "title", "usable"});
  for (const EngineDevice& device : engine.devices) {
    devices.addRow({device.id, device.title, device.available ? "yes" : "no: " + device.reason});
  }
  TextTable presetTable({"preset", "title"});
  for (const Preset& preset : presets()) presetTable.addRow({preset.id, preset.title});
  text += devices.text() + "\n" + presetTable.text();
  if (!withOptions) return text + "\n--options lists every option of a run.\n";
  TextTable options({"option", "default", "what it means"});
  for (const OptionField& field : engine.options.fields()) {
    options.addRow({field.key, optionValueText(field, field.defaultValue), field.help});
  }
  return text + "\n" + options.text();
}

Result<CommandOutput> describe(const CommandContext& context, Progress&, const StopToken& stop) {
  DescribeOptions options;
  options.refresh = context.options.flag("refresh");
  FATHOM_TRY(const EngineDescription engine, describeEngine(options, stop));
  CommandOutput output;
  output.json["engine"] = engine.json;
  output.json["engine"]["path"] = engine.path;
  output.json["presets"] = Json::array();
  for (const Preset& preset : presets()) {
    output.json["presets"].push_back({{"id", preset.id},
                                      {"title", preset.title},
                                      {"description", preset.description},
                                      {"reference", preset.reference},
                                      {"options", preset.options}});
  }
  if (!context.json) output.text = describeText(engine, context.options.flag("options"));
  return output;
}

}  // namespace

Command describeCommandEntry() {
  return {
      .id = "describe",
      .title = "Describe the engine",
      .description = "Tells what can be trained: devices, presets and every option with its default.",
      .group = "Tools",
      .fields = {flagField("options", "Options", "List every option of a run."),
                 flagField("refresh", "Ask again", "Ask the engine even when this binary is known already.")},
      .needsProject = false,
      .run = describe};
}

}  // namespace fathom
