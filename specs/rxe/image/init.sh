#!/usr/bin/busybox sh
# The first program of a machine with soft-RoCE. The kernel's command line sets
#
#   address     of the network interface, such as 11.0.0.1/8
#   mtu         of that interface, in bytes
#   neighbours  addresses with their MACs, which are never asked for:
#               11.0.0.2=02:00:00:00:00:02,...
#
# When soft-RoCE is ready it says so on the port "run" of its virtio console. Then each
# line there, SECONDS COMMAND, is run by a shell; the answer is a line STATUS LENGTH
# and then the output, both of its kinds mixed. The status is 137 if the command took
# longer than its seconds. What goes wrong earlier is said on the serial line. The shell
# prefers the commands of busybox: /usr/bin/ip is iproute2's.
export PATH=/usr/bin:/usr/sbin HOME=/tmp
busybox mkdir -p /proc /sys /dev /tmp
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
busybox mount -t devtmpfs dev /dev
busybox mount -t tmpfs tmp /tmp
/usr/bin/busybox --install -s /usr/bin 2>/dev/null # it complains that ip is there
exec </dev/null >/dev/ttyS0 2>&1

fail() {
  echo "init: $*"
  poweroff -f
}

while read -r module; do
  insmod "$module" || fail "module $module does not load"
done </modules

interface=$(ls /sys/class/net | grep -v '^lo$')
echo 1 >"/proc/sys/net/ipv6/conf/$interface/disable_ipv6" # it would talk by itself
/usr/bin/ip link set lo up
/usr/bin/ip link set "$interface" mtu "$mtu" up &&
  /usr/bin/ip address add "$address" dev "$interface" || fail "no address $address"
echo "$neighbours" | tr ',=' '\n ' | while read -r peer mac; do
  [ -z "$peer" ] || /usr/bin/ip neighbour add "$peer" lladdr "$mac" dev "$interface" nud permanent || fail "no neighbour $peer"
done
rdma link add rxe0 type rxe netdev "$interface" || fail "no soft-RoCE on $interface"
ulimit -l unlimited

for port in /sys/class/virtio-ports/*; do
  [ "$(cat "$port/name")" != run ] || exec 3<>"/dev/${port##*/}"
done
echo ready >&3 || fail "no port to run commands for"
while read -r seconds command <&3; do
  timeout -s KILL "$seconds" sh -c "$command" 3<&- >/tmp/output 2>&1
  echo "$? $(stat -c %s /tmp/output)" >&3
  cat /tmp/output >&3
done
poweroff -f
