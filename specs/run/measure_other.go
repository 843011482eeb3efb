//go:build !linux

package main

import "syscall"

// tied are the attributes of a process that would end with this one if the system knew how.
func tied() *syscall.SysProcAttr { return nil }
