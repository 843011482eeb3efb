// Package packages shows that what users install is whole: the command of the folder
// packaging makes the same bytes in two folders, time zones and umasks; the .deb is
// installed into a clean Debian, used, and purged without a trace; the .rpm and the
// tarball hold the same files; the image's programs start in a root that has nothing
// else; the bill of materials and the checksums say what is there; the installer
// unpacks a release whole or changes nothing.
//
// What is packed is the commit that is checked out: changes that are not committed
// are not in it.
//
// The specs are slow: about a minute of building, and 60 MB from Debian's mirror for
// the clean root. They need git and root, and each of dpkg, mmdebstrap, rpm and umoci
// for one kind of package; where one is not there, its spec says so. ROCELAB_SUITE
// (default bookworm) is the release of Debian, ROCELAB_MIRROR (default
// http://deb.debian.org/debian) where it comes from.
package packages
