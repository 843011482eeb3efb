package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/look/view"
	"github.com/rocelab/rocelab/testbed/look/view/exposition"
)

func viewCommand() *cobra.Command {
	port, prometheus := 0, ""
	c := &cobra.Command{
		Use:   "view [FOLDER]",
		Short: "Show run folders in a browser, including runs in progress",
		Long: `Show the run folders below a folder in a browser: a list with scenario, verdict and
date, the report of one run or of several selected ones, and for a run in progress the
state that it reports. Zooming into a picture loads the bins that the report has
merged, so that every bin of the series is available. FOLDER contains run folders, by
default ./rocelab-runs, or is a run folder, which may be unfinished.

The server only listens on loopback. Its address contains a token of 128 bits, new
each time, and without it nothing is shown. Anyone with the address sees the runs, but
cannot change them. From another machine, use the same port on both sides:

  ssh -L 8080:127.0.0.1:8080 HOST rocelab view --port 8080

Below the token, /metrics has the runs for Prometheus, and /dashboard.json a
dashboard for Grafana. --prometheus FILE writes their address into that file.

It runs until Ctrl-C, and then ends with exit code 0.`,
		Example: `  rocelab view
  rocelab view rocelab-runs/incast-1
  rocelab view results --port 8080
  rocelab view --prometheus /etc/prometheus/rocelab.json`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			dir := "rocelab-runs"
			if len(args) > 0 {
				dir = args[0]
			}
			return serveView(c, dir, port, prometheus)
		},
	}
	c.Flags().IntVar(&port, "port", 0, "port on loopback; 0 for any free one")
	c.Flags().StringVar(&prometheus, "prometheus", "",
		"file to keep the address of /metrics in, with the token, while the server runs: for file_sd_configs of "+
			"Prometheus")
	return c
}

// serveView shows a folder until the command is asked to end.
func serveView(c *cobra.Command, dir string, port int, prometheus string) error {
	if port < 0 || port > 65535 {
		return usage(fmt.Errorf("--port %d: allowed are 0 to 65535", port))
	}
	server, err := view.New(dir)
	if err != nil {
		return usage(err)
	}
	defer server.Close()
	expose(server)
	target, err := exposition.NewTarget(prometheus)
	if err != nil {
		return host(fmt.Errorf("--prometheus: %w", err))
	}
	var said error
	err = server.Serve(c.Context(), port, func(address string) {
		said = target.Say(address + metricsName)
		_, err := fmt.Fprintln(c.OutOrStdout(), address)
		said = errors.Join(said, err)
	}, terminalWriter{c.ErrOrStderr()})
	return host(errors.Join(err, said, target.Close()))
}

// metricsName is where the exposition is, below the token.
const metricsName = "metrics"

// expose has the server answer Prometheus, and Grafana.
func expose(server *view.Server) {
	server.Handle(metricsName, exposition.New(func() (folders []exposition.Folder) {
		places, _ := server.Places() // none where the folder is gone
		for _, place := range places {
			name, unfinished := strings.CutSuffix(place.Name, ".part")
			folders = append(folders, exposition.Folder{
				Name:       name,
				Unfinished: unfinished,
				Files:      runfolder.Dir(place.Path),
			})
		}
		return folders
	}))
	server.Handle("dashboard.json", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(exposition.Dashboard)
	}))
}

// terminalWriter writes text without anything that a terminal obeys.
type terminalWriter struct{ io.Writer }

// Write implements io.Writer.
func (w terminalWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, terminal.Text(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
