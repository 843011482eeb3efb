package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// probeVariable makes Init end the program at once: that is Probe's container.
const probeVariable = "ROCELAB_CONTAINER_PROBE"

// Probe starts a container of r, with this very executable in it as a program that ends at once, and removes it: the
// honest way to know that r works here. It takes some milliseconds; the error names the step that the host refuses.
func Probe(ctx context.Context, r Runtime) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("try the container runtime %s: %w", r.Name(), err)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", probeFolder, os.Getpid()))
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := r.Start(ctx, Spec{
		ID:       fmt.Sprintf("%s%d-%d", probeID, os.Getpid(), time.Now().UnixNano()),
		Hostname: "probe",
		NetNS:    fmt.Sprintf("/proc/%d/ns/net", os.Getpid()),
		Program:  self,
		Env:      []string{probeVariable + "=1"},
		Dir:      dir,
	})
	if err != nil {
		return err
	}
	ended := context.AfterFunc(ctx, func() { _ = c.Remove(context.Background()) })
	defer ended()
	status, err := c.Wait()
	if err == nil && status != (Status{}) {
		err = fmt.Errorf("its program ended with %v", status)
	}
	return errors.Join(err, c.Remove(ctx))
}
