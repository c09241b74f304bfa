// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "core/base/shell_word.h"
#include "core/spider/data/spider_sample.h"

namespace fathom {

namespace {

Result<CommandOutput> makeSample(const CommandContext& context, Progress&, const StopToken&) {
  const std::string folder = context.options.text("folder");
  const SpiderSample sample = makeSpiderSample(static_cast<std::uint64_t>(context.options.integer("seed")));
  FATHOM_CHECK(writeSpiderSample(sample, folder));
  CommandOutput output;
  output.json["format"] = 1;
  output.json["folder"] = folder;
  output.json["examples"] = sample.examples.size();
  output.json["databases"] = sample.databases;
  output.json["predictions"] = {folder + "/predictions/careful.sql", folder + "/predictions/hasty.sql"};
  output.text = std::to_string(sample.examples.size()) + " questions over " +
                std::to_string(sample.databases.size()) + " databases are in " + folder +
                "\n\nfathom spider-compare --gold " + shellWord(folder + "/dev_gold.sql") + " --tables " +
                shellWord(folder + "/tables.json") + " --predictions " +
                shellWord(folder + "/predictions/careful.sql") + " " +
                shellWord(folder + "/predictions/hasty.sql") + "\n";
  return output;
}

}  // namespace

Command spiderSampleCommandEntry() {
  Command command;
  command.id = "spider-sample";
  command.title = QT_TRANSLATE_NOOP("Command", "Make a Text-to-SQL sample");
  command.description = QT_TRANSLATE_NOOP(
      "Command", "Writes a small data set with databases and the predictions of two imaginary models.");
  command.group = QT_TRANSLATE_NOOP("Command", "Text-to-SQL");
  command.needsProject = false;
  command.changesData = true;
  command.inMenu = true;
  command.fields = {pathField("folder", QT_TRANSLATE_NOOP("Command", "Folder"),
                              QT_TRANSLATE_NOOP("Command", "Where to write the sample.")),
                    integerField("seed", QT_TRANSLATE_NOOP("Command", "Seed"),
                                 QT_TRANSLATE_NOOP("Command", "The same seed gives the same sample."), 1)
                        .between(0, 1e9)};
  command.required = {"folder"};
  command.positional = "folder";
  command.run = makeSample;
  return command;
}

}  // namespace fathom
