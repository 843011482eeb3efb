"""Congestion-control algorithms for rocelab, in Python.

An algorithm is a class derived from Algorithm; its program ends with
rocelab.serve(Mine). The host (rocelab) starts it and speaks gRPC to it over a
Unix socket, so python3-grpcio and python3-protobuf are all that is needed.

Events, decisions and all else of the contract are the messages of
control.proto, with the meaning that the Go package plugins/cc documents. All
quantities are whole numbers: times in ps, rates in bit/s, sizes in bytes. A
decision that is none, such as a float, ends the program, and so the run.
"""

from .chance import Chance
from .contract import (ACK, CNP, GROUP, LOSS, LOST_BY_GAP, LOST_BY_NAK, LOST_BY_TIMEOUT,
                       NAK, SENT, START, TIMEOUT, TIMER, Algorithm, Param, ParamError,
                       Signals, Value)
from .server import serve
from .units import (B, BPS, GBPS, KB, KBPS, MB, MBPS, MS, NS, PS, S, US,
                    bytes_in, rate_of)

__all__ = ["ACK", "Algorithm", "B", "BPS", "CNP", "Chance", "GBPS", "GROUP", "KB",
           "KBPS", "LOSS", "LOST_BY_GAP", "LOST_BY_NAK", "LOST_BY_TIMEOUT", "MB", "MBPS",
           "MS", "NAK", "NS", "PS", "Param", "ParamError", "S", "SENT", "START", "Signals",
           "TIMEOUT", "TIMER", "US", "Value", "bytes_in", "rate_of", "serve"]
