// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/network_way.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/errors/error_key.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

// Own address of a datagram socket that is bound to the way there; "" where there is none.
std::string ownAddress(const addrinfo& there) {
  const int fd = ::socket(there.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return {};
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  char text[NI_MAXHOST] = "";
  const bool found = ::connect(fd, there.ai_addr, there.ai_addrlen) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &length) == 0 &&
                     ::getnameinfo(reinterpret_cast<const sockaddr*>(&own), length, text, sizeof text,
                                   nullptr, 0, NI_NUMERICHOST) == 0;
  ::close(fd);
  return found ? text : std::string();
}

}  // namespace

Result<std::string> addressTowards(const std::string& address, int port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  const int code = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &wanted, &list);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(list, [](addrinfo* all) {
    if (all != nullptr) ::freeaddrinfo(all);
  });
  for (const addrinfo* one = code == 0 ? list : nullptr; one != nullptr; one = one->ai_next)
    if (std::string own = ownAddress(*one); !own.empty()) return own;
  const char* why = code == 0 ? std::strerror(errno) : ::gai_strerror(code);
  return unavailableError(Phrase::tr("the ranks cannot meet at '%1': %2")(address, why),
                          Phrase::tr("name the machine of rank 0 in MASTER_ADDR as all the others know it"));
}

Result<int> listenHere(const std::string& address) {
  constexpr int kWaiting = 1024;
  sockaddr_in place{};
  place.sin_family = AF_INET;
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool listens = ::inet_pton(AF_INET, address.c_str(), &place.sin_addr) == 1 && fd >= 0 &&
                       ::bind(fd, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0 &&
                       ::listen(fd, kWaiting) == 0;
  if (listens) return fd;
  const int code = errno;
  if (fd >= 0) ::close(fd);
  return inputError(Phrase::tr("the ranks cannot listen at"), address, code);
}

bool isLoopback(const std::string& address) {
  in_addr four{};
  in6_addr six{};
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  return ::inet_pton(AF_INET6, address.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six) != 0;
}

std::string interfaceAddress(const std::string& name) {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> found(list, ::freeifaddrs);
  std::string address;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || name != one->ifa_name) continue;
    const bool four = one->ifa_addr->sa_family == AF_INET;
    if (!four && (one->ifa_addr->sa_family != AF_INET6 || !address.empty())) continue;
    char text[NI_MAXHOST] = "";
    const socklen_t length = four ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (::getnameinfo(one->ifa_addr, length, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0) continue;
    address = text;
    if (four) break;
  }
  return address;
}

Status checkInterface(const std::string& name) {
  if (::if_nametoindex(name.c_str()) != 0) return {};
  std::vector<std::string> names;
  if (struct if_nameindex* all = ::if_nameindex()) {
    for (const struct if_nameindex* one = all; one->if_index != 0; ++one) names.emplace_back(one->if_name);
    ::if_freenameindex(all);
  }
  return aboutKey("parallel.interface",
                  unavailableError(Phrase::tr("there is no network interface '%1'")(name),
                                   Phrase::tr("this machine has %1")(joined(names, ", "))));
}

}  // namespace fathom
