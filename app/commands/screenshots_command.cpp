// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/window/screenshots/screenshots.h"

namespace fathom {

namespace {

Result<CommandOutput> screenshots(const CommandContext& context, Progress& progress, const StopToken& stop) {
  ScreenshotOptions options;
  options.project = QString::fromStdString(context.project);
  options.folder = QString::fromStdString(context.options.text("out"));
  options.size = QSize(static_cast<int>(context.options.integer("width")),
                       static_cast<int>(context.options.integer("height")));
  options.textScale = static_cast<double>(context.options.integer("text")) / 100;
  for (const std::string& view : context.options.texts("views"))
    options.views.append(QString::fromStdString(view));
  for (const std::string& look : context.options.texts("looks"))
    options.looks.append(QString::fromStdString(look));
  FATHOM_TRY(const Screenshots taken, takeScreenshots(options, progress, stop));
  CommandOutput output;
  output.json = {{"format", 1}, {"files", Json::array()}, {"missing", Json::array()}};
  for (const QString& file : taken.files) {
    output.json["files"].push_back(file.toStdString());
    output.text += file.toStdString() + "\n";
  }
  for (const auto& [picture, reason] : taken.missing) {
    output.json["missing"].push_back({{"picture", picture.toStdString()}, {"reason", reason.toStdString()}});
    output.text += "not taken: " + picture.toStdString() + ": " + reason.toStdString() + "\n";
  }
  return output;
}

}  // namespace

Command screenshotsCommandEntry() {
  return {
      .id = "screenshots",
      .title = "Screenshots",
      .description = "Writes a picture of every view: light, dark and in Chinese; needs no display.",
      .group = "Tools",
      .fields = {pathField("out", "Folder", "Folder for the pictures; made if missing."),
                 listField("views", "Views", "Only pictures whose names begin like this; otherwise all."),
                 listField("looks", "Looks", "light, dark, zh_CN; otherwise all three."),
                 integerField("width", "Width", "Width of the window in pixels.", 1280).between(600, 8000),
                 integerField("height", "Height", "Height of the window in pixels.", 800).between(400, 8000),
                 integerField("text", "Text size", "Size of texts in percent of the system's.", 100)
                     .between(50, 300)},
      .required = {"out"},
      .needsPainter = true,
      .run = screenshots};
}

}  // namespace fathom
