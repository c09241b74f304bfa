#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Called like ssh: what the host is to do is done here, without a network. The host's name says how it behaves:
#   away…    nobody listens, as ssh says it
#   silent…  never answers
#   asks…    lets in whoever knows the password "open sesame", which is asked by $SSH_ASKPASS
#   others   let in
while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
host=$2
shift 2
case $host in
  away*)
    echo "ssh: connect to host $host port 22: Connection refused" >&2
    exit 255
    ;;
  silent*)
    exec sleep 600
    ;;
  asks*)
    if [ -z "$SSH_ASKPASS" ] || [ "$("$SSH_ASKPASS" "$host's password: ")" != "open sesame" ]; then
      echo "$host: Permission denied (publickey,password)." >&2
      exit 255
    fi
    ;;
esac
exec /bin/sh -c "$*"
