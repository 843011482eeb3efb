#!/usr/bin/env bash
# Makes a Debian machine, virtual or not, one that carries rocelab's testbed:
# tools, Go, a kernel setting, and the programs of this checkout in
# /usr/local/bin. Says what it does; run again, it does what is missing.
#
#   sudo vagrant/provision.sh          # sudo -E, to pass the environment on
#
# Environment:
#   ROCELAB_BIN        a folder with the programs, already built: they are
#                      installed as they are, and Go is not needed
#   ROCELAB_GO_MIRROR  where Go comes from if Debian's is too old
#                      (default https://go.dev/dl/)
#   http_proxy, https_proxy, no_proxy
#                      for apt and for the download of Go and of its modules
#   GOPROXY, GOSUMDB   where Go's modules come from
#
# Ends with `rocelab doctor` and with an incast on veth, whose trace must be the
# one in memory; it fails if one of them does.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mirror=${ROCELAB_GO_MIRROR:-https://go.dev/dl/}
incast=$source/vagrant/incast.yaml

say() { echo "provision: $*"; }
die() { echo "provision: $*" >&2; exit 1; }

# set_proxies gives the proxies the names that apt, curl and Go all read.
set_proxies() {
  local name capitals
  for name in http_proxy https_proxy no_proxy; do
    capitals=${name^^}
    [ -n "${!name:-}" ] || [ -z "${!capitals:-}" ] || export "$name=${!capitals}"
    [ -z "${!name:-}" ] || say "$name: ${!name//\/\/*@/\/\/}"
  done
}

# install_packages NAME...: those that are not installed yet.
install_packages() {
  local p missing=()
  for p in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "packages: all there ($*)"
    return
  fi
  say "packages: installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  apt-get -qq install --yes --no-install-recommends "${missing[@]}" >/dev/null ||
    die "packages could not be installed, see above; behind a proxy http_proxy must name it (sudo -E keeps it)"
}

# set_backlog lengthens the queue of received frames that every veth link goes
# through: what finds it full is sent again, which takes time.
set_backlog() {
  local file=/etc/sysctl.d/60-rocelab.conf key=net.core.netdev_max_backlog length=16384
  printf '# Written by rocelab: frames that one window may send over veth links at once.\n%s = %s\n' $key $length \
    > $file
  if [ "$(sysctl -n $key 2>/dev/null || echo $length)" -ge $length ]; then
    say "$key: long enough; kept so by $file"
  elif sysctl -q -w $key=$length 2>/dev/null; then
    say "$key: set to $length, and for every start by $file"
  else
    say "$key: cannot be set from here; $file sets it at the next start"
  fi
}

# go_suffices GO: whether that program is Go of the wanted version or newer.
go_suffices() {
  local have
  have=$(GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null) || return
  dpkg --compare-versions "${have#go}" ge "$want"
}

# install_go puts Go of the version in go.mod, or newer, into PATH.
install_go() {
  want=$(awk '$1 == "go" { print $2 }' "$source/go.mod")
  local path candidate
  for path in "$(command -v go || true)" /usr/local/go/bin/go; do
    if [ -n "$path" ] && go_suffices "$path"; then
      say "Go: $("$path" env GOVERSION) in ${path%/go} is at least $want"
      PATH=${path%/go}:$PATH
      return
    fi
  done
  candidate=$(apt-cache policy golang-go | awk '$1 == "Candidate:" { print $2 }')
  if [ -n "$candidate" ] && dpkg --compare-versions "$candidate" ge "2:${want%.0}~"; then
    say "Go: Debian's $candidate is at least $want"
    install_packages golang-go
  else
    say "Go: Debian's ${candidate:-none} is older than $want"
    download_go
  fi
}

# download_go unpacks the wanted release into /usr/local/go. The archive is
# compared with the SHA-256 in the list of releases (https://go.dev/dl/, "mode=json").
download_go() {
  local name sum work
  name=go$want.linux-$(dpkg --print-architecture).tar.gz
  install_packages ca-certificates curl jq
  work=$(mktemp -d /usr/local/rocelab-go.XXXXXX)
  # shellcheck disable=SC2064  # the folder is known now
  trap "rm -rf '$work'" EXIT
  say "Go: downloading $mirror$name"
  curl -fsSL --retry 3 -o "$work/releases" "$mirror?mode=json&include=all" ||
    die "the list of Go releases could not be had from $mirror"
  sum=$(jq -r --arg name "$name" '.[].files[] | select(.filename == $name).sha256' "$work/releases") ||
    die "what $mirror answers is no list of Go releases"
  [ -n "$sum" ] || die "$mirror lists no $name"
  curl -fsSL --retry 3 -o "$work/$name" "$mirror$name" || die "$name could not be had from $mirror"
  echo "$sum  $work/$name" | sha256sum --check --status ||
    die "$name is not what $mirror lists: its SHA-256 is not $sum"
  tar -C "$work" -xzf "$work/$name"
  if [ -e /usr/local/go ]; then
    local aside
    aside=/usr/local/go-before-$want
    say "Go: the older one in /usr/local/go is moved to $aside"
    rm -rf "$aside"
    mv /usr/local/go "$aside"
  fi
  mv "$work/go" /usr/local/go
  ln -sf /usr/local/go/bin/go /usr/local/go/bin/gofmt /usr/local/bin/
  rm -rf "$work"
  trap - EXIT
  PATH=/usr/local/go/bin:$PATH
}

# install_programs builds every main package under cmd, unless they are given, and
# makes the names of daemons and algorithms as links.
# Linked statically they run in a node's container without a library beside them.
install_programs() {
  local from=${ROCELAB_BIN:-} program stamp=auto
  if [ -z "$from" ]; then
    from=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$from'" EXIT
    say "building the programs of $source"
    # Git refuses a shared folder that belongs to nobody here; no version is stamped then.
    git -C "$source" status >/dev/null 2>&1 || stamp=false
    (cd "$source" && CGO_ENABLED=0 go build -trimpath -buildvcs="$stamp" -o "$from/" ./cmd/...)
  fi
  [ -x "$from/rocelab" ] || die "there is no program rocelab in $from"
  for program in "$from"/*; do
    [ -L "$program" ] || install -m 755 "$program" /usr/local/bin/
  done
  /usr/local/bin/rocelab links /usr/local/bin >/dev/null || die "names of daemons and algorithms cannot be made"
  say "in /usr/local/bin: $(cd "$from" && echo *), and links to them"
}

# try_incast runs a small incast in memory and on veth, and compares.
try_incast() {
  local memory veth
  say "an incast in memory and on veth: $incast"
  memory=$(traces mem) || die "the incast does not pass in memory: rocelab run $incast"
  veth=$(traces veth) || die "the incast does not pass on veth: rocelab run $incast --on veth"
  [ "$memory" = "$veth" ] || die "the incast on veth is not the one in memory, so do not trust results of this machine
  in memory: $memory
  on veth:   $veth"
  say "on veth as in memory: $veth"
}

# traces mem|veth: name, verdict and trace of each variant.
traces() {
  local json
  json=$(/usr/local/bin/rocelab run "$incast" --on "$1" --no-folder --format json) || return
  grep -oE '"(variant|verdict|trace)": *"[^"]*"' <<<"$json" | cut -d '"' -f 4 | paste -sd ' '
}

[ "$(id -u)" = 0 ] || die "run it as root: sudo $0"
command -v apt-get >/dev/null || die "this is no Debian: there is no apt-get"
export PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin    # su leaves them out

set_proxies
install_packages git iproute2 tcpdump tshark runc ethtool procps
set_backlog
[ -n "${ROCELAB_BIN:-}" ] || install_go
install_programs
say "rocelab doctor:"
/usr/local/bin/rocelab doctor
try_incast
