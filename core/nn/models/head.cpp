// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/head.h"

#include <algorithm>

#include "core/base/errors/error.h"
#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

ParameterInfo ofHead(const std::string& name, ParameterRole role) {
  ParameterInfo info;
  info.name = name;
  info.role = role;
  return info;
}

}  // namespace

bool HeadEntry::readsAny(Representation one) const {
  return std::find(reads.begin(), reads.end(), one) != reads.end();
}

std::vector<HeadEntry> headsFor(const std::vector<Representation>& offers) {
  std::vector<HeadEntry> fitting;
  for (const HeadEntry& head : headEntries()) {
    const bool fits = std::all_of(head.reads.begin(), head.reads.end(), [&](Representation wanted) {
      return std::find(offers.begin(), offers.end(), wanted) != offers.end();
    });
    if (fits) fitting.push_back(head);
  }
  return fitting;
}

const HeadEntry& headEntry(const std::string& id) {
  if (const HeadEntry* head = findEntry(headEntries(), id)) return *head;
  throw Failure(internalError("no head '" + id + "' in heads.list"));
}

OptionField headChoice(const std::string& prefix, const std::vector<Representation>& offers,
                       const std::string& title, const std::string& help, const std::string& usually) {
  return choiceField(prefix + ".head", title, help, entryChoices(headsFor(offers))).usually(usually);
}

std::vector<OptionField> headFields(const std::string& prefix, const std::vector<Representation>& offers) {
  return entryFields(headsFor(offers), prefix + ".head",
                     [&](const HeadEntry& head) { return head.fields(prefix); });
}

HeadMap headMap(ParameterStore& store, const std::string& name, std::int64_t out, std::int64_t in) {
  return {store.add(ofHead(name + ".weight", ParameterRole::Dense), {out, in}),
          store.add(ofHead(name + ".bias", ParameterRole::Bias), {out})};
}

LayerNorm headNorm(ParameterStore& store, const std::string& name, std::int64_t width, double eps) {
  return {store, name, ofHead("", ParameterRole::NormWeight), width, eps};
}

}  // namespace fathom
