#!/usr/bin/env bash
# Makes a small Vagrant box for the provider libvirt: Debian with the cloud
# kernel, sshd, sudo and rsync, bootable on a plain PC without KVM.
#
#   sudo vagrant/emulation/box.sh FILE.box [PACKAGE...]
#
# Packages given are installed as well. ROCELAB_SUITE (default bookworm) is the
# release of Debian, ROCELAB_MIRROR (default http://deb.debian.org/debian) where
# it comes from. Needs 3 GB in the folder of FILE.box while it works.
#
# The box brings a Vagrantfile of its own with what emulation needs, so that the
# project's Vagrantfile works with it unchanged. It has Vagrant's well-known
# insecure key, which `vagrant up` replaces: keep it off networks until then.
#
# Format of a box: https://developer.hashicorp.com/vagrant/docs/boxes/base
# and https://vagrant-libvirt.github.io/vagrant-libvirt/boxes.html
set -euo pipefail

size=6G    # of the disk; sparse, so it costs what is in it

say() { echo "box.sh: $*" >&2; }
die() { say "$*"; exit 1; }

[ $# -ge 1 ] || die "usage: box.sh FILE.box [PACKAGE...]"
[ "$(id -u)" = 0 ] || die "run it as root: it mounts the disk that it fills"
[ "$(dpkg --print-architecture)" = amd64 ] || die "boxes are made on amd64 alone"

# In mounts of its own nothing stays mounted, however this ends.
if [ -z "${ROCELAB_BOX_MOUNTS:-}" ]; then
  ROCELAB_BOX_MOUNTS=private exec unshare --mount --propagation private "$0" "$@"
fi

box=$(realpath "$1")
shift
suite=${ROCELAB_SUITE:-bookworm}
mirror=${ROCELAB_MIRROR:-http://deb.debian.org/debian}
include=$(IFS=,; echo "linux-image-cloud-amd64,systemd-sysv,udev,dbus,ifupdown,isc-dhcp-client,openssh-server,sudo,rsync,ca-certificates${*:+,$*}")

work=$(mktemp -d "$(dirname "$box")/.box.XXXXXX")
root=$work/root
trap 'umount "$root" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

say "a disk of $size with one partition"
# The features left out are those that extlinux 6.04 cannot read.
truncate -s "$size" "$work/disk"
echo 'start=2048, type=83, bootable' | sfdisk --quiet "$work/disk"
offset=$((2048 * 512))
mkfs.ext4 -q -F -L rocelab -O '^64bit,^metadata_csum' -E "offset=$offset,lazy_itable_init=0" \
  "$work/disk" $((($(stat -c %s "$work/disk") - offset) / 1024))k
mkdir "$root"
mount -o "loop,offset=$offset" "$work/disk" "$root"

say "Debian $suite from $mirror"
security=http://deb.debian.org/debian-security
# Package archives are not kept and documentation is left out, as in any small image.
mmdebstrap --quiet --mode=root --variant=minbase --include="$include" --skip=check/empty \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --aptopt='Apt::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
  "$suite" "$root" \
  "deb $mirror $suite main" "deb $mirror $suite-updates main" "deb $security $suite-security main" >&2

say "network, user and boot loader"
echo 'LABEL=rocelab / ext4 defaults,noatime 0 1' > "$root/etc/fstab"
echo rocelab > "$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 rocelab\n' > "$root/etc/hosts"
cat > "$root/etc/network/interfaces" <<'END'
auto lo
iface lo inet loopback
allow-hotplug eth0
iface eth0 inet dhcp
END
rm -f "$root/etc/resolv.conf"    # the build host's; DHCP writes the guest's

chroot "$root" useradd --create-home --shell /bin/bash vagrant
echo 'vagrant ALL=(ALL) NOPASSWD: ALL' > "$root/etc/sudoers.d/vagrant"
chmod 440 "$root/etc/sudoers.d/vagrant"
install -d -m 700 "$root/home/vagrant/.ssh"
key=$(find /usr/share /opt/vagrant -path '*/keys/vagrant.pub' -print -quit 2>/dev/null)
[ -n "$key" ] || die "Vagrant's insecure public key (keys/vagrant.pub) was not found: install vagrant"
install -m 600 "$key" "$root/home/vagrant/.ssh/authorized_keys"
chroot "$root" chown -R vagrant:vagrant /home/vagrant/.ssh
echo 'UseDNS no' > "$root/etc/ssh/sshd_config.d/rocelab.conf"

# Timers that would begin work of minutes on an emulated processor.
chroot "$root" systemctl --quiet mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer

mkdir -p "$root/boot/extlinux"
cat > "$root/boot/extlinux/extlinux.conf" <<'END'
DEFAULT linux
PROMPT 0
TIMEOUT 0
LABEL linux
  KERNEL /vmlinuz
  INITRD /initrd.img
  APPEND root=LABEL=rocelab ro quiet net.ifnames=0 console=ttyS0 mitigations=off
END
extlinux --install "$root/boot/extlinux" >/dev/null 2>&1
umount "$root"
dd if=/usr/lib/EXTLINUX/mbr.bin of="$work/disk" conv=notrunc status=none

say "packing"
qemu-img convert -O qcow2 "$work/disk" "$work/box.img"
rm "$work/disk"
printf '{"provider": "libvirt", "format": "qcow2", "virtual_size": %d}\n' "${size%G}" > "$work/metadata.json"
cat > "$work/Vagrantfile" <<'END'
# What a machine needs that is emulated by QEMU alone, without KVM.
Vagrant.configure("2") do |config|
  config.vm.boot_timeout = 900
  config.vm.provider :libvirt do |v|
    v.driver = "qemu"
    v.cpu_mode = "custom"
    v.cpu_model = "qemu64"
    v.cpu_fallback = "allow"
    v.graphics_type = "none"
    v.video_type = "none"
  end
end
END
tar -C "$work" -cf "$work/out" metadata.json Vagrantfile box.img
mv "$work/out" "$box"
say "$box, $(du -h "$box" | cut -f1)"
