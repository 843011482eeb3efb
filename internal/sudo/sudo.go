// Package sudo finds the user on whose behalf root runs: a caller of sudo has a program of root at his service, which
// must not do anything for him that he may not do himself.
package sudo

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
)

// User is a user with his groups.
type User struct {
	UID, GID uint32
	// Groups are all of his groups.
	Groups []uint32
	// Name is the user's name, "" if it is unknown; Home is his folder.
	Name, Home string
}

// Caller returns the caller of sudo (sudo(8), SUDO_UID and SUDO_GID), nil if this is not root, not under sudo, or if
// root itself called.
func Caller() (*User, error) {
	uid, gid := os.Getenv("SUDO_UID"), os.Getenv("SUDO_GID")
	if os.Geteuid() != 0 || uid == "" || uid == "0" {
		return nil, nil
	}
	made := &User{Name: os.Getenv("SUDO_USER"), Home: "/"}
	u, wrongUser := strconv.ParseUint(uid, 10, 32)
	g, wrongGroup := strconv.ParseUint(gid, 10, 32)
	if wrongUser != nil || wrongGroup != nil {
		return nil, fmt.Errorf("SUDO_UID=%q and SUDO_GID=%q are not a user and a group", uid, gid)
	}
	made.UID, made.GID = uint32(u), uint32(g)
	if known, err := user.LookupId(uid); err == nil {
		made.Name, made.Home = known.Username, known.HomeDir
		groups, _ := known.GroupIds()
		for _, g := range groups {
			if n, err := strconv.ParseUint(g, 10, 32); err == nil {
				made.Groups = append(made.Groups, uint32(n))
			}
		}
	}
	made.Name = strings.TrimSpace(made.Name)
	return made, nil
}
