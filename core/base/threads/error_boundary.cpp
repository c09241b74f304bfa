// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/error_boundary.h"

#include <filesystem>
#include <new>
#include <system_error>

#include "core/base/threads/thread_start.h"

namespace fathom {

namespace {

Error fromSystem(const std::system_error& error, const std::string& path) {
  const auto& category = error.code().category();
  if (category != std::generic_category() && category != std::system_category())
    return internalError(error.what());
  if (error.code() == std::errc::resource_unavailable_try_again) return threadError(error.code().value());
  return inputError(Phrase::tr("the system refuses"), path, error.code().value());
}

}  // namespace

std::optional<Error> errorThrownBy(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const std::bad_alloc&) {
    return memoryError(Phrase::tr("there is not enough memory for this"),
                       Phrase::tr("close other programs, or take less data"));
  } catch (const std::filesystem::filesystem_error& e) {
    return fromSystem(e, e.path1().string());
  } catch (const std::system_error& e) {
    return fromSystem(e, {});
  } catch (const std::exception& e) {
    return internalError(e.what());
  } catch (...) {
    return internalError("something was thrown that is no exception");
  }
}

}  // namespace fathom
