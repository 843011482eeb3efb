package exposition

import _ "embed"

// Dashboard is a dashboard for Grafana, as JSON to import: what is under way, and what runs came
// to. specs/prometheus has Prometheus evaluate each expression in it.
//
//go:embed dashboard.json
var Dashboard []byte
