package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/plugins/authoring"
	"github.com/rocelab/rocelab/plugins/python"
	"github.com/rocelab/rocelab/plugins/shipped"
)

// modulePath is this program's module.
const modulePath = "github.com/rocelab/rocelab"

// contractPath is the module of the contract for algorithms.
const contractPath = modulePath + "/plugins/cc"

func newAlgorithmCommand() *cobra.Command {
	var language, template, checkout string
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a new algorithm's folder, with code that runs",
		Long: `Write the folder NAME with a first version of an algorithm: it builds, has tests, a
README and a scenario, and runs as it is. Nothing in it needs to go into rocelab.

A Go module is built with the source of the contract for algorithms, a small
module. It is taken from the checkout given by --rocelab, from the one that this
program was built from, or from that of the current folder, or else from the files
installed with this program. Without any of them, its go.mod requires the published
module in this program's version, and go mod tidy fetches it. A folder in Python
contains a copy of the module rocelab, and needs python3-grpcio and python3-protobuf.`,
		Example: `  rocelab algorithm new mine
  rocelab algorithm new mine --template receiver
  rocelab algorithm new mine --lang python`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			request := authoring.Request{Name: args[0], Language: authoring.Language(language),
				Template: authoring.Template(template), Library: python.Library}
			if err := authoring.CheckName(request.Name, shippedNames()); err != nil {
				return usage(err)
			}
			if request.Language == authoring.Go {
				if err := findSource(&request, checkout, ownSource(), release()); err != nil {
					return usage(err)
				}
			}
			files, err := authoring.Make(request)
			if err != nil {
				return usage(err)
			}
			if err := writeNew(request.Name, files); err != nil {
				return err
			}
			return host(printNew(c.OutOrStdout(), request, files))
		},
	}
	c.Flags().StringVar(&language, "lang", string(authoring.Go), "language: go, python")
	c.Flags().StringVar(&template, "template", string(authoring.Sender),
		"template: sender reacts to delay; receiver (in Go) sends senders their rate, in an extension of its own")
	c.Flags().StringVar(&checkout, "rocelab", "", "checkout of rocelab to build with")
	return c
}

func shippedNames() (names []string) {
	for _, a := range shipped.All() {
		names = append(names, a.Describe().Name)
	}
	return names
}

// findSource finds the contract that a module is to be built with: in the checkout that is
// given, the program's own, or the one around the working folder, beside the program as
// packages install it, or of a release.
func findSource(request *authoring.Request, checkout, own, release string) error {
	switch {
	case checkout != "":
		path, err := filepath.Abs(checkout)
		if err != nil {
			return err
		}
		if !isCheckout(path) {
			return fmt.Errorf("--rocelab %s: there is no go.mod of %s", checkout, modulePath)
		}
		request.Contract = contractOf(path)
	case isCheckout(own):
		request.Contract = contractOf(own)
	default:
		if around := checkoutAround(); around != "" {
			request.Contract = contractOf(around)
			break
		}
		if request.Contract = installedContract(); request.Contract != "" {
			break
		}
		if request.Version = release; release == "" {
			return fmt.Errorf("an algorithm in Go is built with rocelab's source: this program does not know its "+
				"folder, and is not a release that go could fetch. Clone https://%s and give the folder with "+
				"--rocelab DIR; or use Python, which needs no source: --lang python", modulePath)
		}
		return nil
	}
	var err, missing error
	request.Module, err = os.ReadFile(filepath.Join(request.Contract, "go.mod"))
	request.Sums, missing = os.ReadFile(filepath.Join(request.Contract, "go.sum"))
	return errors.Join(err, missing)
}

// checkoutAround returns the checkout around the working folder, "" if there is none.
func checkoutAround() string {
	folder, err := os.Getwd()
	for err == nil && !isCheckout(folder) {
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
	return folder
}

// contractOf is the folder of the contract's module in a checkout.
func contractOf(checkout string) string { return filepath.Join(checkout, "plugins/cc") }

// installedContract is the folder of the contract's module beside this program, as packages have it: the
// program is in lib/rocelab, or in bin, and the module in share/rocelab/cc. It is "" if there is none.
func installedContract() string {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	for _, top := range []string{"../..", ".."} {
		folder := filepath.Join(filepath.Dir(self), top, "share/rocelab/cc")
		if err == nil && holds(folder, contractPath) {
			return folder
		}
	}
	return ""
}

func isCheckout(path string) bool { return holds(path, modulePath) }

// holds reports whether a folder is that of a module.
func holds(folder, module string) bool {
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	return err == nil && bytes.HasPrefix(text, []byte("module "+module+"\n"))
}

// ownSource is the checkout that this program was built in, if the compiler recorded it: with -trimpath the path is
// useless.
func ownSource() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// release is the version of this program as a module, "" if it was built from
// changed or unversioned source.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" || strings.Contains(info.Main.Version, "+") {
		return ""
	}
	return info.Main.Version
}

// writeNew writes the files into a folder that is not there yet, or empty. It
// appears at once and whole, or not at all.
func writeNew(name string, files []authoring.File) (err error) {
	if there, err := os.ReadDir(name); err == nil && len(there) > 0 {
		return usage(fmt.Errorf("%s exists already and is not empty: choose another name, or remove it", name))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage(fmt.Errorf("%s exists already and is not a folder: choose another name, or remove it", name))
	}
	part, err := os.MkdirTemp(".", "."+name+"-")
	if err != nil {
		return host(err)
	}
	defer os.RemoveAll(part) // gone by then if all went well
	for _, f := range files {
		to := filepath.Join(part, filepath.FromSlash(f.Path))
		mode := os.FileMode(0o644)
		if f.Executable {
			mode = 0o755
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, f.Text, mode)); err != nil {
			return host(err)
		}
	}
	os.Remove(name) // an empty folder, or nothing
	return host(errors.Join(os.Chmod(part, 0o755), os.Rename(part, name)))
}

func printNew(w io.Writer, request authoring.Request, files []authoring.File) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s/\n", request.Name)
	for _, f := range files {
		if !strings.HasPrefix(f.Path, "rocelab/") {
			fmt.Fprintf(&out, "    %s\n", f.Path)
		}
	}
	if request.Language == authoring.Python {
		out.WriteString("    rocelab/\n")
	}
	fmt.Fprintf(&out, "\nNext: cd %s, and do what README.md says.\n", request.Name)
	if request.Version != "" {
		fmt.Fprintf(&out, "It is built with rocelab %s, which go mod tidy fetches; with a checkout instead: --rocelab DIR.\n",
			request.Version)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
