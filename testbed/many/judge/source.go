package judge

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rocelab/rocelab/testbed/many/judge/source"
)

// sdk are the packages of rocelab that run algorithms or hand them what they
// need, and are none.
var sdk = []string{
	"plugins/cc", "plugins/process", "plugins/registry", "plugins/eventlog", "plugins/pidnn/weights",
	"emulator", "testbed",
}

// isSDK reports whether a package is a part of rocelab other than an algorithm.
func isSDK(path string) bool {
	return slices.ContainsFunc(sdk, func(name string) bool {
		return path == module+"/"+name ||
			strings.HasPrefix(path, module+"/"+name+"/") && !strings.Contains(path, "/testdata/")
	})
}

// source reads the packages of the program's module.
func (t *trial) source() Row {
	if t.Source.Package == "" {
		return Row{Result: Skipped, Remark: "no source: " + t.NoSource}
	}
	config := packages.Config{Context: t.ctx, Dir: t.Source.Folder,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule}
	roots, err := packages.Load(&config, t.Source.Package)
	if err != nil || len(roots) != 1 || roots[0].Module == nil {
		return Row{Result: Skipped, Remark: fmt.Sprintf("cannot load %s: %v", t.Source.Package, err)}
	}
	var paths []string
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		if pkg.Module != nil && pkg.Module.Path == roots[0].Module.Path && !isSDK(pkg.PkgPath) {
			paths = append(paths, pkg.PkgPath)
		}
	})
	slices.Sort(paths)
	config.Mode = source.Needed
	pkgs, err := packages.Load(&config, paths...)
	if err != nil {
		return Row{Result: Skipped, Remark: err.Error()}
	}
	var findings []string
	for _, p := range pkgs {
		for _, e := range p.Errors {
			return Row{Result: Skipped, Remark: fmt.Sprintf("%s: %v", p.PkgPath, e)}
		}
		for _, f := range source.Check(p) {
			findings = append(findings, strings.TrimPrefix(f, filepath.Clean(p.Module.Dir)+"/"))
		}
	}
	row := Row{Result: Pass, Figure: fmt.Sprintf("%d packages, findings: %d", len(pkgs), len(findings)), Allowed: "none"}
	if len(findings) > 0 {
		row.Result = Failed
		row.Remark = strings.Join(findings[:min(len(findings), 5)], "; ")
	}
	return row
}
