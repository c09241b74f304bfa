#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An sshd of its own for tests: on the loopback, for this user alone, with its own keys; no root.
#   sshd_here.sh start DIR   makes what is missing in DIR (short path) and starts it; "sshd is not here" where there is none
#   sshd_here.sh stop DIR    ends it and its connections
# DIR/config is what ssh is given with -F: host "there"; DIR/chatter, if it is there, is printed before each command,
# and the lines of DIR/project and DIR/environment come before it. Who comes by the port of DIR/port2 needs a password, too.
set -euo pipefail
what=$1 dir=$2
sshd=$(PATH="$PATH:/usr/sbin:/sbin" command -v sshd || true)
[ -n "$sshd" ] || { echo "sshd is not here"; exit 3; }

stop() {
  [ -f "$dir/sshd.pid" ] || return 0
  local pid child
  pid=$(cat "$dir/sshd.pid")
  for child in $(ps -o pid= --ppid "$pid" 2>/dev/null); do kill -9 "$child" 2>/dev/null || true; done
  kill -9 "$pid" 2>/dev/null || true
  rm -f "$dir/sshd.pid"
}

start() {
  [ "$(id -u)" != 0 ] || mkdir -p /run/sshd
  for key in host other user stranger; do
    [ -f "$dir/$key" ] || ssh-keygen -q -t ed25519 -N '' -f "$dir/$key"
  done
  cp "$dir/user.pub" "$dir/authorized"
  for file in port port2; do
    [ -f "$dir/$file" ] || python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' >"$dir/$file"
  done
  port=$(cat "$dir/port") port2=$(cat "$dir/port2")
  cat >"$dir/shell" <<EOF
#!/bin/bash
[ ! -f '$dir/chatter' ] || cat '$dir/chatter'
[ ! -f '$dir/project' ] || . '$dir/project'
[ ! -f '$dir/environment' ] || . '$dir/environment'
eval "\$SSH_ORIGINAL_COMMAND"
EOF
  chmod 755 "$dir/shell"
  cat >"$dir/sshd_config" <<EOF
Port $port
Port $port2
ListenAddress 127.0.0.1
HostKey $dir/host
AuthorizedKeysFile $dir/authorized
PidFile $dir/sshd.pid
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
SetEnv SHLVL=2
ForceCommand $dir/shell
$(for each in /usr/lib/openssh /usr/libexec/openssh /usr/lib/ssh; do [ ! -x $each/sftp-server ] || echo "Subsystem sftp $each/sftp-server"; done | head -n 1)
Match LocalPort $port2
  PasswordAuthentication yes
  AuthenticationMethods publickey,password
EOF
  cat >"$dir/config" <<EOF
Host there
  HostName 127.0.0.1
  Port $port
  IdentityFile $dir/user
  IdentitiesOnly yes
  UserKnownHostsFile $dir/known
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  ControlPersist no
  KexAlgorithms curve25519-sha256
EOF
  for each in "$port" "$port2"; do
    printf '[127.0.0.1]:%s %s\n' "$each" "$(cut -d' ' -f1,2 "$dir/host.pub")"
  done >"$dir/known"
  "$sshd" -f "$dir/sshd_config" -E "$dir/sshd.log"
  for _ in $(seq 1 200); do
    [ ! -s "$dir/sshd.pid" ] || return 0
    sleep 0.02
  done
  cat "$dir/sshd.log"
  return 1
}

case "$what" in
  start) start ;;
  stop) stop ;;
  *) echo "sshd_here.sh: start or stop, not '$what'"; exit 2 ;;
esac
