package image

import (
	"bytes"
	"errors"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What apt-get said of two packages, with a line of its own before.
func TestPackagesAreReadFromWhatAptPrints(t *testing.T) {
	const said = `The following NEW packages will be installed:
'http://debian/a_1%3a2_amd64.deb' a_1%3a2_amd64.deb 100 SHA256:aa
'http://debian/b_3_all.deb' b_3_all.deb 23
`
	packages, err := parseURIs(said)
	want := []debian{{file: "a_1%3a2_amd64.deb", size: 100, hash: "SHA256:aa"}, {file: "b_3_all.deb", size: 23}}
	if err != nil || !slices.Equal(packages, want) {
		t.Errorf("read %v, %v", packages, err)
	}
	if total(packages) != 123 {
		t.Errorf("together %d bytes", total(packages))
	}
	for _, wrong := range []string{"'http://debian/a' a", "'http://debian/a' a many"} {
		if _, err := parseURIs(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
	other := slices.Clone(packages)
	other[0].hash = "SHA256:ab"
	if key(packages) == key(other) || key(packages) != key(slices.Clone(packages)) {
		t.Error("the key of an image is not of its packages")
	}
}

// Libraries come with programs, and what links lead to with links.
func TestLinksAndFoldersThatDebianMerged(t *testing.T) {
	for name, want := range map[string]string{
		"./bin/ip": "usr/bin/ip", "/lib64/ld.so": "usr/lib64/ld.so", "./usr/bin/ip": "usr/bin/ip",
		"./etc/a": "etc/a", "./libexec/a": "libexec/a",
	} {
		if got := merged(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	from := tree{
		"usr/lib/a.so":   {target: "x/a.so.1"},
		"usr/lib/x/a.so": {},
		"usr/lib64/b":    {target: "/lib/a.so"},
	}
	err := from.copy(tree{}, "usr/lib64/b")
	if err == nil || !strings.Contains(err.Error(), "no package has usr/lib/x/a.so.1") {
		t.Errorf("a link to nothing: %v", err)
	}
	from["usr/lib/x/a.so.1"] = file{content: []byte("text")}
	to := tree{}
	if err := from.copy(to, "usr/lib64/b"); err != nil {
		t.Error(err)
	}
	want := []string{"usr/lib/a.so", "usr/lib/x/a.so.1", "usr/lib64/b"}
	if got := slices.Sorted(maps.Keys(to)); !slices.Equal(got, want) {
		t.Errorf("copied %v, want %v", got, want)
	}
}

// The archive byte by byte, by the kernel's description of the format.
func TestTheArchiveIsTheKernels(t *testing.T) {
	header := func(inode, mode, size, name string) string {
		zero := "00000000"
		return "070701" + inode + mode + zero + zero + "00000001" + zero + size + zero + zero + zero + zero + name + zero
	}
	want := header("00000001", "000041ed", "00000000", "00000002") + "d\x00" +
		header("00000002", "000081a4", "00000005", "00000004") + "d/f\x00\x00\x00" + "hello\x00\x00\x00" +
		header("00000003", "0000a1ff", "00000003", "00000002") + "l\x00" + "d/f\x00" +
		header("00000000", "00000000", "00000000", "0000000b") + "TRAILER!!!\x00\x00\x00\x00"
	got := tree{"l": {target: "d/f", mode: 0o777}, "d/f": {content: []byte("hello"), mode: 0o644}}.archive()
	if !bytes.Equal(got, []byte(want)) {
		t.Errorf("archive\n%q, want\n%q", got, want)
	}
}

// Every program that is missing is named with its package.
func TestMissingProgramsAreNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := required()
	if _, ok := errors.AsType[*UnavailableError](err); !ok || !strings.Contains(err.Error(), "qemu-system-x86") {
		t.Errorf("without any program: %v", err)
	}
}

// A package that apt does not know is the host's lack, said with apt's words.
// Tier: -short; skipped where there is no apt-get.
func TestPackagesThatAreNotToBeHadAreNamed(t *testing.T) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		t.Skip("there is no apt-get: Debian's package apt")
	}
	was := wanted
	defer func() { wanted = was }()
	wanted = []string{"rocelab-no-such-package"}
	_, err := resolve(t.Context(), t.TempDir())
	if _, ok := errors.AsType[*UnavailableError](err); !ok || !strings.Contains(err.Error(), "rocelab-no-such-package") ||
		!strings.Contains(err.Error(), "apt-get update") {
		t.Errorf("said %v", err)
	}
}
