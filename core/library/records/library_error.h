// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <SQLiteCpp/VariadicBind.h>

#include <string>
#include <utility>

#include "core/base/errors/result.h"

namespace fathom {

// Error of SQLite as one of ours: damaged or foreign files (other tables, views) are data errors, the
// rest (busy, full, read-only) resource errors; both name the file.
Error sqliteError(const SQLite::Exception& exception, const std::string& file);

// Runs `body` and turns what SQLiteCpp throws into an Error. The one place where its exceptions are caught.
template <typename Body>
auto guarded(const std::string& file, Body&& body) -> decltype(body()) {
  try {
    return std::forward<Body>(body)();
  } catch (const SQLite::Exception& exception) {
    return sqliteError(exception, file);
  }
}

// guarded() inside one BEGIN IMMEDIATE transaction; rolled back unless `body` succeeds.
template <typename Body>
auto transacted(SQLite::Database& database, const std::string& file, Body&& body) -> decltype(body()) {
  return guarded(file, [&]() -> decltype(body()) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    auto result = body();
    if (result.ok()) transaction.commit();
    return result;
  });
}

// A statement with the values of its places, in their order.
template <typename... Values>
SQLite::Statement statementOf(SQLite::Database& database, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(database, sql);
  SQLite::bind(statement, values...);
  return statement;
}

// The same, for one that gives no rows.
template <typename... Values>
void executeSql(SQLite::Database& database, const std::string& sql, const Values&... values) {
  statementOf(database, sql, values...).exec();
}

// The settings of every connection (docs/project_files.md §1): DEFENSIVE, no trusted schema, no triggers,
// views or extensions, no double-quoted strings, checks on. Our own schema has neither triggers nor views.
void hardenConnection(SQLite::Database& database);

}  // namespace fathom
