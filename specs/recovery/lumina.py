"""Hands a capture of rocelab to the checks of Lumina, an analyser of real RDMA NICs.

    python3 specs/recovery/lumina.py LUMINA CAPTURE

LUMINA is a clone of https://github.com/lumina-test/lumina, CAPTURE a capture.pcapng of the ports of a
flow's two ends, h0 and h1. It needs tshark and prints True or False for each end. Lumina's own captures
say by a TTL of 1 that a packet was dropped; here the comment does. Its checks know nothing of PSNs that
wrap: choose another seed then.
"""

import subprocess
import sys

FIELDS = ["frame.interface_name", "frame.comment", "ip.src", "ip.dst", "infiniband.bth.destqp",
          "infiniband.bth.psn", "infiniband.bth.opcode", "infiniband.aeth.syndrome"]
ACKNOWLEDGE = 17


class Packet:
    """A frame with the methods that the checks call."""

    def __init__(self, line):
        self.port, comment, self.src, self.dst, qp, psn, opcode, syndrome = line.split("\t")
        self.qp, self.psn, self.opcode = int(qp, 16), int(psn), int(opcode)
        self.syndrome = int(syndrome) if syndrome else 0
        self.lost = "dropped: link_" in comment

    def is_roce_pkt(self): return True
    def get_dst_ip(self): return self.dst
    def get_roce_dest_qp(self): return self.qp
    def get_roce_pkt_seq(self): return self.psn
    def is_delivered(self): return not self.lost
    def is_bit_error(self): return False
    def is_roce_data_pkt(self): return self.opcode < ACKNOWLEDGE
    def is_roce_ack(self): return self.opcode == ACKNOWLEDGE and self.syndrome >> 5 == 0
    def is_roce_nack(self): return self.opcode == ACKNOWLEDGE and self.syndrome >> 5 != 0


def packets(capture):
    command = ["tshark", "-r", capture, "--disable-heuristic", "rpcrdma_infiniband", "-Y", "infiniband.bth",
               "-T", "fields"]
    for field in FIELDS:
        command += ["-e", field]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [Packet(line) for line in text.splitlines()]


def main(folder, capture):
    sys.path.insert(0, folder)
    from lumina.analyzer.checker.gbn_check import GBNCheck

    seen = packets(capture)
    data = [p for p in seen if p.is_roce_data_pkt()]
    back = next(p for p in seen if not p.is_roce_data_pkt())
    first, last = data[0].psn, max(p.psn for p in data)
    ends = {"psn_snd": first, "qpn_snd": back.qp, "ip_snd": back.dst, "qpn_rcv": data[0].qp, "ip_rcv": data[0].dst}
    for port, check in ("h0", "check_sender"), ("h1", "check_receiver"):
        # What an end sends, and what comes in.
        trace = [p for p in seen if p.port.split(":")[0] == port]
        print(check, getattr(GBNCheck(trace, [ends], last - first + 1), check)(0))


if __name__ == "__main__":
    main(*sys.argv[1:])
