package main

import (
	"io"
	"slices"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeBill writes the bill of materials, CycloneDX as JSON: the programs with their checksums, the
// modules in them with version, checksum and licence, and which program has which module. The
// linker left all but the licences in the programs. What programs hold besides is listed alike.
func (r *release) writeBill(_ []entry, path string) error {
	main := r.programs[0].info.Main
	whole := cdx.Component{
		BOMRef:     "rocelab",
		Type:       cdx.ComponentTypeApplication,
		Name:       "rocelab",
		Version:    r.version(),
		PackageURL: packageURL(main.Path, main.Version),
		Licenses:   licences([]string{"Apache-2.0"}),
	}
	var components []cdx.Component
	dependencies := []cdx.Dependency{{Ref: whole.BOMRef, Dependencies: &[]string{}}}
	for _, p := range r.programs {
		components = append(components, cdx.Component{BOMRef: "program:" + p.name, Type: cdx.ComponentTypeFile,
			Name: "/" + r.programFolder() + p.name, Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: p.sha256}}})
		*dependencies[0].Dependencies = append(*dependencies[0].Dependencies, "program:"+p.name)
		linked := []string{packageURL(standardLibrary, p.goVersion())}
		for _, m := range p.info.Deps {
			linked = append(linked, packageURL(m.Path, m.Version))
		}
		for _, part := range r.parts {
			if slices.Contains(part.holders, p.name) {
				linked = append(linked, part.url())
			}
		}
		dependencies = append(dependencies, cdx.Dependency{Ref: "program:" + p.name, Dependencies: &linked})
	}
	for _, p := range r.parts {
		c := cdx.Component{
			BOMRef:     p.url(),
			Type:       cdx.ComponentTypeLibrary,
			Name:       p.path,
			Version:    p.version,
			PackageURL: p.url(),
			Licenses:   licences(p.licences),
		}
		if p.sum != "" {
			c.Properties = &[]cdx.Property{{Name: "go.sum", Value: p.sum}}
		}
		if p.sha256 != "" {
			c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: p.sha256}}
		}
		components = append(components, c)
	}
	bill := cdx.NewBOM()
	bill.Metadata = &cdx.Metadata{Timestamp: r.date.Format(time.RFC3339), Component: &whole}
	bill.Components = &components
	bill.Dependencies = &dependencies
	return create(path, func(f io.Writer) error {
		return cdx.NewBOMEncoder(f, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bill, cdx.SpecVersion1_6)
	})
}

// packageURL names a Go module: https://github.com/package-url/purl-spec
func packageURL(path, version string) string { return "pkg:golang/" + path + "@" + version }

// url names a part: a module of Go, or a package of npm.
func (p *part) url() string {
	if p.sha256 != "" {
		return "pkg:npm/" + p.path + "@" + p.version
	}
	return packageURL(p.path, p.version)
}

func licences(ids []string) *cdx.Licenses {
	var list cdx.Licenses
	for _, id := range ids {
		list = append(list, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	return &list
}
