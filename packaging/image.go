package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// The image is a tar archive of the OCI's layout, with one layer and nothing below it: an
// index names the manifest, that the configuration and the layer, each by its SHA-256.
// https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md

const mediaType = "application/vnd.oci.image."

// blob is a file of the layout that others refer to.
type blob struct {
	Type        string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	data        []byte
}

func newBlob(kind string, data []byte) blob {
	return blob{Type: mediaType + kind, Digest: "sha256:" + digest(data), Size: len(data), data: data}
}

func digest(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// writeImage writes an image whose only layer is entries, and folders to work in.
func (r *release) writeImage(entries []entry, path string) error {
	entries = append(slices.Clone(entries),
		entry{path: "tmp", mode: fs.ModeDir | fs.ModeSticky | 0o777},
		entry{path: "work", mode: fs.ModeDir | fs.ModeSticky | 0o777}) // for any user
	var layer, unpacked bytes.Buffer
	if err := writeArchive(&layer, entries, r.date); err != nil {
		return err
	}
	if err := decompress(&unpacked, layer.Bytes()); err != nil {
		return err
	}
	content := newBlob("layer.v1.tar+gzip", layer.Bytes())
	config := newBlob("config.v1+json", toJSON(map[string]any{
		"created":      r.date.Format(time.RFC3339),
		"architecture": r.arch,
		"os":           "linux",
		"config": map[string]any{
			"Entrypoint": []string{"/usr/bin/rocelab"},
			"Cmd":        []string{"--help"},
			"Env":        []string{"PATH=/usr/bin"},
			"WorkingDir": "/work",
			"Labels":     r.labels(),
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + digest(unpacked.Bytes())}},
		"history": []any{map[string]any{"created": r.date.Format(time.RFC3339), "created_by": "rocelab's packaging"}},
	}))
	manifest := newBlob("manifest.v1+json", toJSON(map[string]any{
		"schemaVersion": 2,
		"mediaType":     mediaType + "manifest.v1+json",
		"config":        config,
		"layers":        []blob{content},
		"annotations":   r.labels(),
	}))
	manifest.Platform = map[string]string{"architecture": r.arch, "os": "linux"}
	manifest.Annotations = map[string]string{"org.opencontainers.image.ref.name": "rocelab:" + r.tag()}
	index := toJSON(map[string]any{
		"schemaVersion": 2, "mediaType": mediaType + "index.v1+json", "manifests": []blob{manifest},
	})
	return create(path, func(f io.Writer) error {
		t := tar.NewWriter(f)
		for _, file := range []struct {
			name string
			data []byte
		}{
			{"oci-layout", toJSON(map[string]string{"imageLayoutVersion": "1.0.0"})},
			{"index.json", index},
			{content.name(), content.data},
			{config.name(), config.data},
			{manifest.name(), manifest.data},
		} {
			h := &tar.Header{Name: file.name, Mode: 0o644, Size: int64(len(file.data)), ModTime: r.date}
			if err := t.WriteHeader(h); err != nil {
				return err
			}
			if _, err := t.Write(file.data); err != nil {
				return err
			}
		}
		return t.Close()
	})
}

// name is where the blob is in the layout.
func (b *blob) name() string { return "blobs/" + strings.Replace(b.Digest, ":", "/", 1) }

// tag returns the version in the form of image tags, which do not allow +.
func (r *release) tag() string { return strings.ReplaceAll(r.version(), "+", "-") }

// decompress undoes gzip.
func decompress(to io.Writer, data []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	_, err = io.Copy(to, z)
	return err
}

// labels say what the image is.
// https://github.com/opencontainers/image-spec/blob/v1.1.1/annotations.md
func (r *release) labels() map[string]string {
	const label = "org.opencontainers.image."
	return map[string]string{
		label + "title":       "rocelab",
		label + "description": summary,
		label + "version":     r.version(),
		label + "revision":    r.revision(),
		label + "created":     r.date.Format(time.RFC3339),
		label + "source":      homepage,
		label + "licenses":    "Apache-2.0",
		label + "vendor":      "The rocelab authors",
	}
}

// toJSON encodes what always can be: maps, lists and text; maps come in the order of their keys.
func toJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
