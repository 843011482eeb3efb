"""What an author implements, as package plugins/cc has it in Go."""

from __future__ import annotations

from dataclasses import dataclass

# The events of a sender, the values of event.kind.
START, SENT, ACK, NAK, CNP, TIMEOUT, TIMER, GROUP, LOSS = range(9)

# How a loss was found, the values of event.cause of a LOSS.
LOST_BY_GAP, LOST_BY_TIMEOUT, LOST_BY_NAK = range(1, 4)

_DURATION, _RATE, _BYTES, _NUMBER, _CHOICE, _SWITCH = range(6)


class ParamError(Exception):
    """A parameter whose value an algorithm refuses; param is "" if it is not
    about one alone."""

    def __init__(self, param, problem):
        super().__init__(f"parameter {param}: {problem}" if param else problem)
        self.param, self.problem = param, problem


@dataclass(frozen=True)
class Param:
    """A parameter: make one with the function of its kind. Default and bounds
    are written as in a scenario, "10us"; the host reads and checks values, and
    params[name] is a whole number in ps, bit/s or bytes, a float, a word, or
    True or False. A duration, rate or size needs min and max, at most 1000s,
    100Tbps or 100000GB: a value that wraps would switch the algorithm off. A
    parameter without a default is None unless given; its doc
    says what that means."""

    name: str
    kind: int
    default: str
    doc: str
    source: str
    min: str = ""
    max: str = ""
    choices: tuple = ()

    @classmethod
    def duration(cls, name, default="", *, min, max, **rest):
        return cls(name, _DURATION, default, min=min, max=max, **rest)

    @classmethod
    def rate(cls, name, default="", *, min, max, **rest):
        return cls(name, _RATE, default, min=min, max=max, **rest)

    @classmethod
    def size(cls, name, default="", *, min, max, **rest):
        return cls(name, _BYTES, default, min=min, max=max, **rest)

    @classmethod
    def number(cls, name, default="", **rest):
        return cls(name, _NUMBER, default, **rest)

    @classmethod
    def choice(cls, name, default="", **rest):
        return cls(name, _CHOICE, default, **rest)

    @classmethod
    def switch(cls, name, default="", **rest):
        return cls(name, _SWITCH, default, **rest)


@dataclass(frozen=True)
class Signals:
    """The signals that an algorithm needs, as cc.Signals. Request few."""

    ect: bool = False
    cnp: bool = False
    cnp_interval: int = 0
    acks: bool = False
    one_way_delay: bool = False
    timestamp: bool = False
    ecn_echo: bool = False
    int: bool = False
    rtt_in_cnp: bool = False
    rate_in_cnp: bool = False
    group: bool = False
    loss: bool = False
    received: bool = False
    path: bool = False
    own_data: int = 0
    own_ack: int = 0


@dataclass(frozen=True)
class Value:
    """A quantity that senders tell of themselves, as cc.Value: it is recorded and
    is no part of any decision. Name is snake_case; unit is "" for none."""

    name: str
    unit: str = ""
    doc: str = ""


class Algorithm:
    """A configured algorithm. Derive from it and set what describes yours.

    A sender is an object with handle(event, decision), which changes what it
    wants changed in the decision, and, where the class names values, values(),
    which returns their numbers as the last event left them, None for one that
    there is not now, and changes nothing; a receiver has data(arrival, feedback) and
    group(group). They are plain state machines: no clock, thread, file or
    global state, and nothing shared between flows but self, unchanged after
    __init__. event and the like are valid during the call only. A float that
    decides anything is made by + - * / and comparisons alone.
    """

    name = ""
    version = ""
    summary = ""
    source = ""
    params = ()
    values = ()  # of Value, at most 8
    uncontrolled = False
    recovery = 0  # ps; 0 claims 50 ms

    def __init__(self, params):
        """Takes the parameters' values by name. Raises ParamError."""

    def signals(self):
        """What the flows need to be told."""
        return Signals()

    def sender(self, facts):
        """One flow's state at its sending NIC. facts.chance is its stream."""
        raise NotImplementedError

    def receiver(self, facts):
        """One flow's state at its receiving NIC; None for no receiver side."""
        return None
