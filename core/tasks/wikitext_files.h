// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/data_set.h"

namespace fathom {

// The files of WikiText (Merity et al. 2016), raw or in tokens: wiki.train.raw and its neighbours, with a
// title " = … = " near the beginning.
std::optional<FoundDataSet> findWikiText(const DataPlace& place);
Phrase wikiTextSource();

}  // namespace fathom
