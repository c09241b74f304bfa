// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/screenshots.h"

#include <QDir>
#include <QPixmap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>

#include "app/pictures/screenshot_stage.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/session/appearance.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "core/base/errors/phrase.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

struct Look {
  const char* suffix;
  const char* theme;
  const char* language;
};
constexpr Look kLooks[] = {{"light", "light", "en"},
                           {"dark", "dark", "en"},
                           {"contrast", "contrast", "en"},
                           {"zh_CN", "light", "zh_CN"}};

// The windows of one language, and what each view of them is taken in.
struct Session {
  struct Shot {
    ScreenshotSetting setting;
    QString folder, suffix;
  };
  QString language;
  QList<Shot> shots;
};

QList<Session> sessionsOf(const ScreenshotOptions& options) {
  if (!options.settings.isEmpty()) {
    Session session{options.language, {}};
    for (const ScreenshotSetting& setting : options.settings)
      session.shots.append({setting,
                            QStringLiteral("%1/%2x%3_%4")
                                .arg(options.folder)
                                .arg(setting.size.width())
                                .arg(setting.size.height())
                                .arg(setting.textPercent),
                            setting.theme + u'_' + options.language});
    return {session};
  }
  QList<Session> sessions;
  for (const Look& look : kLooks)
    if (options.looks.isEmpty() || options.looks.contains(QLatin1String(look.suffix)))
      sessions.append({QString::fromLatin1(look.language),
                       {{{options.size, QString::fromLatin1(look.theme), options.textPercent},
                         options.folder,
                         QString::fromLatin1(look.suffix)}}});
  return sessions;
}

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

// Takes one view in every setting of a session.
class Photographer {
 public:
  Photographer(const ScreenshotOptions& options, const Session& session, ScreenshotStage& stage,
               Appearance* appearance, Screenshots& taken)
      : m_options(options),
        m_session(session),
        m_stage(stage),
        m_appearance(appearance),
        m_taken(taken),
        m_left(session.shots) {}

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
  QString nameOf(const QString& view) const { return view + u'_' + m_session.shots.first().suffix; }
  Status leaveOut(const QString& name, const Error& error) {
    if (error.kind == ErrorKind::Internal) return error;
    m_taken.missing.append({nameOf(name), phraseText(error.phrase())});
    return {};
  }

  void arrange(MainWindow& window, const ScreenshotSetting& setting) {
    if (m_appearance->theme() != setting.theme) m_appearance->setTheme(setting.theme);
    m_appearance->setTextPercent(setting.textPercent);
    window.resize(setting.size);
  }

  // Takes a view first in the setting of the last picture: a change of theme costs more than another view.
  Status take(const ScreenshotView& view, MainWindow& window, const QString& variant, const QString& name) {
    arrange(window, m_left.first().setting);
    const auto shown = view.show(m_stage, window, variant);
    if (!shown.ok()) return leaveOut(name, shown.error());
    Status status;
    for (const Session::Shot& shot : std::as_const(m_left)) {
      arrange(window, shot.setting);
      ScreenshotStage::rest(&window);
      status = keep(view, *shown->widget, shot, name);
      if (!status.ok()) break;
    }
    std::reverse(m_left.begin(), m_left.end());
    if (shown->after) shown->after();
    return status;
  }

  Status keep(const ScreenshotView& view, QWidget& widget, const Session::Shot& shot, const QString& name) {
    // A narrow window folds panels.
    const QStringList classes = m_options.settings.isEmpty() ? visibleClasses(&widget) : view.shows;
    for (const QString& part : view.shows)
      if (!classes.contains(part))
        return internalError("the view " + toUtf8(name) + " shows no " + toUtf8(part));
    const QPixmap picture = widget.grab();
    const QString file = QStringLiteral("%1/%2_%3.png").arg(shot.folder, name, shot.suffix);
    QVector<ViewFault> faults;
    if (m_options.check) faults = viewFaults(&widget, picture.toImage());
    const bool whole = qobject_cast<MainWindow*>(&widget) != nullptr;
    if (m_options.check && whole && widget.size() != shot.setting.size)
      faults.append({ViewFault::Kind::OutsideParent, QStringLiteral("MainWindow"),
                     QStringLiteral("the window takes %1x%2").arg(widget.width()).arg(widget.height())});
    for (const ViewFault& fault : std::as_const(faults)) m_taken.faults.append({file, fault});
    if (m_options.check && !m_options.keep && faults.isEmpty()) return {};
    QDir().mkpath(shot.folder);
    if (!picture.save(file)) return diskError("the picture " + toUtf8(file) + " cannot be written");
    m_taken.files.append(file);
    return {};
  }

  const ScreenshotOptions& m_options;
  const Session& m_session;
  ScreenshotStage& m_stage;
  Appearance* m_appearance;
  Screenshots& m_taken;
  QList<Session::Shot> m_left;  // in the order of the next view
};

Status takeSession(const ScreenshotOptions& options, const Session& session, const QString& folder,
                   const std::function<void()>& done, Screenshots& taken, const StopToken& stop) {
  const ScreenshotSetting& first = session.shots.first().setting;
  WindowHost host(folder + QStringLiteral("/session.json"));
  host.session()->setText(session::kLanguage, session.language);
  host.session()->setText(session::kTheme, first.theme);
  host.appearance()->setLanguage(session.language);
  host.appearance()->setTheme(first.theme);
  host.appearance()->setTextPercent(first.textPercent);
  ScreenshotStage stage(&host, options.project, folder, first.size);
  Photographer camera(options, session, stage, host.appearance(), taken);
  int number = 0;
  for (const ScreenshotView& view : screenshotViews()) {
    if (stop.stopRequested()) return interruptedError();
    if (number++ % options.share.of != options.share.first) continue;
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
      return usageError("there is no look '" + toUtf8(word) + "'", "there are: light, dark, contrast, zh_CN");
  const QList<ScreenshotView> views = screenshotViews();
  for (const QString& word : options.views)
    if (std::none_of(views.begin(), views.end(), [&word](const ScreenshotView& view) {
          return view.name.startsWith(word) || word.startsWith(view.name + u'_');
        }))
      return usageError("there is no view '" + toUtf8(word) + "'", "without --views all are taken");
  return {};
}

}  // namespace

Result<ScreenshotSetting> ScreenshotSetting::read(const QString& text) {
  static const QRegularExpression kForm(
      QStringLiteral("^(\\d{3,4})x(\\d{3,4})/(light|dark|contrast)/(\\d{2,3})$"));
  const auto match = kForm.match(text);
  if (!match.hasMatch())
    return usageError("'" + toUtf8(text) + "' is no setting of a picture",
                      "write size, theme and percent of texts as in 1280x800/light/100");
  return ScreenshotSetting{
      {match.captured(1).toInt(), match.captured(2).toInt()}, match.captured(3), match.captured(4).toInt()};
}

QString ScreenshotSetting::text() const {
  return QStringLiteral("%1x%2/%3/%4").arg(size.width()).arg(size.height()).arg(theme).arg(textPercent);
}

Result<Screenshots> takeScreenshots(const ScreenshotOptions& options, Progress& progress,
                                    const StopToken& stop) {
  FATHOM_CHECK(checkWords(options));
  QTemporaryDir state;
  if (!QDir().mkpath(options.folder))
    return diskError("the folder " + toUtf8(options.folder) + " cannot be made");
  Screenshots taken;
  Status status;
  const QList<Session> sessions = sessionsOf(options);
  progress.begin(Phrase::tr("taking pictures").english, Phrase::tr("views").english,
                 static_cast<double>(screenshotViews().size() * sessions.size()));
  double done = 0;
  for (const Session& session : sessions) {
    if (!status.ok()) break;
    const QString folder = state.filePath(session.shots.first().suffix);
    QDir().mkpath(folder);
    status = takeSession(
        options, session, folder, [&] { progress.report(++done); }, taken, stop);
  }
  if (!status.ok()) return status.error();
  progress.finish();
  return taken;
}

}  // namespace fathom
