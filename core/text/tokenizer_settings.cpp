// SPDX-License-Identifier: Apache-2.0
#include "core/text/tokenizer_settings.h"

#include <algorithm>
#include <set>
#include <utility>

namespace fathom {

namespace {

constexpr const char* kSpecialMap = "special_tokens_map.json";
constexpr const char* kAddedTokens = "added_tokens.json";

// Members that say how something else than pieces is done: lengths, types, decoding, where it came from.
void passOverHarmless(SettingsReader& from) {
  from.passOver({"name_or_path",
                 "special_tokens_map_file",
                 "tokenizer_file",
                 "vocab_file",
                 "merges_file",
                 "model_max_length",
                 "max_len",
                 "max_length",
                 "truncation_strategy",
                 "stride",
                 "pad_to_multiple_of",
                 "pad_token_type_id",
                 "model_input_names",
                 "processor_class",
                 "chat_template",
                 "clean_up_tokenization_spaces",
                 "use_fast",
                 "backend",
                 "is_local",
                 "local_files_only",
                 "trim_offsets",
                 "errors",
                 "return_token_type_ids",
                 "add_special_tokens"});
}

// A class with rules of its own in front of the pieces has them in Python alone.
void checkClass(SettingsReader& from, TokenizerSettings& into, bool complete) {
  into.tokenizerClass = from.text("tokenizer_class", "");
  if (from.has("auto_map")) from.refuse("auto_map");
  std::string name = into.tokenizerClass;
  if (name.ends_with("Fast")) name.resize(name.size() - 4);
  static const std::set<std::string> known = {"",
                                              "BertTokenizer",
                                              "DistilBertTokenizer",
                                              "ElectraTokenizer",
                                              "LayoutLMTokenizer",
                                              "MobileBertTokenizer",
                                              "ConvBertTokenizer",
                                              "RobertaTokenizer",
                                              "LongformerTokenizer",
                                              "GPT2Tokenizer",
                                              "BartTokenizer"};
  // tokenizer.json holds the whole of it whatever the class is.
  if (!complete && !known.contains(name)) from.refuse("tokenizer_class");
}

// Members that would change pieces unless they have their usual value.
void checkUsual(SettingsReader& from) {
  if (!from.flag("do_basic_tokenize", true)) from.refuse("do_basic_tokenize");
  if (!from.any("never_split").is_null() && !from.any("never_split").empty()) from.refuse("never_split");
  if (from.text("wordpieces_prefix", "##") != "##") from.refuse("wordpieces_prefix");
  for (const char* key : {"truncation_side", "padding_side"})
    if (from.text(key, "right") != "right") from.refuse(key);
  for (const char* key : {"add_bos_token", "add_eos_token", "keep_accents", "remove_space", "dropout",
                          "word_tokenizer_type", "subword_tokenizer_type", "sp_model_kwargs"}) {
    const Json& value = from.any(key);
    if (!value.is_null() && !value.empty() && value != Json(false)) from.refuse(key);
  }
}

// Adds a token, or completes one that is there under the same name.
void addToken(TokenizerSettings& into, const AddedToken& token, const SettingsReader& from,
              const std::string& key) {
  const auto same = std::find_if(into.added.begin(), into.added.end(),
                                 [&](const AddedToken& one) { return one.content == token.content; });
  if (same == into.added.end()) {
    into.added.push_back(token);
    return;
  }
  AddedToken other = token;
  if (other.id < 0) other.id = same->id;
  if (same->id < 0) same->id = other.id;
  same->special = other.special = same->special || other.special;
  if (!(other == *same))
    from.wrong(key, Phrase::tr("says another thing of '%1' than tokenizer_config.json")(token.content));
}

void readRole(SettingsReader& from, const char* key, std::string& role, TokenizerSettings& into) {
  const Json& value = from.any(key);
  if (value.is_null()) return;
  const AddedToken token = addedTokenFromJson(value, from, key, -1, false, true);
  if (!role.empty() && role != token.content)
    from.wrong(key, Phrase::tr("is '%1', tokenizer_config.json says '%2'")(token.content, role));
  role = token.content;
  // Text alone says nothing about blanks.
  if (value.is_object()) {
    const bool known = std::any_of(into.added.begin(), into.added.end(),
                                   [&](const AddedToken& one) { return one.content == token.content; });
    if (!known) into.added.push_back(token);
  }
}

// The roles, and tokens that are special without one.
void readRoles(SettingsReader& from, TokenizerSettings& into) {
  readRole(from, "cls_token", into.roles.cls, into);
  readRole(from, "sep_token", into.roles.sep, into);
  readRole(from, "pad_token", into.roles.pad, into);
  readRole(from, "unk_token", into.roles.unknown, into);
  readRole(from, "mask_token", into.roles.mask, into);
  std::string bos, eos;  // of texts that are written; rows begin and end with the others
  const std::size_t before = into.added.size();
  readRole(from, "bos_token", bos, into);
  readRole(from, "eos_token", eos, into);
  into.added.resize(before);
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
    const Json& named = from.any(key);
    if (!named.is_null() && !named.is_array() && !named.is_object())
      from.wrong(key, Phrase::tr("must be a list"));
    for (const Json& one : named) {
      const AddedToken token = addedTokenFromJson(one, from, key, -1, false, true);
      const bool known = std::any_of(into.added.begin(), into.added.end(),
                                     [&](const AddedToken& other) { return other.content == token.content; });
      if (!known) into.added.push_back(token);
    }
  }
}

// {"5": {"content": …}}
void readDecoder(SettingsReader& from, TokenizerSettings& into) {
  for (const auto& [id, json] : from.object("added_tokens_decoder").items()) {
    const std::string key = "added_tokens_decoder." + id;
    const bool number =
        !id.empty() && id.size() < 9 && id.find_first_not_of("0123456789") == std::string::npos;
    if (!number) from.wrong(key, Phrase::tr("must be a whole number"));
    addToken(into, addedTokenFromJson(json, from, key, std::stoll(id), false, false), from, key);
  }
}

void readConfig(const TokenizerFiles& files, TokenizerSettings& into) {
  if (!files.has(kTokenizerConfig)) return;
  const std::string path = files.path(kTokenizerConfig);
  const Json json = parseJson(files.bytes.at(kTokenizerConfig), path).value();
  std::vector<std::string> unknown;
  SettingsReader from(json, path, "", unknown);
  passOverHarmless(from);
  checkClass(from, into, files.has(kTokenizerJson));
  checkUsual(from);
  into.lowerCase = from.optionalFlag("do_lower_case");
  into.stripAccents = from.optionalFlag("strip_accents");
  into.hanApart = from.optionalFlag("tokenize_chinese_chars");
  into.prefixBlank = from.optionalFlag("add_prefix_space");
  readDecoder(from, into);
  readRoles(from, into);
  if (from.flag("split_special_tokens", false))
    std::erase_if(into.added, [](const AddedToken& token) { return token.special; });
  from.rest();
  for (const std::string& key : unknown)
    into.passedOver.push_back(std::string(kTokenizerConfig) + ": " + key);
}

void readSpecialMap(const TokenizerFiles& files, TokenizerSettings& into) {
  if (!files.has(kSpecialMap)) return;
  const Json json = parseJson(files.bytes.at(kSpecialMap), files.path(kSpecialMap)).value();
  std::vector<std::string> unknown;
  SettingsReader from(json, files.path(kSpecialMap), "", unknown);
  readRoles(from, into);
  from.rest();
  for (const std::string& key : unknown) into.passedOver.push_back(std::string(kSpecialMap) + ": " + key);
}

// {"token": id}; one that is no special token is looked for in the normalised text.
void readAddedTokens(const TokenizerFiles& files, TokenizerSettings& into) {
  if (!files.has(kAddedTokens)) return;
  const std::string path = files.path(kAddedTokens);
  const Json json = parseJson(files.bytes.at(kAddedTokens), path).value();
  std::vector<std::string> unknown;
  const SettingsReader from(json, path, "", unknown);
  for (const auto& [content, id] : json.items()) {
    if (!id.is_number_integer() || id.get<std::int64_t>() < 0)
      from.wrong(content, Phrase::tr("must be a whole number"));
    const auto same = std::find_if(into.added.begin(), into.added.end(),
                                   [&, name = content](const auto& one) { return one.content == name; });
    if (same != into.added.end()) {
      if (same->id >= 0 && same->id != id.get<std::int64_t>())
        from.wrong(content,
                   Phrase::tr("is %1, tokenizer_config.json says %2")(id.get<std::int64_t>(), same->id));
      same->id = id.get<std::int64_t>();
      continue;
    }
    const TokenRoles& roles = into.roles;
    const bool special = content == roles.cls || content == roles.sep || content == roles.pad ||
                         content == roles.unknown || content == roles.mask;
    AddedToken token;
    token.content = content;
    token.id = id.get<std::int64_t>();
    token.special = special;
    token.normalized = !special;
    into.added.push_back(token);
  }
}

}  // namespace

TokenizerSettings readTokenizerSettings(const TokenizerFiles& files) {
  TokenizerSettings settings;
  readConfig(files, settings);
  readSpecialMap(files, settings);
  readAddedTokens(files, settings);
  return settings;
}

}  // namespace fathom
