package cni

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/containernetworking/cni/pkg/skel"
)

// FuzzInput takes any bytes for a network configuration, as a runtime writes it to
// the plugin's stdin.
func FuzzInput(f *testing.F) {
	f.Add([]byte(`{"cniVersion":"1.1.0","name":"fabric","type":"rocelab-link","link":"a-b","mtu":9000}`), "eth1")
	f.Add([]byte(`{"cniVersion":"1.0.0","name":"f","peer":{"netns":"/run/netns/b","ifname":"eth0"},"dataDir":"/run/x",
		"args":{"cni":{"link":"c"}},"prevResult":{"cniVersion":"1.0.0","interfaces":[{"name":"eth0"}],
		"ips":[{"address":"10.0.0.1/24","interface":0}]}}`), "eth1")
	f.Add([]byte(`{"name":"f","dataDir":"","prevResult":null,"peer":null}`), "")
	f.Fuzz(func(t *testing.T, text []byte, ifname string) {
		c, err := parse(&skel.CmdArgs{StdinData: text, IfName: ifname})
		if err != nil {
			return
		}
		if !filepath.IsAbs(c.DataDir) {
			t.Errorf("data folder %q", c.DataDir)
		}
		if err := c.validate("/run/netns/a"); err == nil && (c.Link == "") == (c.Peer == nil) {
			t.Errorf("link %q and peer %v", c.Link, c.Peer)
		}
		if r, err := c.previous(); err == nil && r == nil {
			t.Error("no result of the plugins before")
		}
	})
}

// FuzzRegister takes any bytes as the record of attachments. An accepted record has no link that is not there, nor one
// of three ends.
func FuzzRegister(f *testing.F) {
	f.Add([]byte(`{"links":[{"name":"a","mtu":1500,"ends":[{"containerID":"c","attachment":"eth1","netns":"/n",
		"inode":{"device":1,"number":2},"ifname":"eth1","ifindex":3,"mac":"02:00:00:00:00:01"}]}]}`))
	f.Add([]byte(`{"links":[null]}`))
	f.Add([]byte(`null`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		c := &config{DataDir: dir}
		c.Name = "fabric"
		if err := os.WriteFile(filepath.Join(dir, "fabric.json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := open(c)
		if err != nil {
			return
		}
		defer r.close()
		r.find("c", "eth1")
		for _, l := range r.Links {
			if len(l.Ends) > 2 {
				t.Errorf("link %s has %d ends", l.Name, len(l.Ends))
			}
		}
		r.linkNamed("b")
		if err := r.save(); err != nil {
			t.Error(err)
		}
	})
}
