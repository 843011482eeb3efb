// Package mlxconfig turns the settings of congestion control of an NVIDIA NIC into a scenario, and those of a
// scenario into settings.
//
// They are read in the forms in which the tools print them: NAME and value as mlxconfig queries them, NAME=value
// as it sets them, and the files of the driver below /sys/class/net/*/ecn and cc_params with their path before
// the value. What mlnx_qos prints is read beside them.
//
// The names, units and ranges are those of mlxconfig (NVIDIA Firmware Tools, mlxconfig, RoCE congestion control) and
// of the driver (MLNX_OFED, "Explicit Congestion Notification").
package mlxconfig
