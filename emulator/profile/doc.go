// Package profile holds the settings of the models: a scenario's description of a switch or a NIC, with the defaults
// and their sources. The models read these structs, the scenario reader fills them; neither knows the other.
package profile
