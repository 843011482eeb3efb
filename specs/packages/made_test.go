package packages

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// tool returns the path of a program, and skips the spec if there is none.
func tool(name, source string) string {
	GinkgoHelper()
	path, err := exec.LookPath(name)
	if err != nil {
		Skip(name + " is not installed: " + source)
	}
	return path
}

// run runs a command and returns what it prints; the spec fails if it does.
func run(c *exec.Cmd) string {
	GinkgoHelper()
	out, err := c.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), "%s\n%s", c, out)
	return string(out)
}

// shell is a command line of sh.
func shell(ctx SpecContext, format string, args ...any) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(format, args...))
}

// folder is a new folder that all users may enter, as folders of installed files are; go test's are not.
func folder(name string) string {
	GinkgoHelper()
	dir, err := os.MkdirTemp("", "rocelab-packages-"+name+"-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, dir)
	Expect(os.Chmod(dir, 0o755)).To(Succeed())
	return dir
}

// pack clones the commit that is checked out in a folder and makes its packages in the clone, under the
// given settings; it returns the folder of the packages.
func pack(ctx SpecContext, from, clone, umask string, env ...string) string {
	GinkgoHelper()
	run(exec.CommandContext(ctx, "git", "clone", "--quiet", from, clone))
	c := shell(ctx, "umask %s && go -C %s/packaging run .", umask, clone)
	c.Env = append(os.Environ(), env...)
	fmt.Fprintln(GinkgoWriter, run(c))
	return filepath.Join(clone, "dist")
}

// made returns the package of that ending, the only one in a folder.
func made(dist, ending string) string {
	GinkgoHelper()
	list, err := filepath.Glob(filepath.Join(dist, "rocelab-*."+ending))
	Expect(err).NotTo(HaveOccurred())
	Expect(list).To(HaveLen(1))
	return list[0]
}

// digests returns all below a folder by its path: what it is, and the SHA-256 of a file's bytes. What skip
// reports of, a path that begins with a slash, is left out.
func digests(top string, skip func(path string) bool) map[string]string {
	GinkgoHelper()
	all := map[string]string{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, top)
		if err != nil || name == "" {
			return err
		}
		if skip != nil && skip(name) {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[name] = info.Mode().String()
		switch {
		case info.Mode().Type() == fs.ModeSymlink:
			target, err := os.Readlink(path)
			all[name] += " " + target
			return err
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			all[name] += fmt.Sprintf(" %x", sha256.Sum256(data))
			return err
		}
		return nil
	})
	Expect(err).NotTo(HaveOccurred())
	return all
}

// inRoot is a command in another root, with processes of its own to see. Options of chroot may go before
// the command.
func inRoot(ctx SpecContext, root string, args ...string) *exec.Cmd {
	list := []string{"--mount", "--pid", "--fork", "--mount-proc=" + filepath.Join(root, "proc"), "chroot"}
	for len(args) > 0 && strings.HasPrefix(args[0], "--") {
		list, args = append(list, args[0]), args[1:]
	}
	list = append(append(list, root), args...)
	c := exec.CommandContext(ctx, "unshare", list...)
	c.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "DEBIAN_FRONTEND=noninteractive"}
	return c
}
