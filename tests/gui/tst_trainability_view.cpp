// SPDX-License-Identifier: Apache-2.0
// The check of trainability on the page of a new run.
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "core/analysis/training/trainability.h"
#include "core/base/json/phrase_json.h"
#include "tests/gui/support_form_schema.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/preset_list.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/trainability_figure.h"
#include "views/panels/train/trainability_view.h"

using namespace fathom;

namespace {

Json reportOf(std::vector<double> ownShare) {
  StackCheck stack;
  stack.stack = "decoder";
  stack.residual = "post_ln";
  stack.layers = 12;
  stack.mu = 11.6;
  stack.inputScale = 1.2;
  stack.sublayers = {"a", "b"};
  stack.predicted = {1, 2};
  stack.measured = {1, 3};
  stack.ownShare = std::move(ownShare);
  stack.gradient = {0.5, 1};
  stack.amplification = 20;
  TrainabilityFacts facts;
  facts.stacks = {stack};
  facts.loss = facts.ignorantLoss = 5;
  facts.peakRate = 1e-3;
  facts.summedRate = facts.weightScale = 0.1;
  facts.updates = 300;
  Json json = trainabilityToJson(facts, judgeTrainability(facts));
  json["notes"] = {"measured on something", "Measured on a batch of at most 1024 tokens."};
  json["sample"] = {{"part", "train"}, {"examples", 12}, {"of", 240}, {"chosen", "random"}, {"seed", 1}};
  return json;
}

QTableView* tableNamed(QWidget& parent, const QString& name) {
  for (QTableView* table : parent.findChildren<QTableView*>())
    if (table->accessibleName() == name) return table;
  return nullptr;
}

}  // namespace

class TrainabilityViewTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void verdictReasonsAndScales();
  void progressCanBeCancelled();
  void anErrorCanBeClosed();
  void thePageAsksAndForgets();
  void everyCheckHasWords();
  void anUnknownLengthHasWords();
  void theAdviceNamesTheRate();
  void depthsAreDrawn();
};

void TrainabilityViewTest::verdictReasonsAndScales() {
  TrainabilityView view;
  view.showReport(reportOf({5, 6}));
  view.resize(1000, 220);
  view.show();
  const auto* verdict = view.findChild<QLabel*>(QStringLiteral("trainabilityVerdict"));
  QCOMPARE(verdict->text(), QStringLiteral("Will probably not learn"));
  const auto labels = view.findChildren<QLabel*>();
  QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->text().contains(
        QStringLiteral("12 of 240 examples of the training part, drawn at random (seed 1)"));
  }));
  QTableView* checks = tableNamed(view, QStringLiteral("What was looked at"));
  QVERIFY(checks != nullptr);
  const auto textAt = [&](int row, int column) {
    return checks->model()->index(row, column).data().toString();
  };
  QCOMPARE(textAt(0, 0), QStringLiteral("Will probably not learn"));
  QVERIFY(textAt(0, 1).contains(QStringLiteral("decoder")) && textAt(0, 1).contains(QStringLiteral("11")));
  QVERIFY(textAt(0, 2).contains(QStringLiteral("Admin")));
  QCOMPARE(textAt(checks->model()->rowCount() - 1, 2), QString());  // what is fine needs no change
  QTableView* scales = tableNamed(view, QStringLiteral("Scales of the stacks"));
  QCOMPARE(scales->model()->rowCount(), 1);
  QCOMPARE(scales->model()->index(0, 4).data().toString(), QStringLiteral("3"));
  view.showReport(reportOf({0.1, 0.1}));
  QCOMPARE(verdict->text(), QStringLiteral("Will learn"));
}

void TrainabilityViewTest::progressCanBeCancelled() {
  TrainabilityView view;
  ProgressUpdate update;
  update.phase = "gradients";
  update.total = -1;
  view.showProgress(update);
  view.show();
  QSignalSpy cancelled(&view, &TrainabilityView::cancelRequested), closed(&view, &TrainabilityView::closed);
  QVERIFY(view.findChild<QProgressBar*>()->isVisible());
  QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("cancelTrainability")), Qt::LeftButton);
  QCOMPARE(cancelled.size(), 1);
  QCOMPARE(closed.size(), 1);
}

void TrainabilityViewTest::anErrorCanBeClosed() {
  TrainabilityView view;
  view.showError(usageError("heads do not divide the width"));
  view.show();
  QSignalSpy cancelled(&view, &TrainabilityView::cancelRequested), closed(&view, &TrainabilityView::closed);
  bool said = false;
  for (const QLabel* label : view.findChildren<QLabel*>())
    said = said || label->text().contains(QStringLiteral("heads do not divide"));
  QVERIFY(said);
  QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("cancelTrainability")), Qt::LeftButton);
  QCOMPARE(cancelled.size(), 0);
  QCOMPARE(closed.size(), 1);
}

void TrainabilityViewTest::thePageAsksAndForgets() {
  ExperimentDraft draft(test::formSchema());
  NewRunPage page;
  auto* button = page.findChild<QPushButton*>(QStringLiteral("checkTrainability"));
  QVERIFY(!button->isEnabled());
  page.setDraft(&draft);
  page.show();
  QVERIFY(button->isEnabled() && !page.trainability()->isVisible());
  QSignalSpy asked(&page, &NewRunPage::trainabilityRequested);
  button->setFocus();
  QTest::keyClick(button, Qt::Key_Space);
  QCOMPARE(asked.size(), 1);
  page.trainability()->showReport(reportOf({0.1, 0.1}));
  page.trainability()->show();
  const auto outdated = [&] {
    for (const QLabel* label : page.trainability()->findChildren<QLabel*>())
      if (label->text() == QLatin1String("The options have changed since.")) return true;
    return false;
  };
  QVERIFY(!outdated());
  draft.setName(QStringLiteral("other"));
  QVERIFY(!outdated());  // a name says nothing about the model
  for (const OptionField& field : draft.schema().fields()) {
    if (field.type != OptionType::Integer) continue;
    draft.setText(QString::fromStdString(field.key), QStringLiteral("4"));
    break;
  }
  QVERIFY(outdated());
}

void TrainabilityViewTest::anUnknownLengthHasWords() {
  Json report = reportOf({5, 6});
  int judged = 0;
  for (Json& check : report["checks"]) {
    if (check.at("id") != "movement") continue;
    ++judged;
    check["verdict"] = "green";
    writePhrase(check, "reason",
                Phrase::tr("How far the weights can move is not judged: how many updates an "
                           "epoch has depends on the data."));
    QVERIFY(checkWords(check).reason.contains(QStringLiteral("not judged")));
  }
  QCOMPARE(judged, 1);
}

void TrainabilityViewTest::everyCheckHasWords() {
  const Json report = reportOf({5, 6});
  QVERIFY(report.at("checks").size() > 4);
  for (const Json& check : report.at("checks")) {
    const CheckWords words = checkWords(check);
    QVERIFY2(!words.reason.isEmpty() && !words.reason.contains(QLatin1Char('%')), check.dump().c_str());
    QCOMPARE(words.change.isEmpty(), check.at("verdict").get<std::string>() == "green");
  }
}

void TrainabilityViewTest::theAdviceNamesTheRate() {
  const Json report = reportOf({5, 6});
  const CheckWords words = checkWords(report.at("checks").at(0));
  QVERIFY2(words.reason.contains(QLatin1String("0.001")) && words.reason.contains(QLatin1String("11")),
           qPrintable(words.reason));
  QCOMPARE(words.change, QStringLiteral("a peak learning rate of at most 0.00041 over more updates, or Admin "
                                        "or Pre-LN as residual scheme of the decoder, or fewer layers"));
}

void TrainabilityViewTest::depthsAreDrawn() {
  const FigureSpec spec = trainabilityFigure(reportOf({0.4, 0.6}));
  QCOMPARE(spec.panels.size(), std::size_t{3});
  QCOMPARE(spec.panels[0].marks.size(), std::size_t{2});  // measured and predicted
  QCOMPARE(std::get<LineMark>(spec.panels[0].marks[0].shape).y, (std::vector<double>{1, 3}));
  QCOMPARE(std::get<LineMark>(spec.panels[1].marks[0].shape).y, (std::vector<double>{0.4, 0.6}));
  QCOMPARE(std::get<LineMark>(spec.panels[2].marks[0].shape).y, (std::vector<double>{0.5, 1}));
  QVERIFY(checkFigure(spec).ok());
  // Whole numbers, and room for the markers at both ends.
  for (const FigurePanel& panel : spec.panels) {
    QCOMPARE(panel.x.ticks, (std::vector<double>{1, 2}));
    QVERIFY(panel.x.minimum == 0.5 && panel.x.maximum == 2.5);
  }
  Json closed = reportOf({0, 0});
  closed["stacks"][0]["gradient"] = Json::array({0.0, 0.0});
  QCOMPARE(trainabilityFigure(closed).panels.size(), std::size_t{2});
  QVERIFY(checkFigure(trainabilityFigure(closed)).ok());
  TrainabilityView view;
  const auto* pages = view.findChild<QTabWidget*>();
  view.showReport(closed);
  QVERIFY(pages->isTabEnabled(1));
  closed["stacks"] = Json::array();
  view.showReport(closed);
  QVERIFY(!pages->isTabEnabled(1));
}

QTEST_MAIN(TrainabilityViewTest)
#include "tst_trainability_view.moc"
