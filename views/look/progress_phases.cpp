// SPDX-License-Identifier: GPL-3.0-or-later
// What engine and application say while they work (ProgressUpdate::phase and ::unit), for engineText(): names
// for the translators, since `fathom-engine describe` does not list them. A phase that is missing here is
// shown in English.
#include <QCoreApplication>

namespace fathom {

namespace {

[[maybe_unused]] constexpr const char* kPhases[] = {
    // data
    QT_TRANSLATE_NOOP("Engine", "reading train pairs"),
    QT_TRANSLATE_NOOP("Engine", "reading validation pairs"),
    QT_TRANSLATE_NOOP("Engine", "reading test pairs"),
    QT_TRANSLATE_NOOP("Engine", "reading train text"),
    QT_TRANSLATE_NOOP("Engine", "reading validation text"),
    QT_TRANSLATE_NOOP("Engine", "reading test text"),
    QT_TRANSLATE_NOOP("Engine", "preparing the vocabulary"),
    QT_TRANSLATE_NOOP("Engine", "cutting train pairs into tokens"),
    QT_TRANSLATE_NOOP("Engine", "cutting validation pairs into tokens"),
    QT_TRANSLATE_NOOP("Engine", "cutting test pairs into tokens"),
    QT_TRANSLATE_NOOP("Engine", "cutting train text into tokens"),
    QT_TRANSLATE_NOOP("Engine", "cutting validation text into tokens"),
    QT_TRANSLATE_NOOP("Engine", "cutting test text into tokens"),
    QT_TRANSLATE_NOOP("Engine", "making examples"),
    // work of the engine
    QT_TRANSLATE_NOOP("Engine", "initial values"),
    QT_TRANSLATE_NOOP("Engine", "training"),
    QT_TRANSLATE_NOOP("Engine", "evaluating"),
    QT_TRANSLATE_NOOP("Engine", "looking for the example"),
    QT_TRANSLATE_NOOP("Engine", "watching attention"),
    QT_TRANSLATE_NOOP("Engine", "measuring inputs"),
    QT_TRANSLATE_NOOP("Engine", "reading the data"),
    QT_TRANSLATE_NOOP("Engine", "reading a batch"),
    QT_TRANSLATE_NOOP("Engine", "scales"),
    QT_TRANSLATE_NOOP("Engine", "dependency of layers"),
    QT_TRANSLATE_NOOP("Engine", "going backward"),
    QT_TRANSLATE_NOOP("Engine", "taking the stream apart"),
    QT_TRANSLATE_NOOP("Engine", "output shift"),
    // work of the application
    QT_TRANSLATE_NOOP("Engine", "starting the engine"),
    QT_TRANSLATE_NOOP("Engine", "waiting for its turn"),
    QT_TRANSLATE_NOOP("Engine", "making the sample"),
    QT_TRANSLATE_NOOP("Engine", "analysing the sample"),
    QT_TRANSLATE_NOOP("Engine", "reading archive"),
    QT_TRANSLATE_NOOP("Engine", "writing archive"),
    QT_TRANSLATE_NOOP("Engine", "copying run"),
    QT_TRANSLATE_NOOP("Engine", "cleaning"),
    QT_TRANSLATE_NOOP("Engine", "drawing"),
    QT_TRANSLATE_NOOP("Engine", "taking pictures"),
    QT_TRANSLATE_NOOP("Engine", "reading curves"),
    QT_TRANSLATE_NOOP("Engine", "reading predictions"),
    QT_TRANSLATE_NOOP("Engine", "executing queries"),
    QT_TRANSLATE_NOOP("Engine", "scoring predictions"),
    // units
    QT_TRANSLATE_NOOP("Engine", "pairs"),
    QT_TRANSLATE_NOOP("Engine", "sentences"),
    QT_TRANSLATE_NOOP("Engine", "documents"),
    QT_TRANSLATE_NOOP("Engine", "examples"),
    QT_TRANSLATE_NOOP("Engine", "batches"),
    QT_TRANSLATE_NOOP("Engine", "draws"),
    QT_TRANSLATE_NOOP("Engine", "updates"),
    QT_TRANSLATE_NOOP("Engine", "bytes"),
    QT_TRANSLATE_NOOP("Engine", "files"),
    QT_TRANSLATE_NOOP("Engine", "runs"),
    QT_TRANSLATE_NOOP("Engine", "queries"),
    QT_TRANSLATE_NOOP("Engine", "items"),
};

}  // namespace

}  // namespace fathom
