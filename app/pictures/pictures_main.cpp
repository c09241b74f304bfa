// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/pictures_command.h"
#include "app/shell_program.h"

int main(int argc, char** argv) {
  static const std::vector<fathom::Command> s_pictures = {fathom::picturesCommand()};
  const fathom::CommandSet set{s_pictures.front().program, "", &s_pictures};
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words != std::vector<std::string>{"--version"})
    words.insert(words.begin(), "");  // it has no name of its own
  return fathom::ShellProgram().run(words, argv, set);
}
