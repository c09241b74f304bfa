// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/statistics/paper_table.h"
#include "core/review/class_scores.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

FigureMark calibrationLine(const ReviewModel& model, std::size_t number, const Calibration& calibration) {
  LineMark line;
  FigureMark mark;
  for (const Calibration::Bin& bin : calibration.bins) {
    if (bin.count == 0) continue;
    line.x.push_back(bin.confidence);
    line.y.push_back(bin.accuracy);
    mark.columnParts.push_back(examplesPart(bin.examples));
  }
  mark.shape = std::move(line);
  mark.style = modelStyle(number);
  mark.label = Phrase::words(markupOf(model.name) + " (ECE " + fixedText(calibration.error, 3) + ")");
  mark.selection = reviewSelection(model.name);
  return mark;
}

Result<ReviewFigure> buildCalibrationCurve(const ReviewFigureInput& input, const OptionValues& options) {
  ReviewFigure figure;
  figure.spec.title = Phrase::tr("Calibration");
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "system")},
                          {QT_TRANSLATE_NOOP("Command", "confidence"), 3},
                          {QT_TRANSLATE_NOOP("Command", "accuracy"), 3},
                          {QT_TRANSLATE_NOOP("Command", "predictions"), 0}};
  FigurePanel panel;
  panel.x.label = Phrase::tr("confidence");
  panel.y.label = Phrase::tr("accuracy");
  panel.x.minimum = panel.y.minimum = 0;
  panel.x.maximum = panel.y.maximum = 1;
  FigureMark diagonal;
  diagonal.shape = LineMark{{0, 1}, {0, 1}};
  diagonal.style.colour = "secondary";
  diagonal.style.dash = LineDash::Dash;
  panel.marks.push_back(std::move(diagonal));
  for (std::size_t m = 0; m < input.review.models.size(); ++m) {
    const ReviewModel& model = input.review.models[m];
    const Calibration calibration = calibrationOf(model);
    if (calibration.count == 0) {
      figure.spec.notes.push_back(Phrase::tr("%1 gives no probabilities.")(markupOf(model.name)));
      continue;
    }
    panel.marks.push_back(calibrationLine(model, m, calibration));
    for (const Calibration::Bin& bin : calibration.bins) {
      if (bin.count == 0) continue;
      figure.table.rows.push_back({markupOf(model.name), bin.confidence, bin.accuracy, double(bin.count)});
      figure.lastRowLeadsTo(reviewSelection(model.name, "", bin.examples));
    }
    figure.spec.summary.append(
        Phrase::tr("%1: expected calibration error %2.")(model.name, fixedText(calibration.error, 3)));
  }
  if (figure.table.rows.empty()) return usageError(Phrase::tr("no system gives probabilities"));
  figure.spec.panels = {std::move(panel)};
  setSize(figure.spec, options, 62);
  return figure;
}

}  // namespace

FigureEntry calibrationCurveFigureEntry() {
  return {.id = "calibration_curve",
          .title = "Calibration curve",
          .reference = "Guo, equation 3",
          .fields = sizeFields(),
          .buildReview = buildCalibrationCurve};
}

}  // namespace fathom
