// Package mlxconfig turns the congestion control settings of an NVIDIA NIC into a scenario, and a scenario's settings
// into its own.
//
// It accepts the forms that the tools print: NAME and value as mlxconfig queries them, NAME=value as it sets them, and
// the files of the driver below /sys/class/net/*/ecn and cc_params with their path before the value. The output of
// mlnx_qos may stand beside them.
//
// The names, units and ranges follow mlxconfig (NVIDIA Firmware Tools, mlxconfig, RoCE congestion control) and the
// driver (MLNX_OFED, "Explicit Congestion Notification").
package mlxconfig
