// SPDX-License-Identifier: Apache-2.0
#include "core/base/options/field_builder.h"
#include "core/nn/models/pooled_head.h"

namespace fathom {

namespace {

std::vector<OptionField> classificationFields(const std::string& prefix) {
  return {
      headInputField(prefix),
      integerField(prefix + ".classes", "Classes",
                   "Outputs of the classification head; 1 for a number, 0 for as many as the data have.", 2)
          .between(0, 100000)};
}

std::unique_ptr<Head> makeClassification(const HeadSite& site) {
  const std::int64_t told = site.options.integer(site.prefix + ".classes");
  const std::int64_t classes = told == 0 ? site.facts.value("classes", 2) : told;
  return std::make_unique<PooledHead>(site, "classification", classes);
}

}  // namespace

HeadEntry classificationHeadEntry() {
  return {.id = "classification",
          .title = "Classification",
          .reference = "BERT §4.1",
          .reads = {Representation::Pooled},
          .shape = "[B, classes]",
          .lossInputs = {"labels"},
          .fields = classificationFields,
          .make = makeClassification};
}

}  // namespace fathom
