// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <string>

#include "core/base/json/json.h"
#include "core/engine/engine_verbs.h"

// The trainability check of presets without data of one's own, at a width of 64.
namespace fathom::test {

// Names of all presets that begin like this, in the order of the alphabet.
QStringList presetNames(const QString& part);
std::string presetFile(const QString& preset);
// The preset at its full depth with the width cut to 64, on one thread.
TrainabilityVerb narrowVerb(const QString& preset);
// What the check prints as JSON. Throws Failure.
Json trainabilityReport(const TrainabilityVerb& verb);
// What the check reads of a preset, as one text: two with the same have the same report.
std::string readByTheCheck(const QString& preset);
// What stacks a preset is made of, as one text: model, and of every stack its residual scheme, attention and
// input; `layers` is how deep they are together.
struct PresetStack {
  std::string text;
  std::int64_t layers = 0;
};
PresetStack presetStack(const QString& preset);
// Every stack has its layers, every number is one, and what is planned is what the preset says; fails the
// test otherwise.
void checkTrainabilityReport(const Json& report, const TrainabilityVerb& verb);

}  // namespace fathom::test
