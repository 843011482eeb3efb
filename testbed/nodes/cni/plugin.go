package cni

import (
	"github.com/containernetworking/cni/pkg/skel"
	"github.com/containernetworking/cni/pkg/version"
)

// Verbs are the plugin's answers to a runtime's commands; VERSION is skel's own.
func Verbs() skel.CNIFuncs {
	return skel.CNIFuncs{
		Add:    add,
		Del:    del,
		Check:  check,
		GC:     gc,
		Status: status,
	}
}

// Versions are the versions of the specification that the plugin speaks.
func Versions() version.PluginInfo { return version.PluginSupports("1.0.0", "1.1.0") }
