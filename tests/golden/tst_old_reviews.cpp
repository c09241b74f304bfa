// SPDX-License-Identifier: Apache-2.0
// Projects of Fathom 0.1.0, in which reviews of SQL were stored otherwise than those of other kinds
// (tests/fixtures/old_reviews): files, judgements, notes, edits and figures are what they were.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "app/recipes/figure_builder.h"
#include "app/window/errors/review_loader.h"
#include "core/library/figures/figure_recipe.h"
#include "tests/golden/support_figure_dump.h"
#include "tests/golden/support_golden_text.h"

using namespace fathom;

namespace {

const std::string kFixture = FATHOM_SOURCE_DIR "/tests/fixtures/old_reviews/";

// The files of predictions are named by their whole path, which is another one here.
Result<Json> placedHere(const Json& content) {
  QString text = QString::fromStdString(content.dump());
  text.replace(QStringLiteral("/old/files"), QString::fromStdString(kFixture + "files"));
  return parseJson(text.toStdString());
}

Status nameFilesHere(const std::string& project) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  for (const char* kind : {"figure", "review"}) {
    FATHOM_TRY(auto documents, library->documents(kind));
    for (SavedDocument& document : documents) {
      FATHOM_TRY(document.content, placedHere(document.content));
      FATHOM_TRY(const auto before, library->setDocument(kind, document));
    }
  }
  FATHOM_TRY(const Json last, library->setting("errors.kind_review", Json()));
  if (last.is_null()) return {};
  FATHOM_TRY(const Json here, placedHere(last));
  FATHOM_TRY(const Json before, library->setSetting("errors.kind_review", here));
  return {};
}

// What the project looked at last, opened as the window opens it: a line for everything that people said.
Result<std::string> judgedText(const std::string& project) {
  Progress silent;
  FATHOM_TRY(const auto sources, rememberedReview(project));
  if (!sources) return dataError("nothing is remembered");
  FATHOM_TRY(const auto open, loadReview(project, *sources, silent, {}));
  const Judgements& judged = *open->judgements;
  std::string text = "kind: " + sources->kind + "\n";
  const std::size_t models = open->review.models.size();
  for (std::size_t i = 0; i < open->review.examples(); ++i) {
    for (std::size_t m = 0; m < models; ++m) {
      FATHOM_TRY(const auto history, judged.history(m, i));
      if (const CategoryOverride* human = judged.human(m, i))
        text += "counts: " + std::to_string(i) + " " + human->system + " " + human->category + "\n";
      for (const OverrideChange& change : history)
        text += "said: " + change.value.category + ", program " + change.value.programSays + ", " +
                change.value.author + ", " + change.value.note + "\n";
    }
    if (!judged.note(i).empty()) text += "note: " + std::to_string(i) + " " + judged.note(i) + "\n";
    for (const std::string& tag : judged.tags(i)) text += "tag: " + std::to_string(i) + " " + tag + "\n";
  }
  for (std::size_t i = 0; i < open->review.examples(); ++i) {
    for (std::size_t m = 0; m <= models; ++m) {
      const EditedSide side{m == models, m % models};
      if (const std::string edited = judged.editedText(i, side); !edited.empty())
        text += "edited: " + std::to_string(i) + (side.gold ? " gold " : " predicted ") + edited + "\n";
    }
  }
  return text;
}

}  // namespace

class OldReviewsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void judgementsAreThere_data();
  void judgementsAreThere();
  void figuresAreTheSame_data() { judgementsAreThere_data(); }
  void figuresAreTheSame();

 private:
  std::string project(const QString& kind) const { return m_folder->filePath(kind).toStdString(); }
  void compare(const std::string& text, const std::string& file) {
    const QString problem = test::goldenProblem(text, file);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
  }
  std::unique_ptr<QTemporaryDir> m_folder;
};

// Copies: what is opened is remembered.
void OldReviewsTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  for (const char* kind : {"sql", "class"}) {
    std::error_code code;
    std::filesystem::copy(kFixture + kind, project(QLatin1String(kind)),
                          std::filesystem::copy_options::recursive, code);
    QVERIFY2(!code, code.message().c_str());
    const Status named = nameFilesHere(project(QLatin1String(kind)));
    QVERIFY2(named.ok(), named.ok() ? "" : named.error().text().c_str());
  }
}

void OldReviewsTest::judgementsAreThere_data() {
  QTest::addColumn<QString>("kind");
  for (const char* kind : {"sql", "class"}) QTest::newRow(kind) << QString::fromLatin1(kind);
}

// Twice: opening remembers the review in today's form, and it is the same stored one.
void OldReviewsTest::judgementsAreThere() {
  QFETCH(QString, kind);
  const auto stored = [&] { return storedReviews(*ProjectLibrary::open(project(kind)).value()).value(); };
  const auto before = stored();
  QCOMPARE(before.size(), std::size_t{1});
  for (int time = 0; time < 2; ++time) {
    const auto text = judgedText(project(kind));
    QVERIFY2(text.ok(), text.ok() ? "" : text.error().text().c_str());
    compare(*text, "old_review_" + kind.toStdString() + "_judged.txt");
    QCOMPARE(stored().size(), std::size_t{1});
    QCOMPARE(stored()[0].uuid, before[0].uuid);
    QCOMPARE(stored()[0].name, before[0].name);
    QVERIFY(stored()[0].dataset == before[0].dataset && stored()[0].identities == before[0].identities);
  }
}

// Every recipe draws what it drew, and the files are those that it was made of.
void OldReviewsTest::figuresAreTheSame() {
  QFETCH(QString, kind);
  const auto builder = FigureBuilder::open(project(kind)).value();
  const auto recipes = figureRecipes(builder->library()).value();
  QVERIFY(recipes.size() >= 4);
  for (const FigureRecipe& recipe : recipes) {
    Progress silent;
    const auto spec = builder->build(recipe, silent, {});
    QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
    compare(figureDump(*spec), "old_review_" + kind.toStdString() + "_" + recipe.figure + ".txt");
  }
  QVERIFY2(builder->notes().empty(), builder->notes().empty() ? "" : builder->notes().front().c_str());
}

QTEST_MAIN(OldReviewsTest)
#include "tst_old_reviews.moc"
