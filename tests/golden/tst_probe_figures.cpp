// SPDX-License-Identifier: Apache-2.0
// The figures of probes: golden dumps, and every form can be drawn as a vector PDF.
#include <QApplication>
#include <QTest>

#include "tests/golden/support_built_figure.h"
#include "tests/golden/support_figure_dump.h"
#include "tests/golden/support_golden_text.h"
#include "tests/golden/support_probe_gallery.h"
#include "views/figures/attention/attention_violins.h"
#include "views/files/figure_export.h"

using namespace fathom;

class ProbeFigures : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void dumps_data();
  void dumps();
  void vectorPdf_data() { dumps_data(); }
  void vectorPdf();
  void headsAreSortedByMedian();
  void bandsAreNamed();
  void violinsHaveAKey();
  void violinsHaveTheirScale();
  void differencesNeedTwoCheckpoints();
  void missingCellsAreCounted();
  void partsThatAreNotThereAreExplained();
};

void ProbeFigures::dumps_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<QString>("assignments");
  const auto row = [](const char* name, const char* figure, const char* assignments) {
    QTest::newRow(name) << QString::fromLatin1(figure) << QString::fromLatin1(assignments);
  };
  row("entropy", "attention_entropy", "");
  row("entropy_bits", "attention_entropy", "unit=bits order=head colours=paper");
  row("jsd", "attention_jsd", "");
  row("jsd_map", "attention_jsd", "form=map");
  row("logit", "attention_logit", "");
  row("beta", "beta_dependency", "beside=init");
  row("beta_difference", "beta_dependency", "form=difference beside=init");
  row("beta_diagonal", "beta_dependency", "form=diagonal");
  row("beta_seeds", "beta_dependency", "form=diagonal group_seeds=true");
  row("gradients", "gradient_norm", "");
  row("attention_model", "attention_maps", "");
  row("attention_matrix", "attention_maps", "form=matrix part=scores layer=2 head=3");
  row("attention_lines", "attention_maps", "form=lines attention=decoder.cross_attention");
  row("jsd_cividis", "attention_jsd", "form=map palette=cividis");
  row("shift", "output_shift", "");
  row("shift_together", "output_shift", "form=together y_scale=log x_scale=log band=range");
}

void ProbeFigures::dumps() {
  QFETCH(QString, figure);
  QFETCH(QString, assignments);
  const FigureSpec spec = gallery::probeFigure(figure.toStdString(), gallery::optionWords(assignments));
  const QString problem =
      test::goldenProblem(figureDump(spec), std::string("probe_") + QTest::currentDataTag() + ".txt");
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void ProbeFigures::vectorPdf() {
  QFETCH(QString, figure);
  QFETCH(QString, assignments);
  const FigureSpec spec = gallery::probeFigure(figure.toStdString(), gallery::optionWords(assignments));
  QVERIFY(!spec.summary.empty() && !spec.notes.empty());
  const auto bytes = figureBytes(spec, figureStyle(QStringLiteral("acl_wide")).value(), FigureFormat::Pdf);
  QVERIFY2(bytes.ok(), bytes.ok() ? "" : bytes.error().text().c_str());
  QVERIFY(bytes->startsWith("%PDF") && !bytes->contains("/Subtype /Image"));
}

void ProbeFigures::headsAreSortedByMedian() {
  const FigureSpec spec = gallery::probeFigure("attention_entropy", {});
  QCOMPARE(spec.panels.size(), std::size_t{2});
  const GridMark& grid = std::get<GridMark>(spec.panels[0].marks.front().shape);
  for (std::size_t i = 1; i < grid.cells.size(); ++i) {
    if (grid.cells[i].row != grid.cells[i - 1].row) continue;
    QVERIFY(*grid.cells[i].median >= *grid.cells[i - 1].median);
  }
  // Sorted or not, a cell still names its head.
  QVERIFY(grid.cells.front().selection.ends_with("enc.self/L0/H3"));
}

// A legend says once what the bands are, the notes say it where panels have no room for it; curves of a run
// and their laws have its colour.
void ProbeFigures::bandsAreNamed() {
  const auto entries = [](const FigurePanel& panel) {
    return std::count_if(panel.marks.begin(), panel.marks.end(),
                         [](const FigureMark& mark) { return mark.label.english().starts_with("band: "); });
  };
  const auto noted = [](const FigureSpec& spec, const std::string& words) {
    for (const Phrase& note : spec.notes)
      if (note.english().find(words) != std::string::npos) return true;
    return false;
  };
  const FigureSpec seeds =
      gallery::probeFigure("beta_dependency", gallery::optionWords("form=diagonal group_seeds=true"));
  QCOMPARE(entries(seeds.panels.front()), 1);
  QCOMPARE(entries(gallery::probeFigure("beta_dependency", gallery::optionWords("form=diagonal")).panels[0]),
           0);
  const FigureSpec together =
      gallery::probeFigure("output_shift", gallery::optionWords("form=together band=range"));
  for (const FigurePanel& panel : together.panels) QCOMPARE(entries(panel), 1);
  QVERIFY(noted(together, "band: minimum to maximum, over the draws."));
  const FigureSpec apart = gallery::probeFigure("output_shift", {});
  QVERIFY(noted(apart, "band: mean ± standard deviation, over the draws."));
  for (const FigurePanel& panel : apart.panels) {
    QCOMPARE(entries(panel), 0);
    for (const FigureMark& mark : panel.marks) QCOMPARE(mark.style.colour, panel.marks.front().style.colour);
  }
  const FigureSpec none = gallery::probeFigure("output_shift", gallery::optionWords("band=none"));
  QVERIFY(!noted(none, "band: "));
}

// Four runs stand two by two; each has its colour above it, and one key says what the colours of the violins
// are.
void ProbeFigures::violinsHaveAKey() {
  std::vector<AttentionResult> results(4);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].source.name = "run " + std::to_string(i + 1);
    results[i].attention.stack = "encoder";
    results[i].attention.kind = "self_attention";
    results[i].attention.heads = {{HeadDistribution()}};
    results[i].look = static_cast<int>(i);
  }
  ViolinLook look;
  look.quantity = Phrase::words("entropy");
  look.low = 1.5;
  look.high = 4.5;
  look.maximum = 6;  // the key says nothing of a colour beyond the axis
  const FigureSpec spec = attentionViolins(results, look);
  std::size_t named = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const FigurePanel& panel = spec.panels[i];
    QCOMPARE(panel.row, static_cast<int>(i / 2));
    QCOMPARE(panel.column, static_cast<int>(i % 2));
    bool bar = false;
    for (const FigureMark& mark : panel.marks) {
      named += mark.label.empty() ? 0 : 1;
      bar = bar || (std::holds_alternative<SegmentsMark>(mark.shape) &&
                    mark.style.colour == "series:" + std::to_string(i));
    }
    QVERIFY(bar);
    QCOMPARE(panel.legend == LegendPlace::Below, i == 2);
  }
  QCOMPARE(named, std::size_t{3});
  QVERIFY(violinHeight(results) > 100);
}

// The scale stands at the end of a row, and beside every panel whose cells are not as high as those there.
void ProbeFigures::violinsHaveTheirScale() {
  std::vector<AttentionResult> results(3);
  const int layers[] = {2, 5, 5};
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i].attention.heads.assign(static_cast<std::size_t>(layers[i]), {HeadDistribution()});
  ViolinLook look;
  look.quantity = Phrase::words("entropy");
  look.axis = Phrase::words("entropy (nats)");
  const auto scaled = [&] {
    std::vector<bool> with;
    for (const FigurePanel& panel : attentionViolins(results, look).panels)
      with.push_back(!std::get<GridMark>(panel.marks.front().shape).axis.empty());
    return with;
  };
  QCOMPARE(scaled(), (std::vector<bool>{true, true, true}));
  results[0].attention.heads.resize(5, {HeadDistribution()});
  QCOMPARE(scaled(), (std::vector<bool>{false, true, true}));
}

void ProbeFigures::differencesNeedTwoCheckpoints() {
  QVERIFY_THROWS_EXCEPTION(Failure, gallery::probeFigure("beta_dependency", {"form=difference"}));
}

void ProbeFigures::missingCellsAreCounted() {
  const FigureSpec spec = gallery::probeFigure("gradient_norm", {});
  bool said = false;
  for (const Phrase& note : spec.notes) said = said || note.english().find("not drawn") != std::string::npos;
  QVERIFY(said);
}

void ProbeFigures::partsThatAreNotThereAreExplained() {
  const auto reason = [](const std::vector<std::string>& assignments) {
    try {
      gallery::probeFigure("attention_maps", assignments);
    } catch (const Failure& failure) {
      return failure.error().text();
    }
    return std::string();
  };
  // One of the two runs hands scores on: it is shown, and the other one's reason.
  const FigureSpec residual = gallery::probeFigure("attention_maps", {"part=residual"});
  QCOMPARE(residual.panels.size(), std::size_t{1});
  QVERIFY(residual.notes.back().english().find("no score chain") != std::string::npos);
  QVERIFY(reason({"part=relation"}).find("not relation-aware") != std::string::npos);
  const std::string kind = reason({"attention=decoder.self_attention"});
  QVERIFY2(kind.find("decoder.cross_attention") != std::string::npos, kind.c_str());
  QVERIFY(reason({"form=matrix", "layer=9"}).find("layers of") != std::string::npos);
}

QTEST_MAIN(ProbeFigures)
#include "tst_probe_figures.moc"
