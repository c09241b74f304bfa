// SPDX-License-Identifier: Apache-2.0
#include "core/spider/data/made_spider.h"

#include <array>

#include "core/base/json/json.h"
#include "core/base/numbers/random_stream.h"
#include "core/spider/data/text_lines.h"

namespace fathom {

namespace {

// Two kinds of things and a table that links them. The words fill the templates.
struct Domain {
  const char* id;
  const char *a, *aId, *aName, *aNumber, *aKind;  // table and columns
  const char *b, *bId, *bName, *bNumber, *bKind;
  const char *link, *linkId, *year, *amount;
  const char *aWord, *bWord, *aNumberWord, *bNumberWord, *aKindWord, *bKindWord;  // in questions
  std::array<const char*, 8> aNames, bNames;
  std::array<const char*, 3> aKinds, bKinds;
};

const std::array<Domain, 3>& domains() {
  static const std::array<Domain, 3> all = {{
      {"town_library",
       "reader",
       "reader_id",
       "name",
       "age",
       "city",
       "book",
       "book_id",
       "title",
       "pages",
       "genre",
       "loan",
       "loan_id",
       "year",
       "days",
       "readers",
       "books",
       "age",
       "number of pages",
       "city",
       "genre",
       {"Ada", "Bert", "Clara", "Dora", "Emil", "Frida", "Georg", "Hanna"},
       {"Glass Sea", "Iron Hill", "Last Train", "Night Garden", "Old Roads", "Paper Moon", "Quiet Water",
        "Red Barn"},
       {"Ulm", "Bonn", "Kiel"},
       {"crime", "poetry", "travel"}},
      {"flower_market",
       "customer",
       "customer_id",
       "name",
       "points",
       "town",
       "flower",
       "flower_id",
       "flower_name",
       "price",
       "color",
       "sale",
       "sale_id",
       "year",
       "stems",
       "customers",
       "flowers",
       "number of points",
       "price",
       "town",
       "color",
       {"Irma", "Jonas", "Karla", "Ludwig", "Marta", "Nils", "Olga", "Paul"},
       {"Aster", "Begonia", "Crocus", "Dahlia", "Freesia", "Iris", "Lily", "Tulip"},
       {"Lyon", "Metz", "Nice"},
       {"white", "yellow", "violet"}},
      {"bike_rental",
       "rider",
       "rider_id",
       "rider_name",
       "height",
       "club",
       "bike",
       "bike_id",
       "model",
       "weight",
       "frame",
       "trip",
       "trip_id",
       "year",
       "minutes",
       "riders",
       "bikes",
       "height",
       "weight",
       "club",
       "frame",
       {"Quinn", "Rosa", "Sven", "Tilda", "Ugo", "Vera", "Willi", "Xenia"},
       {"Arrow", "Breeze", "Comet", "Drift", "Ember", "Falcon", "Gale", "Harrier"},
       {"North", "South", "Lake"},
       {"steel", "carbon", "wood"}},
  }};
  return all;
}

struct Template {
  const char *question, *gold, *column, *sketch, *both, *same;  // same: other words, the same meaning
};

// {X} are names of the domain, {n} {y} numbers, {k} {m} values that occur.
const std::array<Template, 10>& templates() {
  static const std::array<Template, 10> all = {{
      {"How many {as} are there?", "SELECT count(*) FROM {A}", "SELECT count({aNumber}) FROM {A}",
       "SELECT avg(*) FROM {A}", "SELECT max({aNumber}) FROM {A}", "SELECT count({aId}) FROM {A}"},
      {"What are the names of the {as} from {k}?", "SELECT {aName} FROM {A} WHERE {aKind} = '{k}'",
       "SELECT {aNumber} FROM {A} WHERE {aKind} = '{k}'", "SELECT {aName} FROM {A} WHERE {aKind} != '{k}'",
       "SELECT count({aId}) FROM {A} WHERE {aKind} = '{k}'",
       "SELECT {aName} FROM {A} WHERE NOT {aKind} != '{k}'"},
      {"List the {bs} whose {bNumberWord} is between {n} and {y}.",
       "SELECT {bName} FROM {B} WHERE {bNumber} BETWEEN {n} AND {y}",
       "SELECT {bKind} FROM {B} WHERE {bNumber} BETWEEN {n} AND {y}",
       "SELECT {bName} FROM {B} WHERE {bNumber} > {n}", "SELECT {bKind} FROM {B} WHERE {bNumber} > {n}",
       "SELECT {bName} FROM {B} WHERE {bNumber} >= {n} AND {bNumber} <= {y}"},
      {"What is the average {aNumberWord} of the {as} of each {aKindWord}?",
       "SELECT {aKind}, avg({aNumber}) FROM {A} GROUP BY {aKind}",
       "SELECT {aName}, avg({aNumber}) FROM {A} GROUP BY {aName}",
       "SELECT {aKind}, max({aNumber}) FROM {A} GROUP BY {aKind}", "SELECT {aName}, {aNumber} FROM {A}",
       "SELECT {aKind}, (avg({aNumber})) FROM {A} GROUP BY {aKind}"},
      {"Which {bs} are of {bKindWord} {m} or {bKindWord} {o}?",
       "SELECT {bName} FROM {B} WHERE {bKind} = '{m}' OR {bKind} = '{o}'",
       "SELECT {bNumber} FROM {B} WHERE {bKind} = '{m}' OR {bKind} = '{o}'",
       "SELECT {bName} FROM {B} WHERE {bKind} = '{m}' AND {bKind} = '{o}'",
       "SELECT {bNumber} FROM {B} WHERE {bKind} = '{m}'",
       "SELECT {bName} FROM {B} WHERE {bKind} IN ('{m}', '{o}')"},
      {"Show the names of the {as} and the {bs} they took in {year}.",
       "SELECT T1.{aName}, T3.{bName} FROM {A} AS T1 JOIN {L} AS T2 ON T1.{aId} = T2.{aId} JOIN {B} AS T3 ON "
       "T2.{bId} = T3.{bId} WHERE T2.{year_} = {year}",
       "SELECT T1.{aName}, T3.{bKind} FROM {A} AS T1 JOIN {L} AS T2 ON T1.{aId} = T2.{aId} JOIN {B} AS T3 ON "
       "T2.{bId} = T3.{bId} WHERE T2.{year_} = {year}",
       "SELECT T1.{aName}, T3.{bName} FROM {A} AS T1 JOIN {L} AS T2 ON T1.{aId} = T2.{aId} JOIN {B} AS T3 ON "
       "T2.{bId} = T3.{bId} WHERE T2.{year_} >= {year}",
       "SELECT T1.{aName} FROM {A} AS T1 JOIN {L} AS T2 ON T1.{aId} = T2.{aId} WHERE T2.{amount} > {year}",
       "SELECT T1.{aName}, T3.{bName} FROM {A} AS T1 JOIN {L} AS T2 ON T1.{aId} = T2.{aId} JOIN {B} AS T3 ON "
       "T2.{bId} = T3.{bId} WHERE NOT T2.{year_} != {year}"},
      {"How many times was each of the {bs} taken?",
       "SELECT T1.{bName}, count(*) FROM {B} AS T1 JOIN {L} AS T2 ON T1.{bId} = T2.{bId} GROUP BY T1.{bId}",
       "SELECT T1.{bKind}, count(*) FROM {B} AS T1 JOIN {L} AS T2 ON T1.{bId} = T2.{bId} GROUP BY T1.{bId}",
       "SELECT T1.{bName}, sum(*) FROM {B} AS T1 JOIN {L} AS T2 ON T1.{bId} = T2.{bId} GROUP BY T1.{bId}",
       "SELECT {bKind}, {bNumber} FROM {B}",
       "SELECT T1.{bName}, count(T2.{bId}) FROM {B} AS T1 JOIN {L} AS T2 ON T1.{bId} = T2.{bId} GROUP BY "
       "T1.{bId}"},
      {"Which of the {as} took nothing?",
       "SELECT {aName} FROM {A} WHERE {aId} NOT IN (SELECT {aId} FROM {L})",
       "SELECT {aKind} FROM {A} WHERE {aId} NOT IN (SELECT {aId} FROM {L})",
       "SELECT {aName} FROM {A} WHERE {aId} IN (SELECT {aId} FROM {L})",
       "SELECT {aKind} FROM {A} WHERE {aId} IN (SELECT {aId} FROM {L})",
       "SELECT {aName} FROM {A} WHERE {aId} NOT IN (SELECT DISTINCT {aId} FROM {L})"},
      {"Which of the {bs} has the highest {bNumberWord}?",
       "SELECT {bName} FROM {B} ORDER BY {bNumber} DESC LIMIT 1",
       "SELECT {bKind} FROM {B} ORDER BY {bNumber} DESC LIMIT 1",
       "SELECT {bName} FROM {B} ORDER BY {bNumber} ASC LIMIT 1", "SELECT max({bId}) FROM {B}",
       "SELECT b.{bName} FROM {B} b ORDER BY b.{bNumber} DESC LIMIT 1"},
      {"Which kinds of {bs} are both lighter than {n} and heavier than {y}?",
       "SELECT {bKind} FROM {B} WHERE {bNumber} < {n} INTERSECT SELECT {bKind} FROM {B} WHERE {bNumber} > "
       "{y}",
       "SELECT {bName} FROM {B} WHERE {bNumber} < {n} INTERSECT SELECT {bName} FROM {B} WHERE {bNumber} > "
       "{y}",
       "SELECT {bKind} FROM {B} WHERE {bNumber} < {n} UNION SELECT {bKind} FROM {B} WHERE {bNumber} > {y}",
       "SELECT {bName} FROM {B} WHERE {bNumber} < {n}",
       "SELECT {bKind} FROM {B} WHERE {bNumber} > {y} INTERSECT SELECT {bKind} FROM {B} WHERE {bNumber} < "
       "{n}"},
  }};
  return all;
}

using Words = std::vector<std::pair<std::string, std::string>>;

std::string filled(std::string_view text, const Words& words) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto close = text[i] == '{' ? text.find('}', i) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += text[i];
      continue;
    }
    const auto name = text.substr(i + 1, close - i - 1);
    for (const auto& [key, value] : words) {
      if (key == name) out += value;
    }
    i = close;
  }
  return out;
}

Words wordsOf(const Domain& d, RandomStream& random) {
  const std::size_t kind = random.below(3);
  const int low = 20 + static_cast<int>(random.below(30)),
            high = low + 40 + static_cast<int>(random.below(100));
  return {{"A", d.a},
          {"aId", d.aId},
          {"aName", d.aName},
          {"aNumber", d.aNumber},
          {"aKind", d.aKind},
          {"B", d.b},
          {"bId", d.bId},
          {"bName", d.bName},
          {"bNumber", d.bNumber},
          {"bKind", d.bKind},
          {"L", d.link},
          {"year_", d.year},
          {"amount", d.amount},
          {"as", d.aWord},
          {"bs", d.bWord},
          {"aNumberWord", d.aNumberWord},
          {"bNumberWord", d.bNumberWord},
          {"aKindWord", d.aKindWord},
          {"bKindWord", d.bKindWord},
          {"k", d.aKinds[random.below(3)]},
          {"m", d.bKinds[kind]},
          {"o", d.bKinds[(kind + 1) % 3]},
          {"n", std::to_string(low)},
          {"y", std::to_string(high)},
          {"year", std::to_string(2019 + static_cast<int>(random.below(5)))}};
}

std::string databaseSql(const Domain& d, RandomStream& random) {
  const Words words = wordsOf(d, random);
  Words more = words;
  more.emplace_back("linkId", d.linkId);
  std::string sql = filled(
      "CREATE TABLE {A} ({aId} INTEGER PRIMARY KEY, {aName} TEXT NOT NULL, {aNumber} INTEGER, {aKind} "
      "TEXT);\n"
      "CREATE TABLE {B} ({bId} INTEGER PRIMARY KEY, {bName} TEXT NOT NULL, {bNumber} INTEGER, {bKind} "
      "TEXT);\n"
      "CREATE TABLE {L} ({linkId} INTEGER PRIMARY KEY, {aId} INTEGER NOT NULL, {bId} INTEGER NOT NULL, "
      "{year_} INTEGER, {amount} INTEGER, "
      "FOREIGN KEY ({aId}) REFERENCES {A} ({aId}), FOREIGN KEY ({bId}) REFERENCES {B} ({bId}));\n",
      more);
  const auto things = [&](const char* table, const auto& names, const auto& kinds) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      sql += std::string("INSERT INTO ") + table + " VALUES (" + std::to_string(i + 1) + ", '" + names[i] +
             "', " + std::to_string(20 + random.below(180)) + ", '" + kinds[random.below(3)] + "');\n";
    }
  };
  things(d.a, d.aNames, d.aKinds);
  things(d.b, d.bNames, d.bKinds);
  for (int i = 1; i <= 24; ++i) {
    sql += std::string("INSERT INTO ") + d.link + " VALUES (" + std::to_string(i) + ", " +
           std::to_string(1 + random.below(6)) + ", " + std::to_string(1 + random.below(8)) + ", " +
           std::to_string(2019 + random.below(5)) + ", " + std::to_string(1 + random.below(60)) + ");\n";
  }
  return sql;
}

std::string spaced(std::string text) {
  for (char& c : text) {
    if (c == '_') c = ' ';
  }
  return text;
}

Json schemaJson(const Domain& d) {
  const std::vector<std::pair<int, const char*>> columns = {
      {0, d.aId},   {0, d.aName},  {0, d.aNumber}, {0, d.aKind}, {1, d.bId},  {1, d.bName}, {1, d.bNumber},
      {1, d.bKind}, {2, d.linkId}, {2, d.aId},     {2, d.bId},   {2, d.year}, {2, d.amount}};
  const char* types[] = {"number", "text",   "number", "text",   "number", "text",  "number",
                         "text",   "number", "number", "number", "number", "number"};
  Json originals = {{-1, "*"}}, names = {{-1, "*"}}, kinds = {"text"};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    originals.push_back({columns[i].first, columns[i].second});
    names.push_back({columns[i].first, spaced(columns[i].second)});
    kinds.push_back(types[i]);
  }
  return {{"db_id", d.id},
          {"table_names_original", {d.a, d.b, d.link}},
          {"table_names", {d.a, d.b, d.link}},
          {"column_names_original", originals},
          {"column_names", names},
          {"column_types", kinds},
          {"primary_keys", {1, 5, 9}},
          {"foreign_keys", {{10, 1}, {11, 5}}}};
}

// Fixed shares of a model's answers: right, or one of the template's wrong answers.
struct Shares {
  int right, column, sketch, both;  // of 100; the rest says the same in other words
};

std::pair<std::string, std::string> answer(const Template& t, const Words& words, const Shares& shares,
                                           RandomStream& random) {
  auto dice = static_cast<int>(random.below(100));
  const auto falls = [&](int share) {
    const bool here = dice < share;
    dice -= share;
    return here;
  };
  if (falls(shares.right)) return {filled(t.gold, words), "Correct"};
  if (falls(shares.column)) return {filled(t.column, words), "Column"};
  if (falls(shares.sketch)) return {filled(t.sketch, words), "Sketch"};
  if (falls(shares.both)) return {filled(t.both, words), "Both"};
  return {filled(t.same, words), "False negative"};
}

}  // namespace

MadeSpider makeSpiderData(std::uint64_t seed) {
  MadeSpider made;
  RandomStream random(streamSeed(seed, "spider sample"));
  Json tables = Json::array();
  for (const Domain& domain : domains()) {
    tables.push_back(schemaJson(domain));
    made.databases.emplace_back(domain.id);
    made.databaseSql.push_back(databaseSql(domain, random));
    for (int round = 0; round < 4; ++round) {
      for (const Template& t : templates()) {
        const Words words = wordsOf(domain, random);
        MadeSpiderExample example;
        example.dbId = domain.id;
        example.question = filled(t.question, words);
        example.gold = filled(t.gold, words);
        std::tie(example.careful, example.carefulKind) = answer(t, words, {72, 12, 6, 4}, random);
        std::tie(example.hasty, example.hastyKind) = answer(t, words, {50, 10, 22, 14}, random);
        made.examples.push_back(std::move(example));
      }
    }
  }
  made.tablesJson = tables.dump(1);
  return made;
}

}  // namespace fathom
