#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two machines on one, for tests: two network namespaces, NAME-a (10.98.0.1) and NAME-b (10.98.0.2), and a cable
# between them. Takes root. NAME ends with the number of the process that asks: what dead ones have left is removed.
#   two_hosts.sh start NAME                         code 77 and the reason where this is not allowed here
#   two_hosts.sh cable NAME up|down|100mbit         "100mbit": no faster than that from now on
#   two_hosts.sh run NAME a|b HOST HOSTS PROGRAM…   becomes the program on the machine, which calls itself HOST; HOSTS: a file
#                                                   in the place of /etc/hosts, "-" = as it is
#   two_hosts.sh stop NAME
set -euo pipefail
what=$1 name=$2
PATH=$PATH:/usr/sbin:/sbin
cable=fa${name##*-}

without() {  # what is not allowed or not built into this kernel
  echo "$1" | tail -n 1
  exit 77
}

remove() {
  for side in a b; do ip netns del "$1-$side" 2>/dev/null || true; done
}

start() {
  for program in ip tc nsenter unshare; do
    command -v "$program" >/dev/null || without "$program is not here"
  done
  [ "$(id -u)" = 0 ] || without "network namespaces take root"
  for old in $(ip netns list | sed -n 's/^\(fathom-[0-9]*\)-a\( .*\)\?$/\1/p'); do
    [ -d "/proc/${old##*-}" ] || remove "$old"
  done
  words=$(ip netns add "$name-a" 2>&1) || without "$words"
  ip netns add "$name-b"
  words=$(ip link add "${cable}a" netns "$name-a" type veth peer name "${cable}b" netns "$name-b" 2>&1) || {
    remove "$name"
    without "$words"
  }
  for side in a b; do
    number=1
    [ "$side" = a ] || number=2
    ip -n "$name-$side" link set lo up
    ip -n "$name-$side" addr add "10.98.0.$number/24" dev "$cable$side"
    ip -n "$name-$side" link set "$cable$side" up
  done
}

case "$what" in
  start) start ;;
  cable)
    case "$3" in
      up | down) ip -n "$name-a" link set "${cable}a" "$3" ;;
      *) for side in a b; do
        tc -n "$name-$side" qdisc replace dev "$cable$side" root tbf rate "$3" burst 64kb latency 50ms
      done ;;
    esac
    ;;
  run)
    side=$3 host=$4 hosts=$5
    shift 5
    exec nsenter "--net=/run/netns/$name-$side" unshare --uts --mount sh -c \
      'hostname "$1"; [ "$2" = - ] || mount --bind "$2" /etc/hosts; shift 2; exec "$@"' sh "$host" "$hosts" "$@"
    ;;
  stop) remove "$name" ;;
  *)
    echo "two_hosts.sh: start, cable, run or stop, not '$what'"
    exit 2
    ;;
esac
