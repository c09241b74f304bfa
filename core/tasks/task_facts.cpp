// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/task_facts.h"
#include "core/base/errors/word_table.h"

namespace fathom {

namespace {

using Role = TextField::Role;
constexpr EnumWord<Role> kRoles[] = {
    {Role::Input, "input"}, {Role::Reference, "reference"}, {Role::Other, "other"}};

using Kind = StatisticField::Kind;
constexpr EnumWord<Kind> kKinds[] = {{Kind::Number, "number"},
                                     {Kind::Lengths, "lengths"},
                                     {Kind::Counts, "counts"},
                                     {Kind::Overlap, "overlap"}};

}  // namespace

Json textFieldsJson(const std::vector<TextField>& fields) {
  Json list = Json::array();
  for (const TextField& field : fields)
    list.push_back({{"id", field.id}, {"title", field.title}, {"role", wordOf(kRoles, field.role)}});
  return list;
}

Json statisticFieldsJson(const std::vector<StatisticField>& fields) {
  Json list = Json::array();
  for (const StatisticField& field : fields)
    list.push_back({{"kind", wordOf(kKinds, field.kind)},
                    {"path", field.path},
                    {"title", field.title},
                    {"factor", field.factor},
                    {"decimals", field.decimals},
                    {"unit", field.unit}});
  return list;
}

Json roleFields(const std::vector<TextField>& fields) {
  Json roles = Json::object();
  for (const TextField& field : fields)
    if (const char* role = wordOf(kRoles, field.role); field.role != Role::Other && !roles.contains(role))
      roles[role] = field.id;
  return roles;
}

std::string TaskReview::kindFor(const Json& options) const {
  for (const Other& other : others)
    if (options.value(other.key, Json()) == Json(other.value)) return other.kind;
  return kind;
}

}  // namespace fathom
