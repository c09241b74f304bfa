// SPDX-License-Identifier: Apache-2.0
#include "core/review/kinds/shared_categories.h"

namespace fathom {

ReviewCategory missingCategory() {
  return {"missing", Phrase::tr("No prediction"), "M", Phrase::tr("The file has no answer"), false};
}

ReviewCategory goldErrorCategory(const Phrase& help) {
  return {"gold_error", Phrase::tr("Gold is wrong"), "G", help, true, Counting::NotAtAll};
}

ReviewCategory rightAfterAllCategory() {
  return {"after_all", Phrase::tr("Right after all"),
          "F",         Phrase::tr("Another answer than that of the file, and right; then the next one"),
          true,        Counting::AsRight};
}

ReviewCategory needsKnowledgeCategory() {
  return {"knowledge", Phrase::tr("Needs knowledge"), "K",
          Phrase::tr("What is not in the text has to be known; then the next one")};
}

ReviewNumber confidenceNumber(int decimals) {
  return {"confidence", Phrase::tr("Confidence"), decimals};
}

ReviewNumber goldProbabilityNumber() {
  return {"gold_probability", Phrase::tr("p(gold)"), 3};
}

}  // namespace fathom
