#!/bin/sh
# Installs rocelab @VERSION@ on Linux or macOS, without root:
#
#   curl -fsSL https://github.com/rocelab/rocelab/releases/latest/download/install.sh | sh
#
# downloads the archive of this release for this system, checks its SHA-256 and unpacks it:
#
#   FOLDER/lib/rocelab/VERSION/     everything
#   FOLDER/bin/rocelab              a link to the program in it
#
# Options, behind "sh -s --" in a pipe:
#   --to FOLDER   where to install (default ~/.local)
#   --from URL    folder of the release: https://, http:// or file:// (default the release on GitHub)
#
# Nothing is changed before the checksum is right, and an installed version is replaced as a whole. To remove
# all: rm -r FOLDER/lib/rocelab FOLDER/bin/rocelab
set -eu

version='@VERSION@'

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

# need fails if a program is missing.
need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is not installed; $2"
}

# fetch downloads a file of the release.
fetch() {
  curl --fail --silent --show-error --location --output "$2" "$from/$1" ||
    fail "cannot download $from/$1; nothing was changed"
}

# everything is one function, so that a script cut off in a pipe does nothing.
main() {
  to=${HOME:+$HOME/.local}
  from=https://github.com/rocelab/rocelab/releases/download/v$version
  while [ $# -gt 0 ]; do
    case $1 in
    --to | --from)
      [ -n "${2:-}" ] || fail "$1 needs a value"
      if [ "$1" = --to ]; then to=$2; else from=${2%/}; fi
      shift 2
      ;;
    *) fail "unknown option $1; allowed are --to FOLDER and --from URL" ;;
    esac
  done
  [ -n "$to" ] || fail "HOME is not set; give a folder with --to"
  case $from in
  https://* | http://* | file://*) ;;
  *) fail "--from $from is not a URL; allowed are https://, http:// and file://" ;;
  esac

  case $(uname -s) in
  Linux) system='' ;;
  Darwin) system=darwin- ;;
  *) fail "there is no archive for $(uname -s); for Windows take the zip file from the releases page" ;;
  esac
  case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no archive for the processor $(uname -m); allowed are x86_64 and aarch64" ;;
  esac
  need curl "install it, or download the archive by hand"
  need tar "install it"
  if command -v sha256sum >/dev/null 2>&1; then
    digest=sha256sum
  else
    need shasum "sha256sum is missing too, and without one of them the checksum cannot be checked"
    digest='shasum -a 256'
  fi

  name=rocelab-$version-$system$arch
  work=$(mktemp -d) || fail "cannot make a temporary folder"
  new=''
  trap 'rm -rf "$work" ${new:+"$new"}' EXIT
  trap 'exit 1' HUP INT TERM

  fetch SHA256SUMS "$work/SHA256SUMS"
  want=$(awk -v name="$name.tar.gz" '$2 == name { print $1 }' "$work/SHA256SUMS")
  [ -n "$want" ] || fail "SHA256SUMS at $from has no line for $name.tar.gz; nothing was changed"
  echo "downloading $name.tar.gz"
  fetch "$name.tar.gz" "$work/archive"
  got=$($digest "$work/archive" | cut -d ' ' -f 1)
  [ "$got" = "$want" ] || fail "wrong checksum of $name.tar.gz: SHA-256 is $got, SHA256SUMS has $want; nothing was changed"

  place=$to/lib/rocelab
  mkdir -p "$place" "$to/bin" 2>/dev/null || fail "cannot write to $to; choose another folder with --to"
  new=$(mktemp -d "$place/.new-XXXXXX") || fail "cannot write to $place; choose another folder with --to"
  tar -xzf "$work/archive" -C "$new" || fail "cannot unpack $name.tar.gz; nothing was changed"
  says=$("$new/$name/bin/rocelab" --version 2>&1) || fail "the program does not start on this machine: $says"
  [ ! -d "$place/$version" ] || mv "$place/$version" "$new/old"
  mv "$new/$name" "$place/$version"
  ln -s "../lib/rocelab/$version/bin/rocelab" "$new/link"
  mv -f "$new/link" "$to/bin/rocelab"

  echo "installed $(echo "$says" | awk 'NR == 1') in $place/$version"
  case :${PATH:-}: in
  *:"$to/bin":*) echo "try: rocelab demo" ;;
  *) echo "try: $to/bin/rocelab demo    ($to/bin is not in PATH)" ;;
  esac
}

main "$@"
