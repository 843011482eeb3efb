// Package sonic turns the configuration of a SONiC switch, config_db.json, into a scenario, and
// a switch of a scenario into such a configuration.
//
// Both ways report the outcome for each key: it was taken, or it was approximated, with the number before and after, or
// it has no counterpart. Nothing is dropped in silence.
//
// The tables follow SONiC's CONFIG_DB (sonic-net/SONiC, doc/Configuration; YANG models in sonic-net/sonic-buildimage,
// src/sonic-yang-models).
package sonic
