// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace fathom {

namespace {

QString iconPath(const QString& name) {
  return QStringLiteral(":/icons/%1.svg").arg(name);
}

QByteArray tintedSvg(const QString& name, const QColor& colour) {
  QFile file(iconPath(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return file.readAll().replace("currentColor", colour.name().toLatin1());
}

class TintedIconEngine : public QIconEngine {
 public:
  explicit TintedIconEngine(QString name) : m_name(std::move(name)) {}
  QIconEngine* clone() const override { return new TintedIconEngine(m_name); }
  QString iconName() override { return m_name; }
  bool isNull() override { return false; }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const int size = qMin(rect.width(), rect.height());
    const qreal ratio = painter->device() != nullptr ? painter->device()->devicePixelRatioF() : 1;
    const QPixmap drawn = iconPixmap(m_name, colour(mode), size, ratio);
    painter->drawPixmap(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2, drawn);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1);
  }
  // `size` is in device pixels already.
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal) override {
    return iconPixmap(m_name, colour(mode), qMin(size.width(), size.height()), 1);
  }

 private:
  static QColor colour(QIcon::Mode mode) {
    const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
    return QGuiApplication::palette().color(group, QPalette::WindowText);
  }
  QString m_name;
};

}  // namespace

QIcon icon(const QString& name) {
  return QIcon(new TintedIconEngine(name));
}

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio) {
  const QString key = QStringLiteral("fathom-%1-%2-%3-%4").arg(name, colour.name()).arg(size).arg(ratio);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  const int pixels = qMax(1, qRound(size * ratio));
  pixmap = QPixmap(pixels, pixels);
  pixmap.fill(Qt::transparent);
  QSvgRenderer renderer(tintedSvg(name, colour));
  QPainter painter(&pixmap);
  renderer.render(&painter, QRectF(0, 0, pixels, pixels));
  painter.end();
  pixmap.setDevicePixelRatio(ratio);
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

}  // namespace fathom
