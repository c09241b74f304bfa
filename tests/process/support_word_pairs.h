// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "core/base/json/json.h"

namespace fathom::test {

// 200 pairs of sentences of four to eight words, each word said again with an X behind it: source, tab,
// target.
void writeWordPairs(const QString& file);

// A translation model that trains in a moment on the sentences written by writeMadeSentences() into `data`.
// 12 updates with a checkpoint every 4 unless `options` say otherwise.
Json tinyTranslation(const QString& data, const Json& options = Json::object());

}  // namespace fathom::test
