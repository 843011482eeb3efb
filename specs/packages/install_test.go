package packages

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// installation is a release of one archive, whose program is a script, and a folder to install it into.
type installation struct {
	t                *testing.T
	release, to, bin string
	script           string
}

// newInstallation makes a release of the version and a folder of programs that stands for PATH, with uname in it.
func newInstallation(t *testing.T, version string) *installation {
	t.Helper()
	dir := t.TempDir()
	i := &installation{
		t:       t,
		release: filepath.Join(dir, "release"),
		to:      filepath.Join(dir, "to"),
		bin:     filepath.Join(dir, "bin"),
	}
	i.archive(version, "echo rocelab "+version)
	if err := os.Mkdir(i.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields("sh curl tar gzip sha256sum awk cut mktemp mkdir mv ln rm cat") {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(name + " is not installed")
		}
		if err := os.Symlink(path, filepath.Join(i.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	i.machine("Linux", "x86_64")
	return i
}

// machine sets what uname prints.
func (i *installation) machine(system, processor string) {
	i.write(filepath.Join(i.bin, "uname"), "#!/bin/sh\n[ \"$1\" = -s ] && echo "+system+" || echo "+processor+"\n")
}

// archive makes the archive of a version, the checksums and the installer.
func (i *installation) archive(version, program string) {
	i.t.Helper()
	name := "rocelab-" + version + "-amd64"
	i.write(filepath.Join(i.release, name, "bin/rocelab"), "#!/bin/sh\n"+program+"\n")
	tarball := filepath.Join(i.release, name+".tar.gz")
	if out, err := exec.Command("tar", "-czf", tarball, "-C", i.release, name).CombinedOutput(); err != nil {
		i.t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(tarball)
	if err != nil {
		i.t.Fatal(err)
	}
	i.write(filepath.Join(i.release, "SHA256SUMS"), fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(data), name))
	text, err := os.ReadFile("../../packaging/install.sh")
	if err != nil {
		i.t.Fatal(err)
	}
	i.script = filepath.Join(i.release, "install.sh")
	i.write(i.script, strings.ReplaceAll(string(text), "@VERSION@", version))
}

func (i *installation) write(path, text string) {
	i.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		i.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		i.t.Fatal(err)
	}
}

// install runs the installer and returns what it prints.
func (i *installation) install(args ...string) (string, error) {
	c := exec.Command(filepath.Join(i.bin, "sh"), append([]string{i.script, "--to", i.to}, args...)...)
	c.Env = []string{"PATH=" + i.bin, "TMPDIR=" + i.t.TempDir()}
	out, err := c.CombinedOutput()
	return string(out), err
}

// installed returns the output of the installed program, "" if nothing is installed; and the names of the versions.
func (i *installation) installed() (says string, versions []string) {
	out, _ := exec.Command(filepath.Join(i.to, "bin/rocelab")).Output()
	list, _ := os.ReadDir(filepath.Join(i.to, "lib/rocelab"))
	for _, d := range list {
		versions = append(versions, d.Name())
	}
	return strings.TrimSpace(string(out)), versions
}

// The installer downloads, checks and unpacks a release, from files and over HTTP, replaces the same version
// as a whole, and keeps an older one. Tier: everyday.
func TestInstallerInstalls(t *testing.T) {
	tier.Everyday(t)
	i := newInstallation(t, "0.1.0")
	server := httptest.NewServer(http.FileServer(http.Dir(i.release)))
	defer server.Close()
	check := func(from, version, program string) {
		t.Helper()
		i.archive(version, program)
		out, err := i.install("--from", from)
		if err != nil || !strings.Contains(out, "installed ") || !strings.Contains(out, "rocelab demo") {
			t.Fatalf("%v: %s", err, out)
		}
	}
	check("file://"+i.release, "0.1.0", "echo first")
	check(server.URL+"/", "0.1.0", "echo again")
	if says, versions := i.installed(); says != "again" || len(versions) != 1 {
		t.Errorf("installed is %q, versions %q", says, versions)
	}
	check(server.URL, "0.2.0", "echo second")
	if says, versions := i.installed(); says != "second" || len(versions) != 2 {
		t.Errorf("installed is %q, versions %q", says, versions)
	}
}

// On any fault, the installer names it, the installed version stays, and nothing half-written is there. Tier: everyday.
func TestInstallerRefuses(t *testing.T) {
	tier.Everyday(t)
	const name = "rocelab-0.2.0-amd64.tar.gz"
	remove := func(path string) func(*installation) {
		return func(i *installation) {
			os.Remove(filepath.Join(filepath.Dir(i.bin), path))
		}
	}
	machine := func(system, processor string) func(*installation) {
		return func(i *installation) { i.machine(system, processor) }
	}
	nothing := func(*installation) {}
	x := fmt.Sprintf("%x", sha256.Sum256([]byte("x")))
	for _, c := range []struct {
		spoil func(i *installation)
		args  []string
		want  string
	}{
		{remove("bin/curl"), nil, "curl is not installed"},
		{remove("bin/sha256sum"), nil, "shasum is not installed"},
		{remove("release/SHA256SUMS"), nil, "cannot download file://"},
		{machine("FreeBSD", "amd64"), nil, "there is no archive for FreeBSD"},
		{machine("Linux", "riscv64"), nil, "there is no archive for the processor riscv64"},
		{machine("Linux", "aarch64"), nil, "has no line for rocelab-0.2.0-arm64.tar.gz"},
		{nothing, []string{"--prefix", "/"}, "unknown option --prefix; allowed are --to FOLDER"},
		{nothing, []string{"--to"}, "--to needs a value"},
		{nothing, []string{"--from", "release"}, "--from release is not a URL"},
		{func(i *installation) { i.write(i.to+"2", "") }, []string{"--to", "TO2/x"}, "cannot write to "},
		{func(i *installation) { i.write(filepath.Join(i.release, "SHA256SUMS"), x+"  "+name+"\n") }, nil,
			"wrong checksum of " + name + ": SHA-256 is "},
		{func(i *installation) {
			i.write(filepath.Join(i.release, name), "x")
			i.write(filepath.Join(i.release, "SHA256SUMS"), x+"  "+name+"\n")
		}, nil, "cannot unpack " + name + "; nothing was changed"},
		{func(i *installation) { i.archive("0.2.0", "echo no such processor; exit 1") }, nil,
			"the program does not start on this machine: no such processor"},
	} {
		t.Run(c.want, func(t *testing.T) {
			i := newInstallation(t, "0.1.0")
			if out, err := i.install("--from", "file://"+i.release); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			i.archive("0.2.0", "echo rocelab 0.2.0")
			c.spoil(i)
			args := []string{"--from", "file://" + i.release}
			for _, arg := range c.args {
				args = append(args, strings.Replace(arg, "TO2", i.to+"2", 1))
			}
			out, err := i.install(args...)
			if err == nil || !strings.Contains(out, "install.sh: ") || !strings.Contains(out, c.want) {
				t.Errorf("%v: %s", err, out)
			}
			if says, versions := i.installed(); says != "rocelab 0.1.0" || len(versions) != 1 {
				t.Errorf("afterwards %q is installed, and there are %q", says, versions)
			}
		})
	}
}
