// SPDX-License-Identifier: Apache-2.0
// Names and messages from files and people give the terminal no commands.
#include <QTest>
#include <algorithm>
#include <sstream>

#include "app/command_line.h"
#include "app/terminal_progress.h"
#include "app/text_table.h"

using namespace fathom;

class TerminalTextTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void commandsAreReplaced() {
    // The title of the window; a colour; the eight-bit introducer; delete; a bell; a return that hides what
    // is before.
    for (const char* text : {"a\x1b]0;title\x07", "a\x1b[31mred",
                             "a\xC2\x9b"
                             "31m",
                             "a\x7f", "a\x07", "safe\rrm", "a\x08"}) {
      const std::string shown = terminalText(text);
      QVERIFY2(shown.find("\xEF\xBF\xBD") != std::string::npos, text);
      for (const char c : shown) QVERIFY(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
      QCOMPARE(shown.find("\xC2\x9b"), std::string::npos);
    }
    const std::string fine = "µ = 1,5 é 中文 №\t2\nnext";
    QCOMPARE(terminalText(fine), fine);
  }

  // Numbers are right-aligned, decimal points below each other; a column with anything else is not touched.
  void numbersStandBelowEachOther() {
    TextTable table({"name", "loss", "n", "share", "mixed", "none"});
    table.addRow({"a", "10.25", "1,000", "99.5 %", "3", "-"});
    table.addRow({"longer", "-0.5", "7", "-", "3 of 4", ""});
    table.addRow({"é", "1e-05", "", "100 %", "x", "-"});
    QCOMPARE(QString::fromStdString(table.text()),
             QStringLiteral("name      loss      n    share  mixed   none\n"
                            "a       10.25   1,000   99.5 %  3       -\n"
                            "longer  -0.5        7    -      3 of 4\n"
                            "é        1e-05         100 %    x       -\n"));
  }

  void tablesNotesAndErrors() {
    TextTable table({"na\x1bme", "n"});
    table.addRow({"run\x1b[2J\nsecond line", "1"});
    const std::string text = table.text();
    QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{2});
    std::ostringstream notes, out, err;
    TerminalProgress(notes, false).note("file\x1b[2J: 3 blank lines");
    const int code =
        runCommandLine({"runs", "--project", "/nowhere/\x1b[2J"}, out, err, false, StopToken(), nullptr);
    QVERIFY(code != 0);
    QVERIFY(err.str().find("[2J") != std::string::npos);
    for (const std::string& shown : {text, notes.str(), err.str()})
      QCOMPARE(shown.find('\x1b'), std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TerminalTextTest)
#include "tst_terminal_text.moc"
