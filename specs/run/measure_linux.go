package main

import "syscall"

// tied are the attributes of a process that ends with this one.
func tied() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
