// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "app/commands/command.h"
#include "core/base/choice_field.h"
#include "core/library/project_library.h"
#include "core/record/run_import.h"

namespace fathom {

namespace {

Result<CommandOutput> importRunCommand(const CommandContext& context, Progress& progress,
                                       const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  const std::string source = context.options.text("source");
  if (std::error_code code; !std::filesystem::exists(source, code)) {
    return dataErrorAt(source, 0, "there is no such file or folder");
  }
  ImportOptions options;
  options.format = context.options.text("format");
  options.name = context.options.text("name");
  options.stepColumn = context.options.text("step-column");
  options.timeColumn = context.options.text("time-column");
  FATHOM_TRY(const ImportReport report, importRun(source, library->runsPath(), options, progress, stop));
  CommandOutput output;
  output.json = {{"format", 1},
                 {"run", {{"uuid", report.uuid}, {"path", report.runPath}}},
                 {"source_format", report.format},
                 {"points", report.points},
                 {"metrics", report.metrics},
                 {"warnings", report.warnings}};
  output.text = "imported run " + report.uuid + " (" + report.format + "): " + std::to_string(report.points) +
                " points of " + std::to_string(report.metrics) + " metrics\n";
  for (const std::string& warning : report.warnings) output.text += "warning: " + warning + "\n";
  return output;
}

}  // namespace

Command importRunCommandEntry() {
  Command command;
  command.id = "import-run";
  command.title = QT_TRANSLATE_NOOP("Command", "Import run");
  command.description = QT_TRANSLATE_NOOP(
      "Command",
      "Brings a run into the project: a run folder or archive, CSV, TensorBoard events, a fairseq JSON log.");
  command.group = QT_TRANSLATE_NOOP("Command", "Run");
  command.changesData = true;
  command.inMenu = true;
  OptionField format = choiceField("format", QT_TRANSLATE_NOOP("Command", "Format"),
                                   QT_TRANSLATE_NOOP("Command", "What the source is."),
                                   {{"auto", QT_TRANSLATE_NOOP("Command", "As it looks")},
                                    {"run", QT_TRANSLATE_NOOP("Command", "Run folder or archive")},
                                    {"csv", "CSV"},
                                    {"tensorboard", "TensorBoard"},
                                    {"fairseq", "fairseq"}});
  command.fields = {
      pathField("source", QT_TRANSLATE_NOOP("Command", "Source"),
                QT_TRANSLATE_NOOP("Command", "File or folder.")),
      format,
      textField("name", QT_TRANSLATE_NOOP("Command", "Name"),
                QT_TRANSLATE_NOOP("Command", "Name of the run; otherwise the source's.")),
      textField("step-column", QT_TRANSLATE_NOOP("Command", "Step column"),
                QT_TRANSLATE_NOOP("Command", "CSV: column of the updates; otherwise the one called step.")),
      textField("time-column", QT_TRANSLATE_NOOP("Command", "Time column"),
                QT_TRANSLATE_NOOP("Command", "CSV: column of the seconds; otherwise the one called time."))};
  command.required = {"source"};
  command.positional = "source";
  command.run = importRunCommand;
  return command;
}

}  // namespace fathom
