// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace fathom {

// How the parts of the window are drawn, in the colours of Theme::of(palette): Fusion with flat docks, heads,
// tabs and tool bars, thin lines and a focus that is seen. No style sheet, which styles every widget anew
// when a colour or a size changes. A push button with the property "primary" is filled with the accent, a
// tool button with "choice" is one of several answers.
class WindowStyle : public QProxyStyle {
  Q_OBJECT
 public:
  WindowStyle();
  using QProxyStyle::polish;
  void polish(QWidget* widget) override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* answer) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                         const QWidget* widget) const override;

 private:
  void drawTabLabel(const QStyleOptionTab& option, QPainter* painter, const QWidget* widget) const;
  void drawHeader(const QStyleOptionHeader& option, QPainter* painter, const QWidget* widget) const;
  void drawPrimaryLabel(const QStyleOptionButton& option, QPainter* painter, const QWidget* widget) const;
  void drawChoice(const QStyleOptionToolButton& option, QPainter* painter, const QWidget* widget) const;
};

}  // namespace fathom
