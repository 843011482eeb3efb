"""The program's end of the conversation with the host."""

import asyncio
import faulthandler
import hashlib
import math
import os
import platform
import signal
import sys
import tempfile
import threading
import traceback

try:
    import grpc
    import grpc.aio

    from . import control_pb2 as pb
except ImportError as e:
    sys.exit(f"{sys.executable} lacks a module ({e}): install Debian's "
             "python3-grpcio and python3-protobuf, or name in the first line of "
             "the program a Python that has them")

from .chance import Chance
from .contract import SENT, TIMER, ParamError

# What go-plugin (github.com/hashicorp/go-plugin) wants to see.
_COOKIE = ("ROCELAB_PLUGIN", "congestion-control")
_PROTOCOL = 3
_LIFELINE = 4  # a pipe that closes with the host


def serve(algorithm):
    """Serves an algorithm, a class derived from Algorithm. Does not return."""
    if os.environ.get(_COOKIE[0]) != _COOKIE[1]:
        print(f"{os.path.basename(sys.argv[0])} is a plugin for rocelab, not a command: "
              f"the congestion-control algorithm\n{algorithm.name} {algorithm.version}, "
              f"{algorithm.summary}.\n\nPut it, with the folder rocelab beside it, into a "
              "folder that is named by\n--plugin-dir or $ROCELAB_PLUGINS.", file=sys.stderr)
        sys.exit(2)
    # A host that loses patience asks where the program stands.
    faulthandler.register(signal.SIGQUIT, all_threads=True, chain=True)
    threading.Thread(target=_die_with_host, daemon=True).start()

    folder = tempfile.mkdtemp(prefix="plugin", dir=os.environ.get("PLUGIN_UNIX_SOCKET_DIR"))
    path = os.path.join(folder, "socket")
    asyncio.run(_serve(path, _Program(algorithm)))


async def _serve(path, program):
    server = grpc.aio.server()
    server.add_generic_rpc_handlers(_handlers(program))
    if server.add_insecure_port("unix:" + path) == 0:
        sys.exit(f"cannot listen at {path}")
    await server.start()
    os.write(1, f"1|{_PROTOCOL}|unix|{path}|grpc\n".encode())
    os.dup2(2, 1)  # from here on all that is printed goes to the log
    sys.stdout.reconfigure(line_buffering=True)
    await server.wait_for_termination()


def _die_with_host():
    try:
        while os.read(_LIFELINE, 1):
            pass
    except OSError:
        return  # no host that knows of lifelines
    os._exit(1)


def _handlers(program):
    async def health(request, context):
        return b"\x08\x01"  # SERVING

    async def shutdown(request, context):
        os._exit(0)

    def unary(call, request=None):
        return grpc.unary_unary_rpc_method_handler(
            call, request_deserializer=request and request.FromString,
            response_serializer=request and (lambda m: m.SerializeToString()))

    return (
        grpc.method_handlers_generic_handler("rocelab.control.v1.Algorithm", {
            "Describe": unary(program.describe, pb.DescribeRequest),
            "Configure": unary(program.configure, pb.Configuration),
            "Converse": grpc.stream_stream_rpc_method_handler(
                program.converse, request_deserializer=pb.Batch.FromString,
                response_serializer=pb.Answers.SerializeToString),
        }),
        # Two services that go-plugin wants, their messages in bytes.
        grpc.method_handlers_generic_handler("grpc.health.v1.Health", {"Check": unary(health)}),
        grpc.method_handlers_generic_handler("plugin.GRPCController", {"Shutdown": unary(shutdown)}),
    )


class _End:
    """One end of a flow; one of sender and receiver is set."""

    def __init__(self, sender, receiver, line_rate):
        self.handle = sender and sender.handle
        self.values = getattr(sender, "values", None)
        self.data = receiver and receiver.data
        self.group = receiver and receiver.group
        self.line_rate = line_rate
        self.last = None  # the sender's last answer


def _files():
    """The modules that lie below the program's folder: with the program, what runs.
    What was installed there, as into a virtual environment, belongs to the Python."""
    program = os.path.realpath(sys.argv[0])
    folder = os.path.dirname(program)
    files = {}
    for module in list(sys.modules.values()):
        path = os.path.realpath(getattr(module, "__file__", None) or program)
        below = path.startswith(folder + os.sep) and path != program
        if below and "-packages" + os.sep not in path and os.path.isfile(path):
            with open(path, "rb") as f:
                files[os.path.relpath(path, folder)] = hashlib.sha256(f.read()).hexdigest()
    return [pb.SourceFile(name=name, sha256=files[name]) for name in sorted(files)]


class _Program:
    """Calls the author's code, one call at a time: nothing here waits."""

    def __init__(self, algorithm):
        self._algorithm = algorithm
        self._controllers = []
        self._ends = []

    async def describe(self, request, context):
        a = self._algorithm
        return pb.Description(
            name=a.name, version=a.version, summary=a.summary, source=a.source, stream=True,
            uncontrolled=a.uncontrolled, recovery=a.recovery,
            runtime=f"{platform.python_implementation()} {platform.python_version()}", files=_files(),
            values=[pb.NamedValue(name=v.name, unit=v.unit, doc=v.doc) for v in a.values],
            params=[pb.Param(name=p.name, kind=p.kind, default=p.default, min=p.min, max=p.max,
                             choices=p.choices, doc=p.doc, source=p.source) for p in a.params])

    async def configure(self, request, context):
        params = {p.name: None for p in self._algorithm.params}
        for v in request.values:
            params[v.name] = getattr(v, v.WhichOneof("value"))
        try:
            controller = self._algorithm(params)
            signals = vars(controller.signals())
            answer = pb.Controller(configured=pb.Configured(number=len(self._controllers), **signals))
        except ParamError as e:
            return pb.Controller(refusal=pb.Refusal(param=e.param, problem=e.problem))
        except (Exception, SystemExit) as e:
            await context.abort(grpc.StatusCode.INTERNAL, _problem(e))
        self._controllers.append(controller)
        return answer

    async def converse(self, batches, context):
        async for batch in batches:
            out = pb.Answers()
            for message in batch.messages:
                answer = out.answers.add()
                try:
                    self._serve(message, answer)
                except (Exception, SystemExit) as e:
                    del out.answers[-1]
                    out.problem = _problem(e)
                    break
            yield out

    def _serve(self, m, answer):
        verb = m.WhichOneof("verb")
        if verb == "handle":
            end, h, event = self._ends[m.of], m.handle, m.handle.event
            d = answer.decision
            d.SetInParent()
            if h.HasField("standing"):
                d.MergeFrom(h.standing)
            else:
                d.MergeFrom(end.last)
                if d.rate > end.line_rate:
                    d.rate = end.line_rate
            if event.kind == TIMER and d.wake_at == h.fired:
                d.wake_at = 0
            elif event.kind == SENT and d.wake_bytes == h.fired:
                d.wake_bytes = 0
            end.handle(event, d)
            end.last = d
        elif verb == "values":
            answer.values.SetInParent()
            answer.values.value.extend(self._values(self._ends[m.of]))
        elif verb == "data":
            feedback = answer.feedback
            feedback.SetInParent()
            feedback.MergeFrom(m.data.standing)
            self._ends[m.of].data(m.data.arrival, feedback)
        elif verb == "group":
            self._ends[m.of].group(m.group)
        else:
            self._make(m, verb, answer)

    def _values(self, end):
        """A sender's own values; None for one that there is not now."""
        values = end.values() if end.values else ()
        values = [math.nan if v is None else v for v in values]
        named = len(self._algorithm.values)
        if len(values) not in (0, named):
            raise ValueError(f"values() returned {len(values)} values, the algorithm names {named}")
        return values

    def _make(self, m, verb, answer):
        controller, sender, receiver = self._controllers[m.of], None, None
        if verb == "make_sender":
            facts = _Facts(m.make_sender)
            sender = controller.sender(facts)
        else:
            facts = _Facts(m.make_receiver)
            receiver = controller.receiver(facts)
        if sender is None and receiver is None:
            answer.none = True
            return
        self._ends.append(_End(sender, receiver, facts.line_rate))
        answer.made = len(self._ends) - 1


class _Facts:
    """What is known of a flow, as cc.Facts."""

    def __init__(self, m):
        for name in ("flow", "line_rate", "mtu", "packet_bytes", "base_rtt", "baseline", "hops", "size", "group"):
            setattr(self, name, getattr(m, name))
        self.chance = Chance(m.chance) if m.chance else None


def _problem(error):
    """Prints what went wrong into the log and returns it in a line."""
    traceback.print_exception(type(error), error, error.__traceback__)
    sys.stderr.flush()
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({os.path.basename(where.filename)}, line {where.lineno})"
