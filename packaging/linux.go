package main

import (
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	"github.com/goreleaser/nfpm/v2/rpm"
)

const (
	homepage = "https://github.com/rocelab/rocelab"
	summary  = "testbed for the congestion control of AI fabrics"
	// maintainer needs the form of an address; there is none to write to.
	maintainer = "The rocelab authors <nobody@rocelab.invalid>"
)

const description = summary + `
Switch and NIC models exchange real RoCEv2 frames; a scenario file describes the
fabric, the algorithms, the traffic and the expected results. Every run
judges itself. A run takes place in one process, or on a testbed of containers
joined by veth pairs, with the same result to the bit.`

// writeDeb writes a package for Debian and its kin.
func (r *release) writeDeb(entries []entry, to string) error {
	info := r.linuxPackage(entries)
	info.Deb.Compression = "zstd:best"
	for _, c := range info.Contents { // where zsh looks there
		c.Destination = strings.Replace(c.Destination, "/zsh/site-functions", "/zsh/vendor-completions", 1)
	}
	return create(to, func(f io.Writer) error { return deb.Default.Package(info, f) })
}

// writeRPM writes a package for Fedora and its kin.
func (r *release) writeRPM(entries []entry, to string) error {
	info := r.linuxPackage(entries)
	info.RPM.Compression = "zstd:best"
	info.RPM.Summary = summary
	info.RPM.BuildHost = "localhost" // not this one's name
	return create(to, func(f io.Writer) error { return rpm.DefaultRPM.Package(info, f) })
}

// linuxPackage is the common part of both kinds.
func (r *release) linuxPackage(entries []entry) *nfpm.Info {
	info := &nfpm.Info{
		Name:        "rocelab",
		Arch:        r.arch,
		Platform:    "linux",
		Version:     strings.ReplaceAll(r.version(), "-", "~"),
		Section:     "net",
		Priority:    "optional",
		Maintainer:  maintainer,
		Description: description,
		Homepage:    homepage,
		License:     "Apache-2.0",
		MTime:       r.date,
	}
	info.VersionSchema = "none"
	info.DisableGlobbing = true
	info.Recommends = []string{"runc"}
	info.Suggests = []string{"ethtool", "iproute2", "tcpdump"}
	for _, e := range entries {
		c := &files.Content{Source: e.file, Destination: "/" + e.path, Type: files.TypeFile,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: e.mode.Perm(), MTime: r.date}}
		switch e.mode.Type() {
		case fs.ModeDir:
			if path.Base(e.path) != "rocelab" && !strings.Contains(e.path, "/rocelab/") {
				continue // the system's own
			}
			c.Source, c.Type = "", files.TypeDir
		case fs.ModeSymlink:
			c.Source, c.Type = e.target, files.TypeSymlink
		}
		info.Contents = append(info.Contents, c)
	}
	return nfpm.WithDefaults(info)
}
