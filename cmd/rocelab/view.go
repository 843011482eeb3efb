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
		Short: "Show run folders in a browser, also while they are written",
		Long: `Show the run folders below a folder in a browser: a list with scenario, verdict and
date, the report of one run or of several that are ticked, and of a run that has
not ended what it tells of itself. A picture that is zoomed asks for what the
report has merged, so that every bin of the series is there. FOLDER is one of run
folders, by default ./rocelab-runs, or a run folder, which may be unfinished.

The server listens on loopback alone. Its address has a token of 128 bits, new
each time, without which nothing is shown; whoever has the address sees the runs,
and can change nothing. From another machine, take the same port on both sides:

  ssh -L 8080:127.0.0.1:8080 HOST rocelab view --port 8080

Below the token, /metrics has the runs for Prometheus, and /dashboard.json a
dashboard for Grafana. --prometheus FILE has the file say where they are.

It goes on until Ctrl-C, and then ends with exit code 0.`,
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
	c.Flags().IntVar(&port, "port", 0, "port on loopback; 0 takes one that is free")
	c.Flags().StringVar(&prometheus, "prometheus", "",
		"have this file say where /metrics is, with the token, as long as that is there: for file_sd_configs of "+
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

// terminalWriter writes text of which a terminal obeys nothing.
type terminalWriter struct{ io.Writer }

// Write implements io.Writer.
func (w terminalWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, terminal.Text(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
