// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/device/calling_place.h"

#include <cxxabi.h>
#include <elf.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace fathom::stand_in {

namespace {

constexpr int kDeepest = 160;

struct Function {
  std::uint64_t begin = 0, end = 0;
  std::string name;
};

std::string plainName(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 && text != nullptr ? text : mangled;
  std::free(text);
  const std::size_t arguments = name.find('(', name.starts_with("fathom::(anonymous") ? 27 : 0);
  return name.substr(0, arguments);
}

// Functions of the program's own file whose mangled name says namespace fathom, in the order of their
// addresses.
std::vector<Function> functionsOfProgram() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<Function> found;
  Elf64_Ehdr head;
  if (bytes.size() < sizeof head) return found;
  std::memcpy(&head, bytes.data(), sizeof head);
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i)
    std::memcpy(&sections[i], bytes.data() + head.e_shoff + i * head.e_shentsize, sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB) continue;
    const char* names = bytes.data() + sections[section.sh_link].sh_offset;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, bytes.data() + section.sh_offset + at, sizeof symbol);
      const char* name = names + symbol.st_name;
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || std::strncmp(name, "_ZN", 3) != 0 ||
          std::strstr(name, "6fathom") == nullptr)
        continue;
      found.push_back({symbol.st_value, symbol.st_value + symbol.st_size, name});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Function& a, const Function& b) { return a.begin < b.begin; });
  return found;
}

std::uint64_t loadAddress() {
  std::uint64_t base = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::uint64_t*>(out) = info->dlpi_addr;
        return 1;  // the program itself comes first
      },
      &base);
  return base;
}

}  // namespace

std::string callingPlace() {
  static const std::vector<Function> functions = functionsOfProgram();
  static const std::uint64_t base = loadAddress();
  void* frames[kDeepest];
  const int count = ::backtrace(frames, kDeepest);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(frames[i]) - base;
    auto next = std::upper_bound(functions.begin(), functions.end(), address,
                                 [](std::uint64_t a, const Function& f) { return a < f.begin; });
    if (next == functions.begin()) continue;
    --next;
    if (address < next->end) return plainName(next->name.c_str());
  }
  return {};
}

}  // namespace fathom::stand_in
