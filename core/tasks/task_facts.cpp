// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/task_facts.h"

namespace fathom {

namespace {

const char* roleName(TextField::Role role) {
  constexpr const char* kRoles[] = {"input", "reference", "other"};
  return kRoles[static_cast<int>(role)];
}

}  // namespace

Json textFieldsJson(const std::vector<TextField>& fields) {
  Json list = Json::array();
  for (const TextField& field : fields)
    list.push_back({{"id", field.id}, {"title", field.title}, {"role", roleName(field.role)}});
  return list;
}

Json statisticFieldsJson(const std::vector<StatisticField>& fields) {
  constexpr const char* kKinds[] = {"number", "lengths", "counts", "overlap"};
  Json list = Json::array();
  for (const StatisticField& field : fields)
    list.push_back({{"kind", kKinds[static_cast<int>(field.kind)]},
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
    if (field.role != TextField::Role::Other && !roles.contains(roleName(field.role)))
      roles[roleName(field.role)] = field.id;
  return roles;
}

}  // namespace fathom
