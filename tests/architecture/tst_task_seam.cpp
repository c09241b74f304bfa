// SPDX-License-Identifier: Apache-2.0
// A task is one folder, one objective, perhaps a folder of what a review makes of its records, and list
// lines: nobody else names it. What others need to know of a task its entry says (core/tasks/task_facts.h).
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "core/tasks/task.h"

using namespace fathom;

namespace {

const QString kRoot = QStringLiteral(FATHOM_SOURCE_DIR);

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QMap<QString, QString> sources() {
  static const QRegularExpression comment(QStringLiteral("//[^\n]*"));
  QMap<QString, QString> found;
  for (const char* folder : {"core", "views", "app"}) {
    QDirIterator it(kRoot + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      const QString path = it.next();
      found[QDir(kRoot).relativeFilePath(path)] = textOf(path).remove(comment);
    }
  }
  return found;
}

struct ListedTask {
  QString id, folder, objective, review;  // "nmt", "core/tasks/nmt/", "core/objectives/nmt_objective.",
                                          // "core/review/kinds/nmt/"
  bool owns(const QString& path) const {
    return path.startsWith(folder) || path.startsWith(objective) || path.startsWith(review);
  }
};

QVector<ListedTask> listedTasks() {
  QVector<ListedTask> tasks;
  for (QString line : textOf(kRoot + "/core/tasks/tasks.list").split('\n')) {
    line = line.section('#', 0, 0).trimmed();
    if (line.isEmpty()) continue;
    const QString id = line.section('/', 0, 0);
    tasks.append({id, "core/tasks/" + id + "/", "core/objectives/" + id + "_objective.",
                  "core/review/kinds/" + id + "/"});
  }
  return tasks;
}

// NmtTask, nmt_batches -> "Nmt".
QString camel(const QString& id) {
  QString name;
  for (const QString& word : id.split('_')) name += word.left(1).toUpper() + word.mid(1);
  return name;
}

}  // namespace

class TaskSeamTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyTaskIsAFolderWithAnObjective() {
    const QVector<ListedTask> tasks = listedTasks();
    QCOMPARE(tasks.size(), qsizetype(taskEntries().size()));
    QVERIFY(tasks.size() >= 2);
    for (const ListedTask& task : tasks) {
      QVERIFY2(findTask(task.id.toStdString()) != nullptr, qPrintable(task.id));
      QVERIFY2(QFile::exists(kRoot + "/" + task.objective + "cpp"), qPrintable(task.objective));
    }
  }

  // Its id, its headers, the types of its headers.
  void nobodyElseNamesATask() {
    const QMap<QString, QString> all = sources();
    QVERIFY(all.size() > 300);
    static const QRegularExpression type(
        QStringLiteral("^(?:struct|class|enum class) ([A-Z]\\w+)(?: final)?(?: :[^;{]*)? \\{"),
        QRegularExpression::MultilineOption);
    QStringList broken;
    for (const ListedTask& task : listedTasks()) {
      const QRegularExpression itself("\"" + task.id + "\"|\\b" + camel(task.id) + "(?:Task|Objective)\\b");
      QStringList words = {itself.pattern(), "\"" + task.folder, "\"" + task.review};
      for (auto it = all.begin(); it != all.end(); ++it) {
        if (!it.key().startsWith(task.folder) || !it.key().endsWith(".h")) continue;
        auto found = type.globalMatch(it.value());
        while (found.hasNext()) words.append("\\b" + found.next().captured(1) + "\\b");
      }
      QVERIFY2(words.size() > 3, qPrintable(task.id));
      const QRegularExpression named(words.join('|'));
      for (auto it = all.begin(); it != all.end(); ++it) {
        if (task.owns(it.key())) continue;
        const auto match = named.match(it.value());
        if (match.hasMatch()) broken << it.key() + ": " + match.captured();
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // What tasks of long inputs share knows none of them, by the name of a file or of anything in it.
  void sharedLongTextNamesNoTask() {
    const QString shared = "core/tasks/long_text/";
    const QMap<QString, QString> all = sources();
    QStringList broken;
    int users = 0;
    for (const ListedTask& task : listedTasks()) {
      bool uses = false;
      for (auto it = all.begin(); it != all.end(); ++it)
        uses = uses || (it.key().startsWith(task.folder) && it.value().contains("\"" + shared));
      if (!uses) continue;
      ++users;
      QString name = task.id;  // hotpotqa -> hotpot, natural_questions -> naturalquestions
      name.remove('_').replace(QRegularExpression("qa$"), "");
      for (auto it = all.begin(); it != all.end(); ++it)
        if (it.key().startsWith(shared) &&
            QString(it.key() + it.value()).remove('_').contains(name, Qt::CaseInsensitive))
          broken << it.key() + ": " + name;
    }
    QVERIFY(users >= 4);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // The options of one task are nobody else's business; those that tasks share are declared beside them.
  void nobodyElseReadsTheOptionsOfATask() {
    QMap<QString, QStringList> users;  // key -> tasks
    for (const TaskEntry& entry : taskEntries())
      for (const OptionField& field : entry.fields)
        users[QString::fromStdString(field.key)].append(QString::fromStdString(entry.id));
    const QMap<QString, QString> all = sources();
    QStringList broken;
    int own = 0;
    for (const ListedTask& task : listedTasks()) {
      for (auto key = users.begin(); key != users.end(); ++key) {
        if (key.value() != QStringList{task.id}) continue;
        ++own;
        for (auto it = all.begin(); it != all.end(); ++it)
          if (!task.owns(it.key()) && it.value().contains("\"" + key.key() + "\""))
            broken << it.key() + ": \"" + key.key() + "\" of " + task.id;
      }
    }
    QVERIFY(own > 10);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // The keys of data that tasks share are named where they are declared, and in hints of initialisations.
  void dataKeysComeFromTheTask() {
    const QSet<QString> allowed = {"core/tasks/data_options.cpp", "core/tasks/task_facts.h"};
    QStringList broken;
    const QMap<QString, QString> all = sources();
    for (auto it = all.begin(); it != all.end(); ++it) {
      if (it.key().startsWith("core/tasks/") && !it.key().startsWith("core/tasks/task")) continue;
      if (allowed.contains(it.key())) continue;
      for (const char* key :
           {"\"data.train\"", "\"data.validation\"", "\"data.test\"", "\"data.max_line_bytes\""})
        if (it.value().contains(QLatin1String(key))) broken << it.key() + ": " + key;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }
};

QTEST_APPLESS_MAIN(TaskSeamTest)
#include "tst_task_seam.moc"
