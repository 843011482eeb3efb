// Package vagrant shows that the machine which the Vagrantfile promises comes
// up: a box is made, `vagrant up` boots it, provisions it and ends with `rocelab
// doctor` and an incast, the incast on four containers in it leaves the same trace
// as on this host, vagrant/fetch brings its run folder out, and destroying the
// machine leaves nothing.
//
// The machine is emulated by QEMU without KVM, in a sandbox of its own
// (vagrant/emulation), so it needs root and Debian's packages
// (vagrant/emulation/setup.sh) and no more: neither systemd nor a libvirt that
// runs already. The box has the tools that the testbed needs, so that the
// provisioning installs runc and nothing that takes an emulated processor
// minutes; the programs are built outside.
//
// It took 23 minutes on two cores at a load of 18, half of them for `vagrant up`
// and five for the box. It takes 5 GB of disk and 1.5 GB of memory, and reaches
// Debian's mirror; so it runs only where it is asked for:
//
//	ROCELAB_VAGRANT=1 go test -v -timeout 60m ./specs/vagrant
//
// Everyday, only cheap properties are checked: that the Vagrantfile is valid and decides rightly for hosts that are not
// here, the output and effect of vagrant/fetch, and that the scripts have no mistakes that tools can see.
//
// Slow, provision.sh makes a clean Debian in a folder one that carries the testbed. It gets everything through a proxy,
// the only one that knows the addresses of Debian, Go and its modules, and fails if the trace on veth is not the one in
// memory.
//
// Limits. Boxes of the public catalogue and the other providers are not tried.
package vagrant
