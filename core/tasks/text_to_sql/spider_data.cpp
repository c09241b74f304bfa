// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/data_set.h"

namespace fathom {

namespace {

bool holdsQuestions(const std::string& file) {
  const std::string text = DataPlace::beginning(file);
  return text.find("\"db_id\"") != std::string::npos && text.find("\"question\"") != std::string::npos;
}

std::optional<FoundDataSet> findSpider(const DataPlace& place) {
  const std::string tables = place.file({"tables.json"});
  const std::string train = place.file({"train_spider.json", "train.json"}),
                    others = place.file({"train_others.json"}), dev = place.file({"dev.json"}),
                    test = place.file({"test.json"});
  const std::string& any = train.empty() ? dev : train;
  if (tables.empty() || any.empty() || !place.pointsInto({tables, train, others, dev, test})) return {};
  if (!holdsQuestions(any) || DataPlace::beginning(tables).find("\"column_names\"") == std::string::npos)
    return {};
  const Phrase archive = Phrase::tr("it is in Spider's archive");
  FoundDataSet found;
  found.take("data.train", train, {{}, Phrase::tr("train_spider.json: the training examples"), archive});
  found.take("spider.train_others", others,
             {{}, Phrase::tr("train_others.json: 1,659 more training examples"), archive, false});
  found.take("data.validation", dev, {{}, Phrase::tr("dev.json: every run is validated"), archive});
  found.take("spider.tables", tables);
  if (!test.empty() && holdsQuestions(test)) found.take("data.test", test);
  const bool packed = !place.file({"databases.tar", "database.tar", "database.zip"}).empty();
  found.take("spider.databases", place.subfolder({"database", "databases"}),
             {{},
              Phrase::tr("The folder database: execution accuracy, and links to values"),
              packed ? Phrase::tr("unpack the archive of databases that lies beside it") : archive,
              false});
  if (!found.options.contains("spider.databases")) found.options["validation.execution"] = false;
  found.vocabulary = "spider.vocabulary";
  return found;
}

}  // namespace

DataSetKind spiderDataEntry() {
  return {.id = "spider",
          .title = "Spider",
          .task = "text_to_sql",
          .preset = "sql_sp_quick",
          .source = Phrase::tr("Spider (Yu et al. 2018) is at https://yale-lily.github.io/spider."),
          .find = findSpider};
}

}  // namespace fathom
