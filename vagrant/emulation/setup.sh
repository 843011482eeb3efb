#!/usr/bin/env bash
# Installs the Debian packages with which box.sh and sandbox.sh work: vagrant
# with its libvirt provider, QEMU, libvirt, what makes a box, and what gives
# the sandbox its network. Does nothing where they are there already, starts no
# service and changes no configuration.
#
#   sudo vagrant/emulation/setup.sh
set -euo pipefail

packages=(
  vagrant vagrant-libvirt rsync openssh-client           # vagrant up
  qemu-system-x86 qemu-utils                             # the machine
  libvirt-daemon-system libvirt-daemon-driver-qemu libvirt-clients dnsmasq-base iptables
  mmdebstrap extlinux e2fsprogs fdisk                    # the box
  slirp4netns                                            # the sandbox's way out
)

missing=()
for p in "${packages[@]}"; do
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup.sh: all packages are there"
  exit
fi
if [ "$(id -u)" != 0 ]; then
  echo "setup.sh: to be installed: ${missing[*]}; run it as root" >&2
  exit 1
fi
echo "setup.sh: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --yes --no-install-recommends "${missing[@]}"
