// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/machine_settings.h"

#include <QSettings>
#include <algorithm>

namespace fathom {

namespace {

constexpr const char* kEngine = "engine/path";
constexpr const char* kCores = "training/cores";
constexpr const char* kKeepAwake = "training/keep_awake";

QSettings stored() {
  return QSettings(QSettings::IniFormat, QSettings::UserScope, "fathom", "fathom");
}

}  // namespace

MachineSettings machineSettings() {
  const QSettings settings = stored();
  return {settings.value(kEngine).toString().toStdString(), std::max(0, settings.value(kCores).toInt()),
          settings.value(kKeepAwake, true).toBool()};
}

void setMachineSettings(const MachineSettings& settings) {
  QSettings to = stored();
  to.setValue(kEngine, QString::fromStdString(settings.engine));
  to.setValue(kCores, settings.cores);
  to.setValue(kKeepAwake, settings.keepAwake);
}

}  // namespace fathom
