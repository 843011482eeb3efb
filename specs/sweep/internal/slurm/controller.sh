# Runs as the first process of namespaces of its own (network, host name, mounts,
# processes): slurmctld, and a nest of namespaces for each node. Its end ends them all.
# In: the folder, and the names of the nodes. It ends when its standard input does.
set -eu
folder=$1
shift

mount --make-rprivate /
mount -t proc proc /proc
hostname ctl
mount --bind "$folder/hosts" /etc/hosts
ip link set lo up
ip link add br0 type bridge
ip address add 10.77.0.1/24 dev br0
ip link set br0 up

munged --force --socket="$folder/munge.socket" --key-file="$folder/munge.key" --pid-file="$folder/munged.pid" \
  --seed-file="$folder/munged.seed" --log-file="$folder/munged.log"

number=1
for node in "$@"; do
  number=$((number + 1))
  # What the node does waits for its cable.
  unshare --net --uts --mount --pid --fork --kill-child --mount-proc \
    sh "$folder/node.sh" "$folder" "$node" "10.77.0.$number" >"$folder/$node.log" 2>&1 </dev/null &
  pid=$!
  echo "$pid" >"$folder/$node.pid"
  until [ "$(readlink "/proc/$pid/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
  ip link add "$node" type veth peer name eth0 netns "$pid"
  ip link set "$node" master br0 up
done

slurmctld -D >"$folder/slurmctld.out" 2>&1 </dev/null &
echo up
cat >/dev/null
