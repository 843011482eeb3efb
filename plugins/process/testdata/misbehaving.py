#!/usr/bin/env python3
"""A plugin that does what its parameter says: misbehaving, in Python."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["ROCELAB_PYTHON"])

import rocelab
from rocelab import KBPS, US, Param, ParamError, Signals, Value


class Misbehaving(rocelab.Algorithm):
    name = "misbehaving"
    version = "1.2.3"
    summary = "does what it must not"
    source = "tests"
    recovery = 7 * US
    values = (Value("events", doc="so far"), Value("last_at", "us", "none before one"))
    params = (
        Param.choice("on", "nothing", doc="when", source="", choices=(
            "nothing", "new", "sender", "receiver", "cnp", "data", "third", "echo", "mirror", "values")),
        Param.choice("do", "exit", doc="what", source="", choices=(
            "exit", "panic", "hang", "negative", "refuse", "blame", "nil", "print", "float")),
        Param.rate("least", min="1Kbps", max="100Tbps", doc="default: none", source=""),
    )

    def __init__(self, params):
        self.on, self.do, self.least, self.events = params["on"], params["do"], params["least"], 0
        if self.on == "new":
            if self.do == "blame":
                raise ParamError("least", "is above the line rate")
            if self.do == "refuse":
                raise ParamError("", "not today")
            self.misbehave(None)

    def misbehave(self, decision):
        if self.do == "exit":
            print("I am off", file=sys.stderr, flush=True)
            os._exit(3)
        elif self.do == "panic":
            raise RuntimeError("out of cheese")
        elif self.do == "hang":
            while True:
                pass
        elif self.do == "negative":
            decision.rate = -5
        elif self.do == "float":
            decision.rate = 0.5
        elif self.do == "print":
            print("to stdout")
            print("to stderr", file=sys.stderr, flush=True)

    def signals(self):
        return Signals(ect=True, cnp=True, cnp_interval=50 * US, ecn_echo=True, group=True)

    def sender(self, facts):
        if self.on == "sender":
            if self.do == "nil":
                return None
            self.misbehave(None)
        return Sender(self, facts)

    def receiver(self, facts):
        if self.on == "receiver":
            if self.do == "nil":
                return None
            self.misbehave(None)
        return Receiver(self)


class Sender:
    def __init__(self, controller, facts):
        self.controller, self.facts, self.count, self.at = controller, facts, 0, None

    def values(self):
        if self.controller.on == "values":
            if self.controller.do == "nil":
                return (1,)
            self.controller.misbehave(None)
        return (self.count, self.at)

    def handle(self, event, decision):
        self.count, self.at = self.count + 1, event.now / US
        c = self.controller
        c.events += 1
        if c.on == "mirror":
            print(str(event).replace("\n", " "), "|", str(decision).replace("\n", " "), flush=True)
            decision.own = bytes(reversed(event.own))
            return
        if c.on == "echo":
            decision.window, decision.gap = decision.rate, decision.wake_at
            decision.rate, decision.wake_at = 2 * self.facts.line_rate, 100
            return
        decision.rate = 1 + self.facts.chance.below(self.facts.line_rate)
        if event.kind == rocelab.TIMER:
            decision.wake_at = event.now + US
        if c.on == "cnp" and event.kind == rocelab.CNP or c.on == "third" and c.events == 3:
            c.misbehave(decision)


class Receiver:
    def __init__(self, controller):
        self.controller, self.flows = controller, 0

    def group(self, group):
        self.flows = group.flows

    def data(self, arrival, feedback):
        if self.controller.on == "data":
            self.controller.misbehave(None)
        feedback.base_rate += self.flows * KBPS + arrival.bytes
        feedback.one_way_delay = arrival.now


rocelab.serve(Misbehaving)
