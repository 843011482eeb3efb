package cni

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/containernetworking/cni/pkg/skel"
	"github.com/containernetworking/cni/pkg/types"
	current "github.com/containernetworking/cni/pkg/types/100"
	"github.com/containernetworking/cni/pkg/utils"
	"github.com/containernetworking/cni/pkg/version"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// config is the network configuration of the plugin. Exactly one of Link and
// Peer is given.
type config struct {
	types.PluginConf

	// MTU of both ends. Unit: bytes of a frame without its Ethernet header.
	// Range: 68 to 65535. Default: 1500.
	MTU int `json:"mtu"`
	// Link is the name at which two containers meet, unique within the network: letters, digits, '_', '.' and '-', a
	// letter or digit first.
	Link string `json:"link"`
	// Peer is the other end, if it is known.
	Peer *peer `json:"peer"`
	// Interface is the name of the interface in the container. Default:
	// CNI_IFNAME. It is of use behind a plugin that made an interface of that name.
	Interface string `json:"ifname"`
	// DataDir is an absolute path to the folder that records the attachments. It should not outlive the machine's
	// namespaces. Default: /run/rocelab/cni.
	DataDir string `json:"dataDir"`
	// Args may give the link's name for one attachment, in place of Link:
	// {"cni": {"link": "..."}}, as the conventions of CNI have it.
	Args struct {
		CNI struct {
			Link string `json:"link"`
		} `json:"cni"`
	} `json:"args"`
}

// peer is the end of a link in another container.
type peer struct {
	// Namespace is an absolute path to its network namespace.
	Namespace string `json:"netns"`
	// Interface is the name of the interface there.
	Interface string `json:"ifname"`
}

const (
	defaultMTU     = 1500
	defaultDataDir = "/run/rocelab/cni"
)

// parse reads the configuration and fills in its defaults, for every verb: DEL
// and GC must work with what ADD refused.
func parse(args *skel.CmdArgs) (*config, error) {
	c := &config{MTU: defaultMTU, DataDir: defaultDataDir, Interface: args.IfName}
	if err := json.Unmarshal(args.StdinData, c); err != nil {
		return nil, types.NewError(types.ErrDecodingFailure, "read the network configuration", err.Error())
	}
	if c.Args.CNI.Link != "" {
		c.Link = c.Args.CNI.Link
	}
	if !filepath.IsAbs(c.DataDir) {
		return nil, invalid(fmt.Errorf("dataDir %q: an absolute path is needed", c.DataDir))
	}
	return c, nil
}

// validate reports all faults of the values that ADD uses.
func (c *config) validate(namespace string) error {
	var problems []error
	switch {
	case c.Link == "" && c.Peer == nil:
		problems = append(problems, errors.New(`neither "link" nor "peer" is given: one must say where the other end is`))
	case c.Link != "" && c.Peer != nil:
		problems = append(problems, errors.New(`both "link" and "peer" are given: only one can say where the other end is`))
	case c.Peer != nil && !filepath.IsAbs(c.Peer.Namespace):
		problems = append(problems, fmt.Errorf("peer.netns %q: an absolute path is needed", c.Peer.Namespace))
	case c.Link != "" && utils.ValidateNetworkName(c.Link) != nil:
		problems = append(problems,
			fmt.Errorf("link %q: allowed are letters, digits, '_', '.' and '-', a letter or digit first", c.Link))
	}
	problems = append(problems, c.vethLink(namespace).Validate())
	if err := errors.Join(problems...); err != nil {
		return invalid(err)
	}
	return nil
}

// vethLink is the link that the ADD of a container makes: to its peer, or to where
// the far end waits for the second container.
func (c *config) vethLink(namespace string) netns.Link {
	l := netns.Link{A: netns.End{Namespace: namespace, Interface: c.Interface}, B: parkedEnd(c, c.Link), MTU: c.MTU}
	if c.Peer != nil {
		l.B = netns.End{Namespace: c.Peer.Namespace, Interface: c.Peer.Interface}
	}
	return l
}

// parkedEnd is where the far end of a link waits for its second container: an
// interface of the plugin's own namespace, whose name is the same for each ADD
// of the link and no other.
func parkedEnd(c *config, name string) netns.End {
	digest := sha256.Sum256([]byte(c.DataDir + "\n" + c.Name + "\n" + name))
	return netns.End{Namespace: "/proc/self/ns/net", Interface: fmt.Sprintf("rl%x", digest[:6])}
}

// previous is the result of the plugins before this one, or an empty one.
func (c *config) previous() (*current.Result, error) {
	if c.RawPrevResult == nil {
		return &current.Result{CNIVersion: current.ImplementedSpecVersion}, nil
	}
	if err := version.ParsePrevResult(&c.PluginConf); err != nil {
		return nil, types.NewError(types.ErrDecodingFailure, "read prevResult", err.Error())
	}
	r, err := current.NewResultFromResult(c.PrevResult)
	if err != nil {
		return nil, types.NewError(types.ErrDecodingFailure, "read prevResult", err.Error())
	}
	return r, nil
}
