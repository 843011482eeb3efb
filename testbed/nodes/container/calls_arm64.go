package container

import (
	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

const (
	auditArch = unix.AUDIT_ARCH_AARCH64
	ociArch   = specs.ArchAARCH64
	x32Bit    = 0 // there is no such ABI
)

// oldCalls are the calls whose name or number other architectures do not share.
var oldCalls = []call{{"newfstatat", unix.SYS_FSTATAT}}
