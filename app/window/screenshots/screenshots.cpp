// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/screenshots/screenshots.h"

#include <QApplication>
#include <QDir>
#include <QTemporaryDir>
#include <algorithm>

#include "app/window/appearance.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/screenshots/screenshot_stage.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"
#include "core/base/errors/phrase.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr int kPaintMilliseconds = 60;

struct Look {
  const char* suffix;
  const char* theme;
  const char* language;
};
constexpr Look kLooks[] = {{"light", "light", "en"}, {"dark", "dark", "en"}, {"zh_CN", "light", "zh_CN"}};

bool isWanted(const QStringList& wanted, const QString& name) {
  return wanted.isEmpty() || std::any_of(wanted.begin(), wanted.end(),
                                         [&name](const QString& word) { return name.startsWith(word); });
}

// Classes of all visible parts, without namespace; a class stands for those it is made of too.
QStringList visibleClasses(QWidget* widget) {
  QStringList names;
  const auto take = [&names](const QWidget* part) {
    for (const QMetaObject* type = part->metaObject(); type != nullptr; type = type->superClass())
      names.append(QString::fromLatin1(type->className()).section(QStringLiteral("::"), -1));
  };
  take(widget);
  for (const QWidget* part : widget->findChildren<QWidget*>())
    if (part->isVisible() && part->window() == widget->window() && !part->size().isEmpty()) take(part);
  return names;
}

// Takes one view in one look.
class Photographer {
 public:
  Photographer(const ScreenshotOptions& options, const Look& look, ScreenshotStage& stage, Screenshots& taken)
      : m_options(options), m_look(look), m_stage(stage), m_taken(taken) {}

  Status take(const ScreenshotView& view) {
    const auto window = m_stage.window(view.scene);
    if (!window.ok()) return leaveOut(view.name, window.error());
    QStringList variants = {QString()};
    if (view.variants) variants = view.variants(m_stage, **window);
    if (variants.isEmpty())
      m_taken.missing.append({nameOf(view.name), QStringLiteral("the project has none")});
    for (const QString& variant : variants) {
      const QString name = variant.isEmpty() ? view.name : view.name + u'_' + variant;
      if (!isWanted(m_options.views, name)) continue;
      FATHOM_CHECK(take(view, **window, variant, name));
    }
    return {};
  }

 private:
  QString nameOf(const QString& view) const { return view + u'_' + QLatin1String(m_look.suffix); }
  Status leaveOut(const QString& name, const Error& error) {
    if (error.kind == ErrorKind::Internal) return error;
    m_taken.missing.append({nameOf(name), phraseText(error.phrase())});
    return {};
  }

  Status take(const ScreenshotView& view, MainWindow& window, const QString& variant, const QString& name) {
    const auto shown = view.show(m_stage, window, variant);
    if (!shown.ok()) return leaveOut(name, shown.error());
    ScreenshotStage::waitFor([] { return true; }, kPaintMilliseconds);
    const QString file = QStringLiteral("%1/%2.png").arg(m_options.folder, nameOf(name));
    const QStringList classes = visibleClasses(shown->widget);
    const bool written = shown->widget->grab().save(file);
    if (shown->after) shown->after();
    if (!written) return diskError("the picture " + toUtf8(file) + " cannot be written");
    for (const QString& part : view.shows)
      if (!classes.contains(part))
        return internalError("the view " + toUtf8(name) + " shows no " + toUtf8(part));
    m_taken.files.append(file);
    return {};
  }

  const ScreenshotOptions& m_options;
  const Look& m_look;
  ScreenshotStage& m_stage;
  Screenshots& m_taken;
};

Status takeLook(const ScreenshotOptions& options, const Look& look, const QString& folder,
                const std::function<void()>& done, Screenshots& taken, const StopToken& stop) {
  WindowHost host(folder + QStringLiteral("/session.json"));
  host.session()->setText(session::kLanguage, QString::fromLatin1(look.language));
  host.session()->setText(session::kTheme, QString::fromLatin1(look.theme));
  host.appearance()->setLanguage(QString::fromLatin1(look.language));
  host.appearance()->setTheme(QString::fromLatin1(look.theme));
  ScreenshotStage stage(&host, options.project, folder, options.size);
  Photographer camera(options, look, stage, taken);
  for (const ScreenshotView& view : screenshotViews()) {
    if (stop.stopRequested()) return interruptedError();
    // A wanted picture may be one of the view's variants.
    const bool wanted = isWanted(options.views, view.name) ||
                        std::any_of(options.views.begin(), options.views.end(), [&](const QString& word) {
                          return view.variants && word.startsWith(view.name + u'_');
                        });
    if (wanted) FATHOM_CHECK(camera.take(view));
    done();
  }
  return {};
}

Status checkWords(const ScreenshotOptions& options) {
  for (const QString& word : options.looks)
    if (std::none_of(std::begin(kLooks), std::end(kLooks),
                     [&word](const Look& look) { return word == QLatin1String(look.suffix); }))
      return usageError("there is no look '" + toUtf8(word) + "'", "there are: light, dark, zh_CN");
  const QList<ScreenshotView> views = screenshotViews();
  for (const QString& word : options.views)
    if (std::none_of(views.begin(), views.end(), [&word](const ScreenshotView& view) {
          return view.name.startsWith(word) || word.startsWith(view.name + u'_');
        }))
      return usageError("there is no view '" + toUtf8(word) + "'", "without --views all are taken");
  return {};
}

}  // namespace

Result<Screenshots> takeScreenshots(const ScreenshotOptions& options, Progress& progress,
                                    const StopToken& stop) {
  FATHOM_CHECK(checkWords(options));
  QTemporaryDir state;
  if (!QDir().mkpath(options.folder))
    return diskError("the folder " + toUtf8(options.folder) + " cannot be made");
  const QFont font = QApplication::font();
  QFont scaled = font;
  scaled.setPointSizeF(font.pointSizeF() * options.textScale);
  QApplication::setFont(scaled);
  Screenshots taken;
  Status status;
  const auto views = static_cast<double>(screenshotViews().size());
  progress.begin(Phrase::tr("taking pictures").english, Phrase::tr("views").english,
                 views * static_cast<double>(std::size(kLooks)));
  double done = 0;
  for (const Look& look : kLooks) {
    if (!status.ok()) break;
    if (!options.looks.isEmpty() && !options.looks.contains(QLatin1String(look.suffix))) {
      progress.report(done += views);
      continue;
    }
    const QString folder = state.filePath(QLatin1String(look.suffix));
    QDir().mkpath(folder);
    status = takeLook(
        options, look, folder, [&] { progress.report(++done); }, taken, stop);
  }
  QApplication::setFont(font);
  if (!status.ok()) return status.error();
  progress.finish();
  return taken;
}

}  // namespace fathom
