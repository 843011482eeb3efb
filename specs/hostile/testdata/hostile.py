#!/usr/bin/python3
"""The Python twin of hostile: its file name, CALL-DEED.py, says what it does when."""

import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["ROCELAB_PYTHON"])

import rocelab
from rocelab import ACK, CNP, START, TIMER, US, Signals

NAME = os.path.basename(sys.argv[0]).removesuffix(".py")
CALL, _, DEED = NAME.partition("-")


def loop():
    while True:
        pass


def memory():
    held = []
    for _ in range(64):  # 1 GB at most
        held.append(bytearray(b"x" * (16 << 20)))
    raise RuntimeError("it let me have all of it")


def orphans():
    child = "import signal, time; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 3, 15)]; time.sleep(120)"
    for _ in range(10):
        subprocess.Popen([sys.executable, "-c", child], start_new_session=True)


def deep():
    deep()


def flood():
    for _ in range(600):
        print("no limit " * 10000, flush=True)


def fail():
    raise RuntimeError("out of cheese \x1b[2J")


DEEDS = {
    "raise": fail, "exit": lambda: sys.exit("I am off"), "leave": lambda: os._exit(0), "hang": lambda: time.sleep(3600),
    "loop": loop, "stop": lambda: (os.kill(os.getpid(), signal.SIGSTOP), time.sleep(3600)),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL), "deep": deep, "flood": flood, "memory": memory,
    "orphan": orphans, "interrupt": lambda: os.kill(os.getpid(), signal.SIGINT),
}
ANSWERS = {"nan": float("nan"), "none": None, "huge": 10**30, "word": "fast", "negative": -5}
done = False


def at(call):
    """Does the deed if it belongs to this call, once."""
    global done
    if call == CALL and not done:
        done = True
        DEEDS.get(DEED, lambda: None)()
        return True
    return False


class Sender:
    def handle(self, event, decision):
        at({START: "begin", ACK: "ack", CNP: "cnp", TIMER: "timer"}.get(event.kind, "other"))
        if event.kind == START:
            decision.wake_at = event.now + 3 * US
        if done and DEED in ANSWERS and CALL != "data":
            decision.rate = ANSWERS[DEED]


class Receiver:
    def data(self, arrival, feedback):
        if at("data") and DEED == "negative":
            feedback.base_rate = -5

    def group(self, group):
        pass


class Described(type):
    """A class whose name misbehaves when it is asked for."""

    @property
    def name(cls):
        at("describe")
        return NAME


class Hostile(rocelab.Algorithm, metaclass=Described):
    version = "1.0.0"
    summary = "misbehaves"
    source = "specs"
    configured = 0

    def __init__(self, params):
        Hostile.configured += 1
        at("new" if Hostile.configured == 1 else "again")

    def signals(self):
        at("signals")
        if CALL == "signals" and DEED == "none":
            return None
        return Signals(ect=True, cnp=True, cnp_interval=4 * US, acks=True)

    def sender(self, facts):
        return None if at("sender") and DEED == "none" else Sender()

    def receiver(self, facts):
        at("receiver")
        return Receiver()


del rocelab.Algorithm.name  # or it hides the one of the metaclass
if CALL == "end":  # it is asked to end, and does not
    os._exit = lambda code: DEEDS[DEED]()
at("start")
rocelab.serve(Hostile)
