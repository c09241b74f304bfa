#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm of one's own for tests: slurm_here.sh start|stop|control DIR [faults]. Two nodes of this machine, all daemons
# on the loopback, no root, no systemd; DIR (short: sockets lie in it) holds everything. Code 77: a program is missing.
# "faults": steps that pass their memory are ended, and the partitions low and cheap make room for high.
set -u
what=$1
dir=$2
faults=${3:-}
export PATH=$PATH:/usr/sbin:/sbin
export SLURM_CONF=$dir/slurm.conf

missing() {
  for program in munged slurmctld slurmd sbatch squeue scontrol; do
    command -v "$program" >/dev/null || { echo "$program is not here"; exit 77; }
  done
}

free_port() {
  while :; do
    port=$((20000 + RANDOM % 12000)) # below those that clients are given
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}

write_conf() {
  me=$(id -un)
  host=$(hostname -s)
  control=$(free_port) nodes=$(free_port)
  cat >"$dir/slurm.conf" <<CONF
ClusterName=t
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$control
SlurmUser=$me
SlurmdUser=$me
MailProg=/bin/true
AuthType=auth/munge
AuthInfo=socket=$dir/munge.sock,cred_expire=5
CredType=cred/munge
MpiDefault=none
TaskPlugin=task/none
ProctrackType=proctrack/linuxproc
JobAcctGatherType=jobacct_gather/$([ -z "$faults" ] && echo none || echo linux)
AccountingStorageType=accounting_storage/none
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd-%n.log
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=$([ -z "$faults" ] && echo CR_CPU || echo CR_CPU_Memory)
KillWait=5
ReturnToService=2
MinJobAge=5
MaxArraySize=101
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$nodes-$((nodes + 1))] CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  [ -z "$faults" ] || cat >>"$dir/slurm.conf" <<CONF
JobAcctGatherFrequency=task=1
DefMemPerCPU=900
JobAcctGatherParams=OverMemoryKill
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=low Nodes=ALL PriorityTier=1 PreemptMode=REQUEUE State=UP
PartitionName=cheap Nodes=ALL PriorityTier=1 PreemptMode=CANCEL State=UP
PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF State=UP
CONF
  echo "CgroupPlugin=cgroup/v1" >"$dir/cgroup.conf"
}

idle() {
  [ "$(timeout 5 sinfo -h -N -p main -o %T 2>/dev/null | grep -c idle)" = 2 ]
}

end() {
  local file
  for file in "$@"; do
    [ -f "$file" ] && kill -9 "$(cat "$file")" 2>/dev/null && rm -f "$file" # at once: nothing of it is kept
  done
}

# A port that was free when it was chosen may be another's when the daemon takes it; that one ends, or never answers.
try() {
  rm -rf "$dir/state" "$dir/spool"
  mkdir -p "$dir/state" "$dir/spool/n1" "$dir/spool/n2"
  write_conf
  slurmctld || return 1
  slurmd -N n1 && slurmd -N n2 || return 1
  local until=$((SECONDS + 15))
  while [ "$SECONDS" -lt "$until" ]; do
    idle && return 0
    sleep 0.1 # the nodes register by themselves
  done
  return 1
}

start() {
  missing
  chmod 700 "$dir"
  head -c 64 /dev/urandom >"$dir/key"
  chmod 400 "$dir/key"
  munged --force --key-file="$dir/key" --socket="$dir/munge.sock" --pid-file="$dir/munge.pid" \
    --log-file="$dir/munge.log" --seed-file="$dir/munge.seed" || exit 1
  for _ in 1 2 3; do
    try && exit 0
    end "$dir"/slurmd-n1.pid "$dir"/slurmd-n2.pid "$dir"/slurmctld.pid
  done
  echo "the nodes do not come up"
  tail -n 5 "$dir"/*.log
  exit 1
}

stop() {
  end "$dir"/slurmd-n1.pid "$dir"/slurmd-n2.pid "$dir"/slurmctld.pid "$dir"/munge.pid
  exit 0
}

case $what in
start) start ;;
stop) stop ;;
control) slurmctld ;;
esac
