// SPDX-License-Identifier: Apache-2.0
// `fathom review` from the shell: scores, tables, rows and figures of every kind; a kind that is added by a
// list line alone works like those that Fathom brings.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "core/library/records/project_library.h"
#include "core/review/judgements.h"
#include "core/review/review.h"
#include "tests/unit/support_small_reviews.h"

using namespace fathom;

class ReviewShellTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void classes();
  void everyKind_data();
  void everyKind();
  void figuresAndTables();
  void recipesGiveTheSameBytes();
  void peopleWin();
  void pairsByPeople();
  void sqlPairsByPeople();
  void badInput();
  void sqlIsAKind();
  void addedKind();

 private:
  struct Said {
    int code = -1;
    QByteArray out, err;
    Json json() const { return parseJson(out.toStdString()).value(); }
  };
  Said ask(const QStringList& words, const char* program = "bin/fathom") const {
    QProcess process;
    process.start(QStringLiteral(FATHOM_BIN_DIR "/../") + QLatin1String(program),
                  QStringList{"review"} + words);
    if (!process.waitForFinished(60000)) process.kill();
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
  }
  QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
  QString write(const char* name, const QByteArray& bytes) const {
    QFile file(path(name));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
  }
  QStringList classWords() const {
    return {"--kind",
            "class",
            "--gold",
            write("gold.tsv", "sentence\tlabel\nx\t0\ny\t1\nz\t1\n"),
            "--predictions",
            "first=" + write("a.tsv", "index\tprediction\n0\t0\n1\t1\n2\t0\n"),
            "second=" + write("b.jsonl",
                              "{\"index\":0,\"probs\":[0.2,0.8]}\n{\"index\":1,\"probs\":[0.1,0.9]}\n"
                              "{\"index\":2,\"probs\":[0.4,0.6]}\n")};
  }
  QTemporaryDir m_folder;
};

void ReviewShellTest::classes() {
  const Said said = ask(classWords() + QStringList{"--csv", path("rows.csv"), "--json"});
  QVERIFY2(said.code == 0, said.err.constData());
  const Json json = said.json();
  QCOMPARE(json["examples"].get<int>(), 3);
  QVERIFY(std::abs(json["models"][0]["scores"]["accuracy"].get<double>() - 200.0 / 3) < 1e-9);
  QVERIFY(json["models"][0]["scores"]["ece"].contains("undefined"));
  // Confidences .8, .9, .6; wrong, right, right: (.8 + .1 + .4) / 3
  QVERIFY(std::abs(json["models"][1]["scores"]["ece"].get<double>() - 1.3 / 3) < 1e-6);
  QCOMPARE(json["wrong_in_any"].get<int>(), 2);
  QCOMPARE(json["pairs"][0]["only_first"].get<int>(), 1);
  QCOMPARE(json["pairs"][0]["test"].get<std::string>(), std::string("mcnemar"));
  QFile rows(path("rows.csv"));
  QVERIFY(rows.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = rows.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 4);
  QVERIFY2(lines[3].contains(",z,1,0,wrong,0,"), lines[3].constData());
  const Said text = ask(classWords());
  QVERIFY(text.out.contains("Matthews") && text.out.contains("wrong in every model: 0"));
}

void ReviewShellTest::everyKind_data() {
  QTest::addColumn<int>("number");
  int number = 0;
  for (const test::SmallReview& small : test::smallReviews()) QTest::newRow(small.kind) << number++;
}

// Scores, sets, pairs, facets, rows, tables and every figure.
void ReviewShellTest::everyKind() {
  QFETCH(const int, number);
  const test::SmallReview& small = test::smallReviews()[std::size_t(number)];
  const ReviewSources sources = test::smallSources(small, m_folder.path());
  QStringList words = {"--kind", small.kind, "--gold", QString::fromStdString(sources.gold), "--predictions"};
  for (const ReviewPredictions& each : sources.predictions)
    words += QString::fromStdString(each.name + "=" + each.path);
  for (const auto& [key, file] : sources.files)
    words += QStringList{"--" + QString::fromStdString(key), QString::fromStdString(file)};
  const Said said =
      ask(words + QStringList{"--json", "--csv", path("each.csv"), "--table", path("each.tex")});
  QVERIFY2(said.code == 0, said.err.constData());
  const Json json = said.json();
  QCOMPARE(json["examples"].get<int>(), 4);
  QCOMPARE(json["wrong_in_all"].get<int>(), 1);
  QCOMPARE(json["wrong_in_any"].get<int>(), 3);
  const Json pair = json["pairs"][0];
  QCOMPARE(pair["only_first"].get<int>(), 1);
  QCOMPARE(pair["only_second"].get<int>(), 1);
  QCOMPARE(pair["test"].get<std::string>(), std::string(small.test));
  QVERIFY(pair["low"].get<double>() <= pair["high"].get<double>() && pair["p"].get<double>() <= 1);
  QVERIFY(!json["facets"].empty());
  const Json& facet = json["facets"][0];
  for (const char* system : {"alpha", "beta"}) {
    int examples = 0, wrong = 0;
    for (const Json& value : facet["values"]) {
      examples += value["systems"][system]["examples"].get<int>();
      wrong += value["systems"][system]["wrong"].get<int>();
    }
    QCOMPARE(examples, 4);
    QCOMPARE(wrong, 2);
  }
  const auto contentOf = [this](const char* name) {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray rows = contentOf("each.csv"), table = contentOf("each.tex");
  QCOMPARE(rows.trimmed().split('\n').size(), 5);
  QVERIFY2(rows.contains("alpha category") && rows.contains(small.word), rows.constData());
  QVERIFY2(table.contains("\\toprule") && table.contains("beta"), table.constData());
  std::vector<std::string> figures = findReviewKind(small.kind).value()->figures;
  figures.insert(figures.end(), {"failure_venn", "failure_upset"});
  for (const std::string& id : figures) {
    const QString file = path((id + ".svg").c_str());
    QFile::remove(file);
    const Said drawn = ask(words + QStringList{"--figure", file});
    QVERIFY2(drawn.code == 0, (QByteArray(id.c_str()) + ": " + drawn.err).constData());
    QVERIFY2(QFile(file).size() > 1000, id.c_str());
  }
  const Said text = ask(words);
  QVERIFY2(text.out.contains("wrong in every model: 1"), text.out.constData());
}

void ReviewShellTest::figuresAndTables() {
  for (const char* name :
       {"confusion_matrix.svg", "calibration_curve.svg", "failure_upset.svg", "failure_venn.svg"}) {
    const Said said = ask(classWords() + QStringList{"--figure", path(name), "--table", path("t.tex")});
    QVERIFY2(said.code == 0, said.err.constData());
    QVERIFY2(QFile(path(name)).size() > 1000, name);
  }
  QFile matrix(path("confusion_matrix.csv"));
  QVERIFY(matrix.open(QIODevice::ReadOnly));
  QVERIFY(matrix.readAll().contains("1,1,1"));
  QFile table(path("t.tex"));
  QVERIFY(table.open(QIODevice::ReadOnly));
  QVERIFY(table.readAll().contains("second"));
  const QStringList numbers = {"--kind",        "number",
                               "--gold",        write("n.tsv", "sentence\tscore\na\t1\nb\t2\nc\t4\n"),
                               "--predictions", write("n.txt", "1\n3\n4\n")};
  for (const char* name : {"prediction_scatter.svg", "example_scores.pdf"}) {
    const Said said = ask(numbers + QStringList{"--figure", path(name)});
    QVERIFY2(said.code == 0, said.err.constData());
    QVERIFY2(QFile(path(name)).size() > 1000, name);
  }
}

// A figure of any kind of predictions has a recipe in the project, from which the same file comes again.
void ReviewShellTest::recipesGiveTheSameBytes() {
  const QString project = path("figures.fathom");
  QVERIFY(ProjectLibrary::openOrCreate(project.toStdString()).ok());
  const auto figure = [&](const QStringList& words, const char* file) {
    QProcess process;
    process.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                  QStringList{"export-figure", "--project", project, "--out", path(file)} + words);
    if (!process.waitForFinished(60000)) process.kill();
    return Said{process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
  };
  const auto bytes = [&](const char* name) {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  for (const char* id : {"confusion_matrix", "failure_venn", "facet_scores"}) {
    const QString name = QString::fromLatin1(id);
    const Said made =
        figure(classWords() + QStringList{"--figure", name, "--style", "acl", "--name", name}, "made.pdf");
    QVERIFY2(made.code == 0, (made.out + made.err).constData());
    const Said again = figure({"--recipe", name}, "again.pdf");
    QVERIFY2(again.code == 0, (again.out + again.err).constData());
    QVERIFY(bytes("made.pdf").size() > 1000);
    QCOMPARE(bytes("again.pdf"), bytes("made.pdf"));
  }
  // Options of the figure, and a kind that it is not for.
  const QStringList words = classWords();
  const Said second =
      figure(words + QStringList{"--figure", "confusion_matrix", "--set", "system=second"}, "second.svg");
  QVERIFY2(second.code == 0, (second.out + second.err).constData());
  const Said other = figure(QStringList{"--figure", "confusion_matrix"}, "none.pdf");
  QCOMPARE(other.code, 2);
  QVERIFY2((other.out + other.err).contains("--kind"), (other.out + other.err).constData());
  const Said unfit = figure(words + QStringList{"--figure", "prediction_scatter"}, "none.pdf");
  QVERIFY(unfit.code != 0);
}

void ReviewShellTest::peopleWin() {
  const std::string project = path("p.fathom").toStdString();
  const auto library = ProjectLibrary::openOrCreate(project).value();
  ReviewSources sources{"class", write("gold.tsv", "sentence\tlabel\nx\t0\ny\t1\nz\t1\n").toStdString()};
  sources.predictions = {{"first", write("a.tsv", "index\tprediction\n0\t0\n1\t1\n2\t0\n").toStdString()}};
  Progress progress;
  const Review review = openReview(sources, 1, progress).value();
  auto judged = Judgements::load(review, library.get()).value();
  QVERIFY(judged.setVerdict(0, 2, "ambiguous", "", "me").ok());
  const Said said =
      ask(classWords() + QStringList{"--judgements", QString::fromStdString(project), "--json"});
  QVERIFY2(said.code == 0, said.err.constData());
  QCOMPARE(said.json()["models"][0]["by_hand"].get<int>(), 1);
  QCOMPARE(said.json()["models"][0]["categories"]["ambiguous"].get<int>(), 1);
}

// Of three examples "first" errs in the last and "second" in the first.
void ReviewShellTest::pairsByPeople() {
  const std::string project = path("pairs.fathom").toStdString();
  const auto library = ProjectLibrary::openOrCreate(project).value();
  ReviewSources sources{"class", write("gold.tsv", "sentence\tlabel\nx\t0\ny\t1\nz\t1\n").toStdString()};
  sources.predictions = {{"first", write("a.tsv", "index\tprediction\n0\t0\n1\t1\n2\t0\n").toStdString()}};
  Progress progress;
  const Review review = openReview(sources, 1, progress).value();
  auto judged = Judgements::load(review, library.get()).value();
  const QStringList words =
      classWords() + QStringList{"--judgements", QString::fromStdString(project), "--json"};
  // Nobody judged: said, and the pairs are the metric's alone.
  const Json before = ask(words).json();
  QCOMPARE(before["people"]["judged"].get<int>(), 0);
  QVERIFY(!before["pairs"][0].contains("people"));
  QVERIFY(judged.setVerdict(0, 2, "after_all", "", "me").ok());
  const Said said = ask(words);
  QVERIFY2(said.code == 0, said.err.constData());
  const Json pair = said.json()["pairs"][0];
  QCOMPARE(pair["only_first"].get<int>(), 1);
  QCOMPARE(pair["only_second"].get<int>(), 1);
  QCOMPARE(pair["difference"].get<double>(), 0.0);
  QCOMPARE(pair["people"]["only_first"].get<int>(), 1);
  QCOMPARE(pair["people"]["only_second"].get<int>(), 0);
  QVERIFY(std::abs(pair["people"]["difference"].get<double>() - 100.0 / 3) < 1e-9);
  QCOMPARE(pair["people"]["p"].get<double>(), 1.0);
  QCOMPARE(said.json()["people"], Json({{"judged", 1}, {"left_out", 0}, {"right_after_all", 1}}));
  const QByteArray text = ask(words.first(words.size() - 1)).out;
  QVERIFY2(text.contains("by people's verdicts") && text.contains("33.33"), text.constData());
  QVERIFY2(text.contains("Examples judged by people: 1;"), text.constData());
  // A figure with intervals counts them when it is asked to: of label 1 both are right for "first".
  for (const auto& [verdicts, share] : {std::pair{"metric", 50.0}, std::pair{"people", 100.0}}) {
    const Said drawn = ask(words + QStringList{"--figure", path("facet_scores.csv"), "--verdicts", verdicts});
    QVERIFY2(drawn.code == 0, drawn.err.constData());
    QFile rows(path("facet_scores.csv"));
    QVERIFY(rows.open(QIODevice::ReadOnly));
    const QList<QByteArray> cells = rows.readAll().split('\n').at(2).split(',');
    QCOMPARE(cells.at(0), QByteArray("first"));
    QCOMPARE(cells.at(2).toDouble(), share);
  }
  const Said matrix = ask(words.first(words.size() - 1) +
                          QStringList{"--figure", path("confusion_matrix.svg"), "--verdicts", "people"});
  QVERIFY2(matrix.code != 0 && matrix.err.contains("counts nobody's verdicts"), matrix.err.constData());
}

void ReviewShellTest::badInput() {
  const QString gold = write("gold.tsv", "sentence\tlabel\nx\t0\ny\t1\nz\t1\n");
  const Said twice = ask({"--kind", "class", "--gold", gold, "--predictions",
                          write("bad.tsv", "index\tprediction\n0\t0\n0\t1\n"), "--csv", path("none.csv")});
  QVERIFY(twice.code != 0);
  QVERIFY2(twice.err.contains("bad.tsv:3: example \"0\" is answered twice"), twice.err.constData());
  QVERIFY(!QFile::exists(path("none.csv")));
  const Said kind = ask({"--kind", "clas", "--gold", gold, "--predictions", gold});
  QVERIFY(kind.code != 0 && kind.err.contains("class"));
  const Said figure = ask({"--kind", "class", "--gold", gold, "--predictions", write("c.txt", "0\n1\n1\n"),
                           "--figure", path("calibration_curve.pdf")});
  QVERIFY(figure.code != 0 && figure.err.contains("probabilities"));
}

void ReviewShellTest::sqlIsAKind() {
  QProcess sample;
  sample.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), {"spider-sample", path("sample")});
  QVERIFY(sample.waitForFinished(60000));
  QVERIFY2(sample.exitCode() == 0, sample.readAllStandardError().constData());
  const QString folder = path("sample");
  const QStringList words = {"--gold",
                             folder + "/dev_gold.sql",
                             "--tables",
                             folder + "/tables.json",
                             "--predictions",
                             "careful=" + folder + "/predictions/careful.sql",
                             "hasty=" + folder + "/predictions/hasty.sql",
                             "--json"};
  const Said review = ask(QStringList{"--kind", "sql"} + words);
  QVERIFY2(review.code == 0, review.err.constData());
  QProcess spider;
  spider.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), QStringList{"spider-compare"} + words);
  QVERIFY(spider.waitForFinished(60000));
  const Json official = parseJson(spider.readAllStandardOutput().toStdString()).value();
  const Json json = review.json();
  for (std::size_t m = 0; m < 2; ++m) {
    const Json &ours = json["models"][m], &theirs = official["models"][m];
    QVERIFY(std::abs(ours["scores"]["exact_match"].get<double>() -
                     100.0 * theirs["right"].get<double>() / theirs["examples"].get<double>()) < 1e-9);
    for (const char* category : {"false_negative", "column", "sketch", "both"})
      QCOMPARE(ours["categories"][category].get<int>(), theirs[category].get<int>());
  }
  QCOMPARE(json["pairs"][0]["p"].get<double>(), official["pairs"][0]["mcnemar_p"].get<double>());
}

// Both commands say the same of the same files and verdicts.
void ReviewShellTest::sqlPairsByPeople() {
  QProcess sample;
  sample.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), {"spider-sample", path("judged")});
  QVERIFY(sample.waitForFinished(60000) && sample.exitCode() == 0);
  const QString folder = path("judged");
  ReviewSources sources{"sql", (folder + "/dev_gold.sql").toStdString()};
  sources.files["tables"] = (folder + "/tables.json").toStdString();
  sources.predictions = {{"careful", (folder + "/predictions/careful.sql").toStdString()},
                         {"hasty", (folder + "/predictions/hasty.sql").toStdString()}};
  Progress progress;
  const Review review = openReview(sources, 1, progress).value();
  const std::string project = path("judged.fathom").toStdString();
  const auto library = ProjectLibrary::openOrCreate(project).value();
  auto judged = Judgements::load(review, library.get()).value();
  const std::vector<std::size_t> better = onlyFirstRight(review, 0, 1);
  QVERIFY(better.size() >= 2);
  QVERIFY(judged.setVerdict(1, better[0], "false_negative", "", "me").ok());
  QVERIFY(judged.setVerdict(1, better[1], "gold_error", "", "me").ok());
  const QStringList words = {"--gold",
                             folder + "/dev_gold.sql",
                             "--tables",
                             folder + "/tables.json",
                             "--predictions",
                             "careful=" + folder + "/predictions/careful.sql",
                             "hasty=" + folder + "/predictions/hasty.sql",
                             "--judgements",
                             QString::fromStdString(project),
                             "--json"};
  const Said ours = ask(QStringList{"--kind", "sql"} + words);
  QVERIFY2(ours.code == 0, ours.err.constData());
  QProcess spider;
  spider.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), QStringList{"spider-compare"} + words);
  QVERIFY(spider.waitForFinished(60000));
  const Json theirs = parseJson(spider.readAllStandardOutput().toStdString()).value();
  const Json json = ours.json();
  QCOMPARE(json["pairs"][0]["people"], theirs["pairs"][0]["people"]);
  QCOMPARE(json["people"], theirs["people"]);
  QCOMPARE(json["people"]["left_out"].get<int>(), 1);
  QCOMPARE(json["pairs"][0]["only_first"].get<std::size_t>(), better.size());
  QCOMPARE(json["pairs"][0]["people"]["only_first"].get<std::size_t>(), better.size() - 2);
}

void ReviewShellTest::addedKind() {
  const QStringList words = {"--kind",
                             "lengths",
                             "--gold",
                             write("texts", "a b c\nd\ne f\n"),
                             "--predictions",
                             "x=" + write("x", "3\n1\n3\n"),
                             "y=" + write("y", "3\n2\n1\n"),
                             "--json"};
  QVERIFY(ask(words).code != 0);  // Fathom as it is has no such kind
  const Said said = ask(words, "made/fathom");
  QVERIFY2(said.code == 0, said.err.constData());
  QVERIFY(std::abs(said.json()["models"][0]["scores"]["right"].get<double>() - 200.0 / 3) < 1e-9);
  QCOMPARE(said.json()["wrong_in_all"].get<int>(), 1);
  QCOMPARE(said.json()["pairs"][0]["only_first"].get<int>(), 1);
}

QTEST_GUILESS_MAIN(ReviewShellTest)
#include "tst_review_shell.moc"
