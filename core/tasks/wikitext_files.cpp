// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikitext_files.h"

#include <string_view>

#include "core/base/text/lines_of.h"
#include "core/base/text/utf8.h"
#include "core/tasks/plain_text.h"

namespace fathom {

namespace {

bool beginsWithTitle(const std::string& file) {
  constexpr int kLines = 10;
  const std::string text = DataPlace::beginning(file);
  LinesOf lines(text);
  for (std::string_view line; lines.number() < kLines && lines.next(line);)
    if (isWikiTextTitle(strip(line))) return true;
  return false;
}

}  // namespace

std::optional<FoundDataSet> findWikiText(const DataPlace& place) {
  const std::string train = place.file({"wiki.train.raw", "wiki.train.tokens"}),
                    validation = place.file({"wiki.valid.raw", "wiki.valid.tokens"}),
                    test = place.file({"wiki.test.raw", "wiki.test.tokens"});
  const std::string& any = train.empty() ? validation : train;
  if (any.empty() || !place.pointsInto({train, validation, test}) || !beginsWithTitle(any)) return {};
  const Phrase archive = Phrase::tr("it is in WikiText's archive");
  FoundDataSet found;
  found.take("data.train", train, {{}, Phrase::tr("wiki.train.raw: the training file"), archive});
  found.take("data.validation", validation,
             {{}, Phrase::tr("wiki.valid.raw: a part of the training file is kept apart"), archive, false});
  found.take("data.test", test);
  return found;
}

Phrase wikiTextSource() {
  return Phrase::tr(
      "WikiText (Merity et al. 2016) is at "
      "https://huggingface.co/datasets/Salesforce/wikitext.");
}

}  // namespace fathom
