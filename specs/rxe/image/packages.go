package image

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/specs/rxe/peer"
)

// wanted are the packages that the machine is made of; apt adds what they need.
var wanted = []string{"linux-image-amd64", "busybox-static", "iproute2", "ibverbs-providers", "ibverbs-utils",
	"perftest", "rdmacm-utils", "libibverbs-dev"}

// debian is a package as apt would download it.
type debian struct {
	file string // NAME_VERSION_ARCHITECTURE.deb
	size int64  // bytes
	hash string // as apt writes it, such as SHA256:...
}

// resolve asks apt for all packages of the machine, as if nothing were installed.
func resolve(ctx context.Context, work string) ([]debian, error) {
	// An empty list of installed packages, and a folder of ours for downloads.
	if err := os.WriteFile(filepath.Join(work, "installed"), nil, 0o644); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(work, "packages", "partial"), 0o755); err != nil {
		return nil, err
	}
	out, err := apt(ctx, work, "--print-uris")
	if err != nil {
		return nil, err
	}
	packages, err := parseURIs(out)
	if err == nil && len(packages) == 0 {
		err = fmt.Errorf("apt-get names no packages: %s", out)
	}
	return packages, err
}

func download(ctx context.Context, work string) error {
	_, err := apt(ctx, work, "--download-only")
	return err
}

// apt runs apt-get install for all packages wanted, with an option that keeps it
// from installing any. Each failure of it is for lack of a package.
func apt(ctx context.Context, work, option string) (string, error) {
	args := []string{"install", "--yes", "--quiet", "--no-install-recommends", option,
		"-o", "Dir::State::status=" + filepath.Join(work, "installed"),
		"-o", "Dir::Cache::archives=" + filepath.Join(work, "packages"),
		"-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", // no user but root may write them
		"-o", "Debug::NoLocking=true", // neither is the machine's own state touched
		"-o", "APT::Architecture=amd64", "-o", "APT::Architectures::=amd64",
		"-o", "APT::Sandbox::User=" + userName(), // the folder is not for apt's own user
	}
	c := exec.CommandContext(ctx, "apt-get", append(args, wanted...)...)
	c.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
	var out, complaint bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &UnavailableError{fmt.Sprintf("Debian's packages %s are needed, which apt-get cannot get (%v); "+
			"does `apt-get update` help? It says:\n%s", strings.Join(wanted, ", "), err, &complaint)}
	}
	return out.String(), nil
}

func userName() string {
	if os.Geteuid() == 0 {
		return "root"
	}
	return ""
}

// parseURIs reads lines of --print-uris: 'ADDRESS' FILE SIZE HASH.
func parseURIs(out string) (packages []debian, err error) {
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "'") {
			continue // what apt says of its decisions
		}
		fields := strings.Fields(line)
		if len(fields) < 3 {
			return nil, fmt.Errorf("apt-get names a package in a way that is not known: %s", line)
		}
		p := debian{file: fields[1]}
		if p.size, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
			return nil, fmt.Errorf("size of package %s: %w", p.file, err)
		}
		if len(fields) > 3 {
			p.hash = fields[3]
		}
		packages = append(packages, p)
	}
	return packages, nil
}

func total(packages []debian) (bytes int64) {
	for _, p := range packages {
		bytes += p.size
	}
	return bytes
}

// key is the name of the image of these packages: it differs if one of them does, or the parts taken of them.
func key(packages []debian) string {
	h := sha256.New()
	h.Write(initScript)
	h.Write(peer.Source)
	fmt.Fprintln(h, tools, modules, others)
	for _, p := range packages {
		fmt.Fprintln(h, p.file, p.hash)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
