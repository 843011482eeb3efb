package veth

import (
	"context"
	"fmt"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/capture"
)

// recording is the capture of a run; nil captures nothing.
type recording struct {
	tap    *capture.Tap
	result chan error
	cancel context.CancelFunc
}

// startCapture taps the ports that the options name. It is called before the first
// frame, and records until the run is over.
func (r *run) startCapture() error {
	if len(r.options.Captures) == 0 {
		return nil
	}
	var ports []pcapng.Port
	var places []capture.Place
	for _, name := range r.options.Captures {
		port, err := model.CapturePort(r.plan, name)
		if err != nil {
			return &FitError{err.Error()}
		}
		node := &r.Nodes[port.Node]
		ports = append(ports, port)
		places = append(places, capture.Place{Name: port.Name, Namespace: r.Containers[node.Container].NetNS,
			Interface: node.Interfaces[port.Port]})
	}
	t, err := capture.Open(places, largestFrame(r.MTU))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.recording = &recording{t, make(chan error, 1), cancel}
	go func() {
		defer crash.Guard()()
		summary, err := t.Record(ctx, capture.Run{
			Source: r.page,
			Number: r.setup.Run,
			Ports:  ports,
			Whole:  true,
			Edges:  r.HasEdges(),
		}, r.options.CaptureTo)
		if err == nil && summary.Missed > 0 {
			err = fmt.Errorf("capture: %d of %d frames were missed: capture fewer ports at a time", summary.Missed,
				summary.Missed+summary.Frames)
		}
		r.recording.result <- err
	}()
	return nil
}

// close waits for the end of the capture, when the run is over.
func (c *recording) close() error {
	if c == nil {
		return nil
	}
	err := <-c.result
	c.cancel()
	c.tap.Close()
	return err
}
