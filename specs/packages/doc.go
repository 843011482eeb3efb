// Package packages shows that the packages for users are complete: the command of the folder packaging makes the same
// bytes in two folders, time zones and umasks; the .deb is installed into a clean Debian, used, and purged without a
// trace; the .rpm and the tarball hold the same files; the image's programs start in a root without anything else; the
// bill of materials and the checksums match the content; the installer unpacks a release whole or changes nothing.
//
// The packages are made from the commit that is checked out: uncommitted changes are not in them.
//
// The specs are slow: about a minute of building, and 60 MB from Debian's mirror for the clean root. They need git and
// root, and each of dpkg, mmdebstrap, rpm and umoci for one kind of package; if one is missing, its spec reports it.
// ROCELAB_SUITE (default bookworm) is the release of Debian, ROCELAB_MIRROR (default http://deb.debian.org/debian) its
// source.
package packages
