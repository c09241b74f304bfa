// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_new_run_window.h"

#include <QTest>
#include <map>
#include <utility>
#include <vector>

#include "core/record/presets.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/new_run_page.h"

namespace fathom::test {

namespace {

OptionField fieldLike(const std::string& key, const Json& value) {
  OptionField field;
  field.key = field.title = field.help = key;
  field.type = value.is_boolean()          ? OptionType::Flag
               : value.is_number_integer() ? OptionType::Integer
               : value.is_number()         ? OptionType::Real
               : !value.is_array()         ? OptionType::Text
               : value.front().is_string() ? OptionType::TextList
                                           : OptionType::RealList;
  field.defaultValue = value;
  return field;
}

}  // namespace

EngineDescription engineOfPresets() {
  std::map<std::string, OptionField> fields;
  for (const Preset& preset : presets()) {
    for (const auto& [key, value] : preset.options.items()) {
      const OptionField field = fieldLike(key, value);
      if (!fields.count(key) || field.type == OptionType::Real) fields[key] = field;
    }
  }
  OptionField file = fieldLike("data.train", "");
  file.type = OptionType::Path;
  fields["data.train"] = file;
  std::vector<OptionField> all;
  for (const auto& [key, field] : fields) all.push_back(field);
  EngineDescription engine;
  engine.options = OptionSchema(std::move(all), {});
  return engine;
}

void NewRunWindow::startUp() {
  m_fixture = std::make_unique<WindowFixture>();
  open();
  QCOMPARE(marked(), QStringLiteral("sample_small"));
}

void NewRunWindow::shutDown() {
  m_host.reset();
  m_fixture.reset();
}

void NewRunWindow::open() {
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->train()->engine() != nullptr; }));
  m_window->train()->newRun()->setEngine(engineOfPresets());
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  m_window->train()->newRunPage()->form()->finishBuilding();
  QVERIFY(list()->count() > 10);
}

void NewRunWindow::openAgain() {
  m_window->close();
  m_host.reset();
  open();
}

void NewRunWindow::clickPreset(const char* id) {
  for (int row = 0; row < list()->count(); ++row) {
    QListWidgetItem* item = list()->item(row);
    if (item->data(Qt::UserRole).toString() != QLatin1String(id)) continue;
    list()->scrollToItem(item);
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(item).center());
  }
}

void NewRunWindow::typeWidth(const char* text) {
  auto* width = m_window->findChild<QLineEdit*>("model.width");
  width->setFocus();
  width->selectAll();
  QTest::keyClicks(width, text);
}

}  // namespace fathom::test
