package exposition

import _ "embed"

// Dashboard is a dashboard for Grafana, as JSON to import: runs in progress, and results of runs. specs/prometheus
// makes Prometheus evaluate each expression in it.
//
//go:embed dashboard.json
var Dashboard []byte
