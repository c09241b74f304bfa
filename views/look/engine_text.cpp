// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/engine_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace fathom {

namespace {

// Options of analyses and figures that are declared in core, below Qt, and are no part of what the engine
// describes; tst_figure_choices sees that none is missing.
[[maybe_unused]] constexpr const char* kEngineTexts[] = {
    QT_TRANSLATE_NOOP("Command", "Training curve"),
    QT_TRANSLATE_NOOP("Command", "Metric"),
    QT_TRANSLATE_NOOP(
        "Command", "The scalar to draw, by its name in the run, such as loss, valid.ppl, valid.bleu or lr."),
    QT_TRANSLATE_NOOP("Command", "Horizontal axis"),
    QT_TRANSLATE_NOOP("Command", "What the curves are drawn against."),
    QT_TRANSLATE_NOOP("Command", "updates"),
    QT_TRANSLATE_NOOP("Command", "time"),
    QT_TRANSLATE_NOOP("Command", "epochs"),
    QT_TRANSLATE_NOOP("Command", "Smoothing"),
    QT_TRANSLATE_NOOP("Command",
                      "Weight of the debiased moving average; the raw values stay visible behind."),
    QT_TRANSLATE_NOOP("Command", "Group seeds"),
    QT_TRANSLATE_NOOP("Command", "Runs that differ only in the seed become one line, their mean."),
    QT_TRANSLATE_NOOP("Command", "Band"),
    QT_TRANSLATE_NOOP("Command", "What the band around the mean of several seeds shows."),
    QT_TRANSLATE_NOOP("Command", "standard deviation"),
    QT_TRANSLATE_NOOP("Command", "standard error"),
    QT_TRANSLATE_NOOP("Command", "95 % interval"),
    QT_TRANSLATE_NOOP("Command", "minimum to maximum"),
    QT_TRANSLATE_NOOP("Command", "no band"),
};

}  // namespace

QString engineText(const std::string& text) {
  if (text.empty()) return {};
  const QString translated = QCoreApplication::translate("Engine", text.c_str());
  // Fields of commands are declared like those of the engine, but belong to the program.
  return translated == fromUtf8(text) ? QCoreApplication::translate("Command", text.c_str()) : translated;
}

QString withoutMnemonic(QString text) {
  static const QRegularExpression added(QStringLiteral("\\(&[^&]\\)")), key(QStringLiteral("&(.?)"));
  return text.section(QLatin1Char('\t'), 0, 0).remove(added).replace(key, QStringLiteral("\\1"));
}

}  // namespace fathom
