// Package prometheus has Debian's Prometheus scrape what runs expose, with the configuration of
// testbed/exposition/README.md, and evaluate each expression of the dashboard.
package prometheus
