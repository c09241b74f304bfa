// SPDX-License-Identifier: Apache-2.0
// What every task says about itself is true of what it reads.
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/tasks/task.h"

using namespace fathom;

namespace {

const Json* memberAt(const Json& json, const std::string& path) {
  const std::size_t dot = path.find('.');
  const auto found = json.find(path.substr(0, dot));
  if (found == json.end()) return nullptr;
  return dot == std::string::npos ? &*found : memberAt(*found, path.substr(dot + 1));
}

}  // namespace

class TaskFactsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sampleIsRead_data() {
    QTest::addColumn<QString>("id");
    for (const TaskEntry& entry : taskEntries())
      if (entry.madeData.write != nullptr)
        QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
  }

  void sampleIsRead() {
    QFETCH(const QString, id);
    const TaskEntry& entry = *findTask(id.toStdString());
    const QTemporaryDir place;
    const std::string folder = place.filePath("sample").toStdString();
    const MadeData made = entry.madeData.write(folder, 1, MadeDataSize::Check).value();
    QVERIFY(made.pieces > 0);
    const Json files = entry.madeData.files(folder);
    for (const auto& [key, file] : files.items()) {
      QVERIFY2(made.options[key] == file, key.c_str());
      QVERIFY2(QFile::exists(QString::fromStdString(file.get<std::string>())), key.c_str());
    }
    OptionValues values{OptionSchema(taskOptionFields(), taskOptionRules())};
    values.set("task", entry.id).value();
    QCOMPARE(taskOf(values), &entry);
    for (const auto& [key, value] : made.options.items()) values.set(key, value).value();
    QVERIFY(values.check().ok());
    for (const BatchKey& batch : entry.batch) {
      QVERIFY2(values.active(batch.key), batch.key.c_str());
      QVERIFY2(batch.tokens.empty() || values.active(batch.tokens), batch.tokens.c_str());
    }
    for (const std::string& key : {entry.data.train, entry.data.validation, entry.data.maxLineBytes})
      QVERIFY2(key.empty() || values.active(key), key.c_str());

    const std::unique_ptr<Task> task = entry.create(values, {}).value();
    checkTexts(entry, *task);
    checkStatistics(entry, *task);
    const std::string line = entry.inputExample;
    QVERIFY(!line.empty());
    TextFindings found;
    const auto batches = task->batchesFromText(std::span(&line, 1), &found).value();
    QCOMPARE(batches.size(), std::size_t{1});
    QVERIFY(found.withoutBlank.empty() && found.cut == 0 && found.leftOut == 0);
  }

  void aTaskThatIsNotNamedIsTheFirst() {
    QCOMPARE(taskOf(Json::object()), &taskEntries().front());
    QCOMPARE(taskOf(Json{{"task", taskEntries().back().id}}), &taskEntries().back());
    QVERIFY(taskOf(Json{{"task", "no such task"}}) == nullptr);
    QVERIFY(taskOf(Json{{"task", 3}}) == nullptr);
  }

 private:
  static void checkTexts(const TaskEntry& entry, const Task& task) {
    for (const DataSplit split : {DataSplit::Train, DataSplit::Validation, DataSplit::Test}) {
      const ExampleTexts texts = task.exampleTexts(split, ExampleId{0});
      QCOMPARE(texts.size(), entry.texts.size());
      for (std::size_t i = 0; i < texts.size(); ++i) {
        QCOMPARE(texts[i].first, entry.texts[i].id);
        QVERIFY(!texts[i].second.empty() && !entry.texts[i].title.empty());
      }
    }
    const Json roles = roleFields(entry.texts);
    QVERIFY(roles.contains("input"));
    if (entry.pairedTest.run != nullptr) QVERIFY(roles.contains("reference"));
  }

  static void checkStatistics(const TaskEntry& entry, const Task& task) {
    const Json statistics = task.statistics();
    using Kind = StatisticField::Kind;
    bool picture = false;
    for (const StatisticField& field : entry.statistics) {
      QVERIFY2(!field.title.empty(), field.path.c_str());
      if (field.kind == Kind::Overlap) {
        QVERIFY2(statistics["overlap"]["train_test"].contains(field.path), field.path.c_str());
        continue;
      }
      const Json* value = memberAt(statistics["train"], field.path);
      QVERIFY2(value != nullptr, field.path.c_str());
      QVERIFY2(field.kind == Kind::Number ? value->is_number() : value->is_object(), field.path.c_str());
      if (field.kind == Kind::Lengths) QVERIFY((*value)["histogram"].size() > 1);
      picture = picture || field.kind != Kind::Number;
    }
    QVERIFY(picture);
  }
};

QTEST_APPLESS_MAIN(TaskFactsTest)
#include "tst_task_facts.moc"
