package container

import (
	"slices"

	"github.com/rocelab/rocelab/internal/cgroup"
)

// fenceName is the name of the cgroup of a container's plugins, beside that of the
// container. No ID has that sign in it.
func fenceName(id string) string { return cgroupName(id) + "@plugins" }

// fence is the cgroup of the container's plugins, nil if it has none.
func (s *Spec) fence(trees []cgroup.Hierarchy) (*cgroup.Fence, error) {
	if s.Fence == (cgroup.Limits{}) {
		return nil, nil
	}
	return cgroup.At(trees, fenceName(s.ID))
}

// enclose makes the fence and adds the files of its gate to the program's files. The caller closes the gate.
func (s *Spec) enclose(f *cgroup.Fence) (*cgroup.Gate, error) {
	if f == nil {
		return nil, nil
	}
	if err := f.Make(s.Fence); err != nil {
		return nil, err
	}
	gate, err := f.Open(cgroupName(s.ID))
	if err != nil {
		return nil, err
	}
	s.Files = slices.Concat(s.Files, gate.Files())
	return gate, nil
}
