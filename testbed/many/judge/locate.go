package judge

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Source is the main package of an algorithm's program.
type Source struct {
	// Folder is in the module, Package the import path.
	Folder, Package string
}

// module is rocelab's own module.
const module = "github.com/rocelab/rocelab"

// SourceOfShipped finds the source of a shipped algorithm from a folder in a checkout of rocelab. The error names the
// missing part.
func SourceOfShipped(ctx context.Context, name, folder string) (Source, error) {
	return locate(ctx, module, module+"/plugins/shipped/cc-"+name, folder)
}

// SourceOfProgram finds the source of a program from its build information, in one of the given folders or in the
// program's own. The error names the missing part.
func SourceOfProgram(ctx context.Context, program string, folders ...string) (Source, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return Source{}, fmt.Errorf("%s is not a Go program, or hides its build information", program)
	}
	if info.Main.Path == "" || info.Path == "" || info.Path == "command-line-arguments" {
		return Source{}, fmt.Errorf("%s does not name the package that it was built from", program)
	}
	for _, folder := range append(folders, filepath.Dir(program)) {
		s, failed := locate(ctx, info.Main.Path, info.Path, folder)
		if failed == nil {
			return s, nil
		}
		if err == nil {
			err = failed
		}
	}
	return Source{}, err
}

// locate finds a package of a module that contains folder.
func locate(ctx context.Context, module, pkg, folder string) (Source, error) {
	out, err := goTool(ctx, folder, nil, "list", "-m")
	if err != nil {
		return Source{}, err
	}
	if out != module {
		return Source{}, fmt.Errorf("%s is not in a checkout of %s", folder, module)
	}
	if _, err := goTool(ctx, folder, nil, "list", pkg); err != nil {
		return Source{}, err
	}
	return Source{folder, pkg}, nil
}

// goTool runs the go command and returns what it printed.
func goTool(ctx context.Context, folder string, env []string, args ...string) (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("there is no go command")
	}
	c := exec.CommandContext(ctx, path, args...)
	c.Dir, c.Env = folder, append(c.Environ(), env...)
	// Interrupted, not killed: it clears what it has begun.
	c.Cancel, c.WaitDelay = func() error { return c.Process.Signal(os.Interrupt) }, 5*time.Second
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, first)
	}
	return strings.TrimSpace(stdout.String()), nil
}
