// Package prometheus has Debian's Prometheus scrape what runs expose, with the configuration of
// docs/prometheus.md, and evaluate each expression of the dashboard.
package prometheus
