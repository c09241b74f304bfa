// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/spider/grammar/spider_filter.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/inputs/encoder_row.h"
#include "core/spider/inputs/schema_relations.h"

namespace fathom {

struct TextToSqlOptions {
  std::string train, others, validation, test;   // data sets; "" = none (others, test)
  std::string tables, databases;                 // databases "" = none
  std::string linking;                           // id of exampleLinkings()
  std::string values, wordnet, concepts, links;  // files of the linkers, "" = none
  RelationSet relations = RelationSet::DtFixup;
  RowBuilder::Options row;
  bool shuffleItems = true;
  SpiderFilterRules training;
  std::int64_t maxItems = 0;     // question tokens + items of a training example, 0 = no limit
  std::int64_t maxPieces = 512;  // of a row
  std::int64_t trainExamples = 0, validationExamples = 0;  // drawn at random, 0 = all
  std::string vocabularyFile, mergesFile;                  // merges "": merges.txt beside the vocabulary
  bool lowerCase = true;
  SqlTextStyle style = SqlTextStyle::Correct;
  std::int64_t examples = 16, evaluationExamples = 64;  // of a batch
};

std::vector<OptionField> textToSqlOptionFields();
std::vector<OptionRule> textToSqlOptionRules();
Result<TextToSqlOptions> textToSqlOptionsFrom(const OptionValues& values, bool inputOnly);

}  // namespace fathom
