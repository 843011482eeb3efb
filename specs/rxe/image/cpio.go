package image

import (
	"bytes"
	"fmt"
	"path"
	"slices"
)

// Kinds of files in an archive: inode(7).
const (
	folderKind = 0o040000
	fileKind   = 0o100000
	linkKind   = 0o120000
)

// archive is the tree in the format that the kernel unpacks at its start: "newc" of cpio (the kernel's
// early-userspace/buffer-format). Folders come before their contents. Equal trees give equal bytes.
func (t tree) archive() []byte {
	folders := map[string]bool{}
	var names []string
	for name := range t {
		names = append(names, name)
		for folder := path.Dir(name); folder != "." && !folders[folder]; folder = path.Dir(folder) {
			folders[folder] = true
			names = append(names, folder)
		}
	}
	slices.Sort(names)
	var b bytes.Buffer
	for i, name := range names {
		f, ok := t[name]
		switch {
		case !ok:
			entry(&b, i+1, name, folderKind|0o755, nil)
		case f.target != "":
			entry(&b, i+1, name, linkKind|f.mode, []byte(f.target))
		default:
			entry(&b, i+1, name, fileKind|f.mode, f.content)
		}
	}
	entry(&b, 0, "TRAILER!!!", 0, nil)
	return b.Bytes()
}

// entry adds a file: a header of hexadecimal fields, the name with a zero after it,
// and the content, each filled up to four bytes.
func entry(b *bytes.Buffer, inode int, name string, mode int64, content []byte) {
	const user, group, links, modified, device, check = 0, 0, 1, 0, 0, 0
	fmt.Fprintf(b, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", inode, mode, user, group, links,
		modified, len(content), device, device, device, device, len(name)+1, check)
	b.WriteString(name + "\x00")
	pad(b)
	b.Write(content)
	pad(b)
}

func pad(b *bytes.Buffer) {
	for b.Len()%4 != 0 {
		b.WriteByte(0)
	}
}
