#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command as two ranks on two hosts, which are network namespaces of this machine with a link of a given speed between them.
# Needs root, ip and tc. The ranks find each other as torchrun's do.
#   packaging/slow_link.sh 1gbit build/release/bin/fathom-bench-engine data-parallel --preset mlm_quick
set -euo pipefail
[ $# -ge 2 ] || { echo "slow_link.sh RATE COMMAND…: RATE as tc has it, such as 1gbit" >&2; exit 2; }
rate=$1
shift
for program in ip tc; do command -v "$program" >/dev/null || { echo "slow_link.sh: $program is missing" >&2; exit 3; }; done
first=fathom-a-$$ second=fathom-b-$$ other=""
clean() {
  [ -z "$other" ] || kill "$other" 2>/dev/null || true
  ip netns del "$first" 2>/dev/null || true
  ip netns del "$second" 2>/dev/null || true
}
trap clean EXIT
ip netns add "$first"
ip netns add "$second"
ip -n "$first" link add link0 type veth peer name link0 netns "$second"
number=1
for host in "$first" "$second"; do
  ip -n "$host" addr add "10.93.0.$number/24" dev link0
  ip -n "$host" link set lo up
  ip -n "$host" link set link0 up
  ip netns exec "$host" tc qdisc add dev link0 root tbf rate "$rate" burst 256kb latency 50ms
  number=2
done
ranks=(WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 MASTER_ADDR=10.93.0.1 MASTER_PORT=29500 GLOO_SOCKET_IFNAME=link0)
ip netns exec "$second" env RANK=1 "${ranks[@]}" "$@" >/dev/null &
other=$!
ip netns exec "$first" env RANK=0 "${ranks[@]}" "$@"
wait "$other"
other=""
