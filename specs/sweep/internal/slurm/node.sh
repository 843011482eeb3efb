# Runs as the first process of a node's namespaces: slurmd, and what it starts.
# In: the folder, the node's name, its address.
set -eu
hostname "$2"
mount --bind "$1/hosts" /etc/hosts
until ip link show eth0 >/dev/null 2>&1; do sleep 0.01; done
ip link set lo up
ip address add "$3/24" dev eth0
ip link set eth0 up
slurmd -D -N "$2" &
wait
