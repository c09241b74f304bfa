// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/spider/spider_schema.h"
#include "views/panels/errors/sql_alignment.h"

namespace fathom {

class SqlEditor;

// A query and where it is shown.
struct ShownQuery {
  SqlEditor* editor = nullptr;
  std::string sql;
};

// Shows two queries line by line beside each other, with their differences marked and what the parser does
// not understand. `schema` may be null. Tells what stands where.
AlignedSql showAligned(const ShownQuery& first, const ShownQuery& second, const SpiderSchema* schema);

// Lines that are beside each other stay so where one of them is wrapped: the other one gets empty rows below.
void levelWrapped(SqlEditor* first, SqlEditor* second);

}  // namespace fathom
