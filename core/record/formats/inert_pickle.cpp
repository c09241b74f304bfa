// SPDX-License-Identifier: Apache-2.0
#include "core/record/formats/inert_pickle.h"

#include "core/record/formats/pickle_machine.h"

namespace fathom {

namespace {

using namespace inert;

class TensorCollector {
 public:
  void visit(const Value* value, const std::string& name) {
    if (++m_visited > 1000000) throw PickleRefusal{Phrase::tr("it holds too many items")};
    if (const auto* tensor = std::get_if<std::unique_ptr<PickledTensor>>(&value->data)) {
      tensors.push_back(**tensor);
      tensors.back().name = name;
      m_described += descriptionBytes(tensors.back());
      if (tensors.size() > kMaxTensors) throw PickleRefusal{Phrase::tr("it names more than 100,000 tensors")};
      if (m_described > kMaxDescription)
        throw PickleRefusal{Phrase::tr("the names and sizes of its tensors take more than 32 MiB")};
    } else if (const auto* items = std::get_if<Items>(&value->data);
               items != nullptr && items->kind == Items::Kind::Dict) {
      for (std::size_t i = 0; i + 1 < items->values.size(); i += 2) {
        const auto* key = std::get_if<std::string>(&items->values[i]->data);
        if (key == nullptr) continue;
        if (name.size() + key->size() > kMaxText)
          throw PickleRefusal{Phrase::tr("a tensor's name is longer than 64 kB")};
        visit(items->values[i + 1], name.empty() ? *key : name + "." + *key);
      }
    }
  }
  std::vector<PickledTensor> tensors;

 private:
  std::int64_t m_visited = 0;
  std::size_t m_described = 0;
};

// Adding an item may deepen a container that is already held by another one, so depth is checked once more at
// the end, which also finds cycles through several containers.
void checkDepth(const Value* value, int depth, std::int64_t& visited) {
  if (depth > kMaxPickleDepth)
    throw PickleRefusal{Phrase::tr("it is nested deeper than 64 levels, or holds itself")};
  if (++visited > 5000000) throw PickleRefusal{Phrase::tr("it holds too many items")};
  if (const auto* items = std::get_if<Items>(&value->data)) {
    for (const Value* item : items->values) checkDepth(item, depth + 1, visited);
  }
}

std::vector<PickledTensor> tensorsOf(const Value* root) {
  std::int64_t visited = 0;
  checkDepth(root, 0, visited);
  TensorCollector collector;
  collector.visit(root, "");
  return std::move(collector.tensors);
}

Error refused(const std::string& file, const Phrase& why) {
  return dataErrorAt(file, 0, Phrase::tr("the weights cannot be read: %1")(why),
                     Phrase::tr("nothing in it was executed; save the model as safetensors instead"));
}

// Value of a text key of a dictionary; null where it has none.
const Value* memberOf(const Value* value, const std::string& key) {
  const auto* items = std::get_if<Items>(&value->data);
  if (items == nullptr || items->kind != Items::Kind::Dict) return nullptr;
  for (std::size_t i = 0; i + 1 < items->values.size(); i += 2) {
    const auto* name = std::get_if<std::string>(&items->values[i]->data);
    if (name != nullptr && *name == key) return items->values[i + 1];
  }
  return nullptr;
}

// The second and third pickle: version 1001, and what the machine was that wrote the numbers.
void checkOrigin(PickleMachine& machine) {
  constexpr std::int64_t kVersion = 1001;
  const auto* version = std::get_if<std::int64_t>(&machine.run()->data);
  if (version == nullptr || *version != kVersion)
    throw PickleRefusal{Phrase::tr("it is of an unknown version of the form before torch 1.6")};
  const Value* order = memberOf(machine.run(), "little_endian");
  const bool* little = order == nullptr ? nullptr : std::get_if<bool>(&order->data);
  if (little == nullptr || !*little)
    throw PickleRefusal{
        Phrase::tr("its numbers are not stored in byte order 'little', the only one that is read")};
}

}  // namespace

Result<std::vector<PickledTensor>> readStateDictPickle(std::string_view bytes, const std::string& file) {
  try {
    PickleMachine machine(bytes, StorageForm::Bytes);
    std::vector<PickledTensor> tensors = tensorsOf(machine.run());
    if (tensors.empty()) return dataErrorAt(file, 0, Phrase::tr("the file holds no named tensors"));
    return tensors;
  } catch (const PickleRefusal& refusal) {
    return refused(file, refusal.message);
  }
}

bool isLegacyTorch(std::string_view head) {
  return head.starts_with(kLegacyTorchMark);
}

Result<LegacyTorchHead> readLegacyTorchHead(std::string_view head, const std::string& file) {
  try {
    if (!isLegacyTorch(head)) throw PickleRefusal{Phrase::tr("it is not of the form before torch 1.6")};
    PickleMachine machine(head, StorageForm::Elements);
    machine.run();  // the mark
    checkOrigin(machine);
    LegacyTorchHead result;
    result.tensors = tensorsOf(machine.run());
    if (result.tensors.empty()) return dataErrorAt(file, 0, Phrase::tr("the file holds no named tensors"));
    const auto* keys = std::get_if<Items>(&machine.run()->data);
    if (keys == nullptr || keys->kind != Items::Kind::List)
      throw PickleRefusal{Phrase::tr("the list of its storages is malformed")};
    std::set<std::string> seen;
    for (const Value* value : keys->values) {
      const auto* key = std::get_if<std::string>(&value->data);
      const auto found = key == nullptr ? machine.storages().end() : machine.storages().find(*key);
      if (found == machine.storages().end() || !seen.insert(*key).second)
        throw PickleRefusal{Phrase::tr("the list of its storages is malformed")};
      result.storages.push_back({*key, found->second.dtype, found->second.count});
    }
    result.bytes = machine.position();
    return result;
  } catch (const PickleRefusal& refusal) {
    return refused(file, refusal.message);
  }
}

}  // namespace fathom
