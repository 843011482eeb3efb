package cni

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"

	"github.com/containernetworking/cni/pkg/types"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// register is the set of attachments to one network. It is read and written under the lock of its folder, which the
// process holds from open to close.
type register struct {
	Links []*record `json:"links"`

	path   string
	folder *os.File
}

// record is one link.
type record struct {
	// Name is where its containers meet; empty if one ADD made both ends.
	Name string `json:"name,omitempty"`
	MTU  int    `json:"mtu"`
	// Ends are one, while the far end waits or its container has gone, or two.
	Ends []end `json:"ends"`
}

// end is one end of a link.
type end struct {
	// Container and Attachment are CNI_CONTAINERID and CNI_IFNAME of the ADD; empty for a peer, which is not an
	// attachment by itself.
	Container  string `json:"containerID,omitempty"`
	Attachment string `json:"attachment,omitempty"`

	Namespace string `json:"netns"`
	Identity  inode  `json:"inode"`
	Interface string `json:"ifname"`
	Index     int    `json:"ifindex"` // no later one of that name has it
	MAC       string `json:"mac"`
}

// inode identifies a namespace, also from one that is later at the same path.
type inode struct {
	Device uint64 `json:"device"`
	Number uint64 `json:"number"`
}

// open locks the data folder, which is made if need be, and reads the register.
func open(c *config) (*register, error) {
	r, err := lock(c.DataDir)
	if err != nil {
		return nil, types.NewError(types.ErrIOFailure, "open the data folder "+c.DataDir, err.Error())
	}
	r.path = filepath.Join(c.DataDir, c.Name+".json")
	text, err := os.ReadFile(r.path)
	if err == nil {
		err = r.parse(text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.close()
		return nil, types.NewError(types.ErrIOFailure, "read the attachments from "+r.path, err.Error())
	}
	return r, nil
}

// parse reads what save wrote. A record that was damaged is an error.
func (r *register) parse(text []byte) error {
	if err := json.Unmarshal(text, r); err != nil {
		return err
	}
	for i, l := range r.Links {
		if l == nil || len(l.Ends) == 0 || len(l.Ends) > 2 {
			return fmt.Errorf("link %d has not one or two ends", i)
		}
	}
	return nil
}

// lock waits for the lock of the folder; the kernel releases that of a process
// which ends.
func lock(dir string) (*register, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(folder.Fd()), unix.LOCK_EX)
		if err == nil {
			return &register{folder: folder}, nil
		}
		if !errors.Is(err, unix.EINTR) {
			folder.Close()
			return nil, fmt.Errorf("lock: %w", err)
		}
	}
}

func (r *register) close() { r.folder.Close() }

// save writes the register in one step; without links there is no file.
func (r *register) save() error {
	if err := r.write(); err != nil {
		return types.NewError(types.ErrIOFailure, "record the attachments in "+r.path, err.Error())
	}
	return nil
}

func (r *register) write() error {
	r.Links = slices.DeleteFunc(r.Links, func(l *record) bool { return len(l.Ends) == 0 })
	if len(r.Links) == 0 {
		if err := os.Remove(r.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(r.path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(r.path+".new", r.path)
}

// find returns the link that a container's interface ends, and the number of
// that end, or nil.
func (r *register) find(container, name string) (*record, int) {
	for _, l := range r.Links {
		for i, e := range l.Ends {
			if e.Container == container && e.Interface == name {
				return l, i
			}
		}
	}
	return nil, 0
}

// linkNamed returns the link of that name, a new one if there is none.
func (r *register) linkNamed(name string) *record {
	for _, l := range r.Links {
		if l.Name == name {
			return l
		}
	}
	l := &record{Name: name}
	r.Links = append(r.Links, l)
	return l
}

// identify fills in the identity of the namespace at the end's path.
func (e *end) identify() (err error) {
	e.Identity, err = identify(e.Namespace)
	return err
}

// namespaceExists reports whether that namespace is still there.
func (e *end) namespaceExists() bool {
	now, err := identify(e.Namespace)
	return err == nil && now == e.Identity
}

// readInterface fills in the index and the address of the end's interface.
func (e *end) readInterface() error {
	i, err := e.attributes()
	if err == nil {
		e.Index, e.MAC = i.Index, i.HardwareAddr.String()
	}
	return err
}

// remove takes the end's interface from its namespace, and the link with it,
// unless both are gone or the name is another interface's by now.
func (e *end) remove() error {
	if !e.namespaceExists() {
		return nil
	}
	if i, err := e.attributes(); err == nil && i.Index != e.Index {
		return nil
	}
	return netns.Disconnect(e.linkEnd())
}

// attributes returns the end's interface as the kernel has it.
func (e *end) attributes() (*netlink.LinkAttrs, error) {
	var seen *netlink.LinkAttrs
	err := netns.In(e.Namespace, func() error {
		i, err := netlink.LinkByName(e.Interface)
		if err == nil {
			seen = i.Attrs()
		}
		return err
	})
	return seen, err
}

// linkEnd is the end as package netns has it.
func (e *end) linkEnd() netns.End {
	mac, _ := net.ParseMAC(e.MAC) // empty before it is learnt: nil, as link wants it
	return netns.End{Namespace: e.Namespace, Interface: e.Interface, MAC: mac}
}

func (e *end) String() string {
	if e.Container == "" {
		return e.linkEnd().String()
	}
	return fmt.Sprintf("%s of container %s", e.Interface, e.Container)
}

func identify(path string) (inode, error) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return inode{}, &fs.PathError{Op: "find network namespace", Path: path, Err: err}
	}
	return inode{Device: s.Dev, Number: s.Ino}, nil
}
