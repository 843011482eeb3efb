package main

import (
	"fmt"
	"path/filepath"
)

// target is a system and a processor, by Go's names for them.
type target struct{ system, arch string }

// released are the targets of a release.
var released = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
}

// linuxOn is Linux on each of the processors.
func linuxOn(arches []string) (list []target) {
	for _, arch := range arches {
		list = append(list, target{"linux", arch})
	}
	return list
}

func (t target) String() string { return t.system + "/" + t.arch }

// suffix is the target in the names of files; Linux goes without saying.
func (t target) suffix() string {
	if t.system == "linux" {
		return t.arch
	}
	return t.system + "-" + t.arch
}

// folders are the folders of cmd with the target's programs: elsewhere than on Linux there are no
// containers, and rocelab is the whole.
func (t target) folders() (list []string) {
	for _, name := range t.names() {
		list = append(list, "./cmd/"+name)
	}
	return list
}

func (t target) names() []string {
	if t.system == "linux" {
		return programNames
	}
	return []string{"rocelab", "rocelab-cc"}
}

// programs are the files that the compiler makes.
func (t target) programs() (list []string) {
	for _, name := range t.names() {
		if t.system == "windows" {
			name += ".exe"
		}
		list = append(list, name)
	}
	return list
}

// kind is a kind of package: how its file's name ends, and what writes it.
type kind struct {
	ending string
	write  func(entries []entry, path string) error
}

// kinds are the packages that a target has.
func (r *release) kinds() []kind {
	bill := kind{"cdx.json", r.writeBill}
	switch r.system {
	case "linux":
		return []kind{{"deb", r.writeDeb}, {"rpm", r.writeRPM}, {"tar.gz", r.writeTarball}, {"oci.tar", r.writeImage}, bill}
	case "windows":
		return []kind{{"zip", r.writeZip}, bill}
	}
	return []kind{{"tar.gz", r.writeTarball}, bill}
}

// file is the name of the target's package with that ending.
func (r *release) file(ending string) string {
	return fmt.Sprintf("rocelab-%s-%s.%s", r.version(), r.suffix(), ending)
}

// fillElsewhere stages what an archive for macOS or Windows has: the programs in bin, scenarios, what
// there is to read. Staged below usr as for Linux, the archives look alike.
func (r *release) fillElsewhere(to stage, bin string) error {
	for _, p := range r.programs {
		if err := to.copy(filepath.Join(bin, p.name), r.programFolder()+p.name, 0o755); err != nil {
			return err
		}
	}
	if err := r.fillDocs(to); err != nil {
		return err
	}
	return to.put(docFolder+"THIRD-PARTY.txt", r.thirdPartyText())
}

// programFolder is where a target's programs are, below the root.
func (r *release) programFolder() string {
	if r.system == "linux" {
		return libFolder
	}
	return "usr/bin/"
}
