#!/usr/bin/env bash
# Runs a command in a sandbox in which `vagrant up` works on any Debian machine
# with the packages of setup.sh: also in a container or a CI job without
# systemd, without KVM, and beside a libvirt that is there already.
#
#   sudo vagrant/emulation/sandbox.sh COMMAND...            # for example: bash
#   sudo vagrant/emulation/sandbox.sh --join PID COMMAND... # in one that is up
#
# The sandbox has network, mount and PID namespaces of its own, and in them a
# libvirtd with its network, its storage and its configuration in a temporary
# folder. It reaches the outside through slirp4netns, so neither bridge nor
# packet filter nor address of the machine changes. Boxes and the state of
# machines are kept in the same folder. When COMMAND ends, or this script is
# killed, the kernel ends everything that runs in the sandbox; what COMMAND
# started does not outlive it.
#
# COMMAND finds in ROCELAB_SANDBOX the PID that --join takes. The exit status is
# that of COMMAND. The folder is made in TMPDIR (default /var/tmp) and needs 3 GB
# for a small box.
set -euo pipefail

say() { echo "sandbox.sh: $*" >&2; }
die() { say "$*"; exit 1; }
usage() { die "usage: sandbox.sh [--join PID] COMMAND..."; }

# await FOR SECONDS COMMAND...: tries COMMAND until it succeeds.
await() {
  local for=$1 until=$((SECONDS + $2))
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $until ] || die "$for: not there after a while"
    sleep 0.05
  done
}

# join PID COMMAND...: enters the namespaces, which resets the working folder,
# and takes over the environment.
join() {
  local pid=$1
  shift
  [ -e "/proc/$pid/ns/pid_for_children" ] || die "there is no sandbox with PID $pid"
  # shellcheck disable=SC2016  # expanded by the shell inside
  exec nsenter --target "$pid" --net --mount --pid="/proc/$pid/ns/pid_for_children" -- \
    sh -c '. /run/sandbox.env; cd "$1"; shift; exec "$@"' sh "$PWD" "$@"
}

# inside STATE COMMAND...: runs as the first process of the sandbox.
inside() {
  local state=$1 resolv
  shift
  resolv=$(realpath -m /etc/resolv.conf)
  mount -t sysfs sysfs /sys    # of this network namespace, and without cgroups
  mount -t tmpfs tmpfs /run
  mkdir -p /run/lock /run/libvirt "$(dirname "$resolv")"
  [ -e "$resolv" ] || : > "$resolv"
  echo 'nameserver 10.0.2.3' > "$state/resolv.conf"    # slirp4netns answers there
  mount --bind "$state/resolv.conf" "$resolv"
  for folder in etc var/lib var/cache var/log; do
    mkdir -p "$state/$folder"
    mount --bind "$state/$folder" "/$folder/libvirt"
  done

  cat > /etc/libvirt/qemu.conf <<'END'
user = "root"
group = "root"
security_driver = "none"
cgroup_controllers = []
namespaces = []
END
  echo 'auth_unix_rw = "none"' > /etc/libvirt/libvirtd.conf
  : > /etc/libvirt/virtlogd.conf
  await "the sandbox's PID" 20 test -s "$state/pid"
  cat > /run/sandbox.env <<END
export ROCELAB_SANDBOX=$(cat "$state/pid")
export VAGRANT_HOME=$state/vagrant VAGRANT_DOTFILE_PATH=$state/machines
export VAGRANT_DEFAULT_PROVIDER=libvirt LIBVIRT_DEFAULT_URI=qemu:///system
END
  # shellcheck disable=SC1091  # just written
  . /run/sandbox.env

  ip link set lo up
  await "the network of slirp4netns" 20 grep -q ^tap0 /proc/net/route
  virtlogd --daemon
  libvirtd --daemon
  await libvirtd 60 virsh --quiet version
  "$@"
}

outside() {
  [ "$(id -u)" = 0 ] || die "run it as root"
  for tool in vagrant virsh libvirtd virtlogd slirp4netns qemu-system-x86_64; do
    command -v "$tool" >/dev/null || die "$tool is not installed: $(dirname "$0")/setup.sh installs what is needed"
  done
  state=$(mktemp -d "${TMPDIR:-/var/tmp}/rocelab-sandbox.XXXXXX")
  trap end EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # The two die with this shell, and the namespaces with the first.
  setpriv --pdeathsig KILL unshare --net --mount --propagation private --pid --fork --kill-child --mount-proc \
    "$0" --inside "$state" "$@" <&0 &
  space=$!
  echo "$space" > "$state/pid"
  await "the sandbox's namespaces" 20 entered "$space"
  setpriv --pdeathsig KILL slirp4netns --configure --disable-host-loopback "$space" tap0 > "$state/slirp.log" 2>&1 &
  wait "$space"
}

# end ends the sandbox and removes its folder.
end() {
  # shellcheck disable=SC2046  # one word each
  kill -KILL $(jobs -p) 2>/dev/null || true
  wait 2>/dev/null
  rm -rf "$state"
}

# entered PID: whether that process has left this shell's network namespace.
entered() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/$$/ns/net)" ]; }

case ${1:-} in
  --join) [ $# -ge 3 ] || usage; shift; join "$@" ;;
  --inside) shift; inside "$@" ;;
  '' | -*) usage ;;
  *) outside "$@" ;;
esac
