// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/schema_linker.h"

#include <map>
#include <set>

#include "core/spider/data/spider_dataset.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/linking/name_linking.h"
#include "core/spider/linking/rat_linking.h"
#include "core/spider/linking/word_forms.h"

namespace fathom {

namespace {

using WordNetPointer = std::shared_ptr<const WordNet>;

// The words of a name or a value as one text of bodies.
std::string bodiesText(const std::vector<std::string>& words, const WordForm& form, bool numbers) {
  std::string out;
  for (const auto& word : words) {
    if (!out.empty()) out += ' ';
    const std::string body = form(word);
    out += numbers ? numberBody(body) : body;
  }
  return out;
}

// A name as DT-Fixup's rules compare it.
std::string cleanedName(const std::string& name, const WordForm& form) {
  return bodiesText(questionWords({unicodeLower(name)}), form, true);
}

// A linker that prepares a schema when it first meets it.
template <typename Prepared>
class PreparingLinker : public SchemaLinker {
 public:
  PreparingLinker(const LinkingSources& sources, WordForm form)
      : m_sources(sources), m_form(rememberedForm(std::move(form))) {}

  Result<LinkedQuestion> link(std::string_view dbId, const std::vector<std::string>& words) override {
    const SpiderSchema* schema = findSchema(*m_sources.schemas, dbId);
    if (!schema) return dataError(Phrase::tr("database \"%1\" is not in tables.json")(dbId));
    LinkedQuestion out;
    out.tokens = tokensOf(words);
    if (out.tokens.empty())
      return dataError(Phrase::tr("a question without words (database \"%1\")")(schema->dbId));
    auto found = m_prepared.find(dbId);
    if (found == m_prepared.end()) {
      FATHOM_TRY(auto prepared, prepare(*schema));
      found = m_prepared.emplace(schema->dbId, std::move(prepared)).first;
    }
    out.links = linksOf(found->second, out.tokens);
    return out;
  }

 protected:
  virtual std::vector<QuestionToken> tokensOf(const std::vector<std::string>& words) const = 0;
  virtual Result<Prepared> prepare(const SpiderSchema& schema) const = 0;
  virtual SchemaLinks linksOf(Prepared& prepared, const std::vector<QuestionToken>& tokens) const = 0;

  // Calls take(expanded column, its values) for the columns whose values are there, ascending.
  template <typename Take>
  void eachStoredColumn(const SpiderSchema& schema, const Take& take) const {
    if (!m_sources.values) return;
    const auto found = m_sources.values->find(schema.dbId);
    if (found == m_sources.values->end()) return;
    std::map<int, const StoredColumn*> columns;
    for (const auto& stored : found->second.columns) {
      const int column = schema.columnIndex(schema.tableIndex(stored.table), stored.column);
      if (column > 0) columns[column] = &stored;
    }
    for (const auto& [column, stored] : columns) take(column, expandedColumn(schema, column), *stored);
  }

  const WordForm& form() const { return m_form; }
  LinkingSources m_sources;

 private:
  WordForm m_form;
  std::map<std::string, Prepared, std::less<>> m_prepared;
};

// DT-Fixup's rules: with lemmas, synonyms and parts of words, or with stems and whole words.
class NameLinker final : public PreparingLinker<NamedSchema> {
 public:
  NameLinker(const LinkingSources& sources, WordForm form, PartialRule rule, WordNetPointer net,
             ConceptTables concepts)
      : PreparingLinker(sources, std::move(form)),
        m_rule(rule),
        m_net(std::move(net)),
        m_concepts(std::move(concepts)) {}

 protected:
  std::vector<QuestionToken> tokensOf(const std::vector<std::string>& words) const override {
    return questionTokens(words, form());
  }

  Result<NamedSchema> prepare(const SpiderSchema& schema) const override {
    NamedSchema out{NameIndex(m_rule), NameIndex(m_rule), {}};
    for (const auto& table : schema.tables) FATHOM_CHECK(add(table.name, out.tables));
    FATHOM_CHECK(add("*", out.tables));
    for (int id = 0; id < expandedCount(schema); ++id) {
      const auto column = static_cast<std::size_t>(expandedColumnAt(schema, id).column);
      FATHOM_CHECK(add(column == 0 ? "*" : schema.columns[column].name, out.columns));
    }
    eachStoredColumn(schema, [&](int column, int id, const StoredColumn& stored) {
      if (schema.columns[static_cast<std::size_t>(column)].type != "text") return;
      for (const auto& value : stored.values) {
        for (const auto& word : wordsOfText(value)) out.values.add(id, form()(word));
      }
    });
    return out;
  }

  SchemaLinks linksOf(NamedSchema& prepared, const std::vector<QuestionToken>& tokens) const override {
    return linkNames(prepared, tokens, m_concepts).links;
  }

 private:
  Status add(const std::string& name, NameIndex& names) const {
    const std::string cleaned = cleanedName(name, form());
    std::vector<std::string> synonyms;
    if (m_net) {
      FATHOM_TRY(synonyms, m_net->synonyms(cleaned));
    }
    names.add(cleaned, synonyms);
    return {};
  }

  PartialRule m_rule;
  WordNetPointer m_net;  // null: no synonyms
  ConceptTables m_concepts;
};

class RatLinker final : public PreparingLinker<RatSchema> {
 public:
  using PreparingLinker::PreparingLinker;

 protected:
  std::vector<QuestionToken> tokensOf(const std::vector<std::string>& words) const override {
    std::vector<QuestionToken> tokens;
    for (auto& word : questionWords(words)) {
      std::string body = form()(word);
      tokens.push_back({std::move(word), std::move(body)});
    }
    return tokens;
  }

  Result<RatSchema> prepare(const SpiderSchema& schema) const override {
    RatSchema out;
    out.columns = expandedCount(schema);
    out.tables = static_cast<int>(schema.tables.size()) + 1;
    for (std::size_t i = 0; i < schema.tables.size(); ++i)
      out.tableNames.add(static_cast<int>(i), cleaned(schema.tables[i].name));
    for (std::size_t i = 1; i < schema.columns.size(); ++i) {
      const int id = expandedColumn(schema, static_cast<int>(i));
      out.columnNames.add(id, cleaned(schema.columns[i].name));
      if (schema.columns[i].type == "number") out.numberColumns.push_back(id);
      if (schema.columns[i].type == "time") out.timeColumns.push_back(id);
    }
    eachStoredColumn(schema, [&out](int, int id, const StoredColumn& stored) {
      for (const auto& value : stored.values) out.cells.add(id, value);
    });
    return out;
  }

  SchemaLinks linksOf(RatSchema& prepared, const std::vector<QuestionToken>& tokens) const override {
    return linkRat(prepared, tokens);
  }

 private:
  std::string cleaned(const std::string& name) const {
    return bodiesText(questionWords({unicodeLower(name)}), form(), false);
  }
};

constexpr const char *kKeptWordnet = "wordnet.json", *kKeptConcepts = "concepts.json",
                     *kKeptLinks = "links.jsonl";

// Text that the run kept under a name, or null.
const std::string* keptText(const LinkingSources& sources, const char* name) {
  if (sources.kept == nullptr) return nullptr;
  const auto found = sources.kept->find(name);
  return found == sources.kept->end() ? nullptr : &found->second;
}

// As errors name it.
std::string keptPath(const char* name) {
  return std::string("artifacts/") + name;
}

Result<ConceptTables> conceptsOf(const LinkingSources& sources) {
  if (const std::string* kept = keptText(sources, kKeptConcepts))
    return parseConceptTables(*kept, keptPath(kKeptConcepts));
  return sources.concepts.empty() ? ConceptTables() : readConceptTables(sources.concepts);
}

// Names of all tables and columns as DT-Fixup's rules compare them.
std::set<std::string> cleanedNames(const SpiderSchemas& schemas, const WordForm& form) {
  std::set<std::string> names = {cleanedName("*", form)};
  for (const auto& [id, schema] : schemas) {
    for (const auto& table : schema.tables) names.insert(cleanedName(table.name, form));
    for (const auto& column : schema.columns) names.insert(cleanedName(column.name, form));
  }
  return names;
}

class FileLinker final : public SchemaLinker {
 public:
  explicit FileLinker(LinkFile file) : m_file(std::move(file)) {}
  Result<LinkedQuestion> link(std::string_view dbId, const std::vector<std::string>& words) override {
    return m_file.find(dbId, words);
  }

 private:
  LinkFile m_file;
};

Result<std::unique_ptr<SchemaLinker>> makeDtFixupLike(const LinkingSources& sources,
                                                      const WordNetPointer& net) {
  FATHOM_TRY(auto concepts, conceptsOf(sources));
  return std::unique_ptr<SchemaLinker>(std::make_unique<NameLinker>(
      sources, wordnetForm(net), PartialRule::Substring, net, std::move(concepts)));
}

Result<std::unique_ptr<SchemaLinker>> makeRatSqlLike(const LinkingSources& sources,
                                                     const WordNetPointer& net) {
  return std::unique_ptr<SchemaLinker>(std::make_unique<RatLinker>(sources, wordnetForm(net)));
}

Result<std::unique_ptr<SchemaLinker>> makeStems(const LinkingSources& sources, const WordNetPointer&) {
  FATHOM_TRY(auto form, stemForm());
  FATHOM_TRY(auto concepts, conceptsOf(sources));
  return std::unique_ptr<SchemaLinker>(std::make_unique<NameLinker>(
      sources, std::move(form), PartialRule::WholeWords, nullptr, std::move(concepts)));
}

Result<std::unique_ptr<SchemaLinker>> makeFromFile(const LinkingSources& sources, const WordNetPointer&) {
  if (const std::string* kept = keptText(sources, kKeptLinks)) {
    FATHOM_TRY(auto file, LinkFile::parse(*kept, keptPath(kKeptLinks), *sources.schemas));
    return std::unique_ptr<SchemaLinker>(std::make_unique<FileLinker>(std::move(file)));
  }
  if (sources.links.empty())
    return usageError(Phrase::tr("linking \"file\" needs a file of links"),
                      Phrase::tr("make one: fathom spider-link --data FILE --tables FILE --out FILE"));
  FATHOM_TRY(auto file, LinkFile::read(sources.links, *sources.schemas));
  return std::unique_ptr<SchemaLinker>(std::make_unique<FileLinker>(std::move(file)));
}

// An entry of the choices.
struct LinkingEntry {
  const char* id;
  const char* title;
  bool needsWordnet;
  Result<std::unique_ptr<SchemaLinker>> (*make)(const LinkingSources&, const WordNetPointer&);
  bool synonyms = false, concepts = false, links = false;  // what else it is made of
};

const std::vector<LinkingEntry>& linkingEntries() {
  static const std::vector<LinkingEntry> kEntries = {
      {"dt_fixup_like", Phrase::tr("Like DT-Fixup: lemmas, synonyms, parts of words, values").english, true,
       &makeDtFixupLike, true, true},
      {"rat_sql_like", Phrase::tr("Like RAT-SQL: five words in a row, beginnings of names, cells").english,
       true, &makeRatSqlLike},
      {"stems", Phrase::tr("Stems: whole words and values, without WordNet").english, false, &makeStems,
       false, true},
      {"file", Phrase::tr("From a file of links").english, false, &makeFromFile, false, false, true}};
  return kEntries;
}

// Null where it is absent and something else may take its place.
Result<WordNetPointer> wordnetOf(const LinkingSources& sources, const char* id) {
  if (const std::string* kept = keptText(sources, kKeptWordnet))
    return WordNet::fromKept(*kept, keptPath(kKeptWordnet));
  auto read = WordNet::read(sources.wordnet);
  if (read.ok() || read.error().kind != ErrorKind::Resource) return read;
  if (sources.mayReplace) return WordNetPointer();
  return unavailableError(
      Phrase::tr(
          "the links of %1 cannot be made again: WordNet is not in %2, and the run kept nothing of it")(
          id, sources.wordnet),
      Phrase::tr("install the package wordnet-base; if the run was trained without it, add --set "
                 "spider.linking=stems"));
}

// Texts for a run to keep; those that were kept before stay as they are.
Result<std::map<std::string, std::string>> keptOf(const LinkingEntry& entry, const LinkingSources& sources,
                                                  const WordNetPointer& net) {
  std::map<std::string, std::string> kept;
  const auto keep = [&](const char* name, const auto& make) -> Status {
    if (const std::string* before = keptText(sources, name)) {
      kept[name] = *before;
      return {};
    }
    FATHOM_TRY(kept[name], make());
    return {};
  };
  const auto names = [&]() -> Result<std::set<std::string>> {
    if (net != nullptr) return cleanedNames(*sources.schemas, wordnetForm(net));
    FATHOM_TRY(const WordForm form, stemForm());
    return cleanedNames(*sources.schemas, form);
  };
  if (entry.needsWordnet) {
    FATHOM_CHECK(keep(kKeptWordnet, [&]() -> Result<std::string> {
      if (!entry.synonyms) return net->kept({});
      FATHOM_TRY(const auto all, names());
      return net->kept({all.begin(), all.end()});
    }));
  }
  if (entry.concepts && (!sources.concepts.empty() || keptText(sources, kKeptConcepts) != nullptr)) {
    FATHOM_CHECK(keep(kKeptConcepts, [&]() -> Result<std::string> {
      FATHOM_TRY(const auto all, names());
      FATHOM_TRY(const ConceptTables tables, conceptsOf(sources));
      return conceptTablesText(tables, all);
    }));
  }
  if (entry.links) FATHOM_CHECK(keep(kKeptLinks, [&] { return readMaybeGzip(sources.links); }));
  return kept;
}

}  // namespace

std::vector<OptionChoice> schemaLinkings() {
  std::vector<OptionChoice> choices;
  for (const auto& entry : linkingEntries()) choices.push_back({entry.id, entry.title});
  return choices;
}

Result<OpenedLinker> openSchemaLinker(std::string_view id, const LinkingSources& sources) {
  const LinkingEntry* entry = nullptr;
  const LinkingEntry* stems = nullptr;
  for (const auto& each : linkingEntries()) {
    if (each.id == id) entry = &each;
    if (std::string_view(each.id) == "stems") stems = &each;
  }
  if (!entry)
    return usageError(Phrase::tr("unknown linking \"%1\"")(id), Phrase::tr("choose one of spider.linking"));
  OpenedLinker out;
  WordNetPointer net;
  if (entry->needsWordnet) {
    FATHOM_TRY(net, wordnetOf(sources, entry->id));
    if (net == nullptr) {
      out.note = Phrase::tr("WordNet is not in %1 (Debian package wordnet-base): %2 is replaced by stems.")(
          sources.wordnet, entry->id);
      entry = stems;
    }
  }
  out.used = entry->id;
  FATHOM_TRY(out.linker, entry->make(sources, net));
  if (sources.keep) {
    FATHOM_TRY(out.kept, keptOf(*entry, sources, net));
  }
  return out;
}

}  // namespace fathom
