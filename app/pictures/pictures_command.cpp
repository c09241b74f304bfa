// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/pictures_command.h"

#include <QThread>
#include <algorithm>
#include <mutex>
#include <optional>

#include "app/pictures/screenshots.h"
#include "app/runner/child_process.h"
#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/json/json_members.h"
#include "core/base/threads/thread_ranges.h"

namespace fathom {

namespace {

constexpr const char* kSizes[] = {"1024x700", "1280x800", "2560x1440"};
constexpr const char* kThemes[] = {"light", "dark", "contrast"};
constexpr const char* kTexts[] = {"100", "130"};
constexpr const char* kLanguages[] = {"en", "zh_CN"};
constexpr int kScales[] = {1, 2};

Result<ScreenshotOptions> optionsOf(const CommandContext& context) {
  ScreenshotOptions options;
  options.project = QString::fromStdString(context.project);
  options.folder = QString::fromStdString(context.options.text("out"));
  options.size = QSize(static_cast<int>(context.options.integer("width")),
                       static_cast<int>(context.options.integer("height")));
  options.textPercent = static_cast<int>(context.options.integer("text"));
  options.language = QString::fromStdString(context.options.text("language"));
  options.check = context.options.flag("check");
  options.keep = context.options.flag("keep");
  options.share.of = static_cast<int>(context.options.integer("shares"));
  options.share.first = static_cast<int>(context.options.integer("share")) - 1;
  if (options.share.first >= options.share.of)
    return aboutKey("share", usageError(Phrase::tr("there is no share %1 of %2")(options.share.first + 1,
                                                                                 options.share.of),
                                        Phrase::tr("--shares says into how many the views are divided")));
  for (const std::string& view : context.options.texts("views"))
    options.views.append(QString::fromStdString(view));
  for (const std::string& look : context.options.texts("looks"))
    options.looks.append(QString::fromStdString(look));
  for (const std::string& text : context.options.texts("settings")) {
    FATHOM_TRY(const ScreenshotSetting setting, ScreenshotSetting::read(QString::fromStdString(text)));
    options.settings.append(setting);
  }
  return options;
}

Json toldOf(const Screenshots& taken) {
  Json told = {
      {"format", 1}, {"files", Json::array()}, {"missing", Json::array()}, {"faults", Json::array()}};
  for (const QString& file : taken.files) told["files"].push_back(file.toStdString());
  for (const auto& [picture, reason] : taken.missing)
    told["missing"].push_back({{"picture", picture.toStdString()}, {"reason", reason.toStdString()}});
  for (const auto& [picture, fault] : taken.faults)
    told["faults"].push_back({{"picture", picture.toStdString()},
                              {"kind", faultWord(fault.kind).toStdString()},
                              {"where", fault.where.toStdString()},
                              {"what", fault.what.toStdString()}});
  return told;
}

struct Round {
  int scale;
  std::string language;
  std::vector<std::string> settings;
};
std::vector<Round> allRounds() {
  std::vector<Round> rounds;
  for (const int scale : kScales)
    for (const char* language : kLanguages)
      for (const char* theme : kThemes)
        for (const char* text : kTexts) {
          rounds.push_back({scale, language, {}});
          for (const char* size : kSizes)
            rounds.back().settings.push_back(std::string(size) + "/" + theme + "/" + text);
        }
  return rounds;
}

Result<Json> takeRound(const CommandContext& context, const Round& round, const StopToken& stop) {
  ChildSpec spec;
  spec.program = siblingProgram("fathom-pictures");
  spec.arguments = {"--json",
                    "--language",
                    round.language,
                    "--out",
                    context.options.text("out") + "/scale" + std::to_string(round.scale),
                    "--settings"};
  spec.arguments.insert(spec.arguments.end(), round.settings.begin(), round.settings.end());
  if (!context.project.empty()) spec.arguments.insert(spec.arguments.end(), {"--project", context.project});
  if (context.options.flag("check")) spec.arguments.push_back("--check");
  const std::vector<std::string> views = context.options.texts("views");
  if (!views.empty()) spec.arguments.push_back("--views");
  spec.arguments.insert(spec.arguments.end(), views.begin(), views.end());
  spec.environment = {{"QT_SCALE_FACTOR", std::to_string(round.scale)}};
  constexpr double kMostSeconds = 3600;
  FATHOM_TRY(const ChildOutput child, runChild(spec, {kMostSeconds}, stop));
  if (child.exitCode != 0)
    return internalError("the pictures' own process " + describeExit(child.exitCode).english() + "; " +
                         child.err);
  return parseJson(child.out, "screenshots");
}

// One process for each round: Qt takes a scale only at the start, and another theme or size of texts dresses
// every window anew. More of them than processors: windows wait as much as they work.
Result<Json> takeAll(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const std::vector<Round> rounds = allRounds();
  std::vector<Json> parts(rounds.size());
  const int workers = std::clamp(2 * QThread::idealThreadCount(), 2, 16);
  std::mutex guard;  // of what follows
  std::size_t next = 0, done = 0;
  std::optional<Error> failure;
  const auto taken = [&]() -> std::optional<std::size_t> {
    const std::lock_guard lock(guard);
    return failure || next == rounds.size() ? std::nullopt : std::optional(next++);
  };
  progress.begin(Phrase::tr("taking pictures").english, "", static_cast<double>(rounds.size()));
  FATHOM_CHECK(forRanges(static_cast<std::size_t>(workers), workers, [&](std::size_t, std::size_t) {
    while (const auto index = taken()) {
      auto part = takeRound(context, rounds[*index], stop);
      const std::lock_guard lock(guard);
      if (part.ok())
        parts[*index] = std::move(*part);
      else if (!failure)
        failure = part.error();
      progress.report(static_cast<double>(++done));
    }
  }));
  if (failure) return *failure;
  progress.finish();
  Json told = toldOf({});
  for (const Json& part : parts)
    for (const char* list : {"files", "missing", "faults"})
      for (const Json& each : memberList(part, list)) told[list].push_back(each);
  return told;
}

Result<CommandOutput> screenshots(const CommandContext& context, Progress& progress, const StopToken& stop) {
  CommandOutput output;
  if (context.options.flag("all")) {
    FATHOM_TRY(output.json, takeAll(context, progress, stop));
  } else {
    FATHOM_TRY(const ScreenshotOptions options, optionsOf(context));
    FATHOM_TRY(const Screenshots taken, takeScreenshots(options, progress, stop));
    output.json = toldOf(taken);
  }
  for (const Json& file : output.json["files"]) output.text += file.get<std::string>() + "\n";
  for (const Json& missing : output.json["missing"])
    output.text += "not taken: " + missing["picture"].get<std::string>() + ": " +
                   missing["reason"].get<std::string>() + "\n";
  for (const Json& fault : output.json["faults"])
    output.text += fault["picture"].get<std::string>() + ": " + fault["kind"].get<std::string>() + ": " +
                   fault["where"].get<std::string>() + ": " + fault["what"].get<std::string>() + "\n";
  return output;
}

}  // namespace

Command picturesCommand() {
  return {
      .id = "",
      .title = "Pictures",
      .description =
          "Writes a picture of every view: light, dark, of high contrast and in Chinese; needs no display.",
      .group = "Tools",
      .fields = {pathField("out", "Folder", "Folder for the pictures; made if missing."),
                 listField("views", "Views", "Only pictures whose names begin like this; otherwise all."),
                 listField("looks", "Looks", "light, dark, contrast, zh_CN; otherwise all four."),
                 integerField("width", "Width", "Width of the window in pixels.", 1280).between(600, 8000),
                 integerField("height", "Height", "Height of the window in pixels.", 800).between(400, 8000),
                 integerField("text", "Text size", "Size of texts in percent of the system's.", 100)
                     .between(70, 200),
                 flagField(
                     "all", "All",
                     "Every size, theme, size of texts, language and scale; takes half an hour or more."),
                 flagField("check", "Check",
                           "Looks for cut and equal texts, parts outside of others, scroll bars in scroll "
                           "bars and pale texts; writes only pictures that have one."),
                 flagField("keep", "Keep",
                           "With check: writes every picture, not only those that have a fault."),
                 listField("settings", "Settings",
                           "Instead of looks and size: every view in each of these, as 1280x800/light/100."),
                 integerField("share", "Share", "Only this share of the views, from 1 on; see shares.", 1)
                     .between(1, 1000),
                 integerField("shares", "Shares", "Into how many shares the views are divided.", 1)
                     .between(1, 1000),
                 textField("language", "Language", "Of the settings: en or zh_CN.", "en")},
      .required = {"out"},
      .program = "fathom-pictures",
      .needsPainter = true,
      .run = screenshots};
}

}  // namespace fathom
