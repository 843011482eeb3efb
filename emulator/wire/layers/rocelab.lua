-- A dissector for Wireshark and tshark (built with Lua) of what is rocelab's
-- own on the wire: notifications between switches, UDP port 49911, and what
-- ACKs report under selective repeat:
--
--     tshark -X lua_script:rocelab.lua -r capture.pcapng
--
-- To have it always, copy it to the folder of personal Lua plugins that
-- Wireshark names under Help, About, Folders. The fields are those of package
-- emulator/notification, which says what each means.

local proto = Proto("rocelab_notification", "rocelab notification")

local PORT, MAGIC, VERSION = 49911, 0x5052, 1
local HEADER, FLOW, FLOWS = 60, 24, 8
local types = { [1] = "Congestion", [2] = "Learned", [3] = "Clear", [4] = "Release" }

local function name(field) return "rocelab_notification." .. field end

local f = {
  magic = ProtoField.uint16(name("magic"), "Magic", base.HEX),
  version = ProtoField.uint8(name("version"), "Version"),
  type = ProtoField.uint8(name("type"), "Type", base.DEC, types),
  origin = ProtoField.uint32(name("origin"), "Origin"),
  sequence = ProtoField.uint32(name("sequence"), "Sequence"),
  time = ProtoField.uint64(name("time"), "Time (ns)"),
  port = ProtoField.uint16(name("port"), "Port"),
  priority = ProtoField.uint8(name("priority"), "Priority"),
  count = ProtoField.uint8(name("count"), "Flows"),
  depth = ProtoField.uint32(name("depth"), "Queue depth (bytes)"),
  before = ProtoField.uint32(name("before"), "Queue depth before (bytes)"),
  elapsed = ProtoField.uint32(name("elapsed"), "Elapsed between the two (ns)"),
  rate = ProtoField.uint32(name("rate"), "Port rate (Mb/s)"),
  usage = ProtoField.uint16(name("usage"), "Buffer usage (1/65535)"),
  degree = ProtoField.uint16(name("degree"), "Degree (1/65535)"),
  threshold = ProtoField.uint32(name("threshold"), "Threshold (bytes)"),
  kmax = ProtoField.uint32(name("kmax"), "Kmax (bytes)"),
  lifetime = ProtoField.uint32(name("lifetime"), "Lifetime (us)"),
  live = ProtoField.uint16(name("live"), "Flows in the queue"),
  level = ProtoField.uint16(name("level"), "Share of the rate for those that send most (1/65535)"),
  flow = ProtoField.bytes(name("flow"), "Flow"),
  src_ip = ProtoField.ipv4(name("flow.src_ip"), "Source address"),
  dst_ip = ProtoField.ipv4(name("flow.dst_ip"), "Destination address"),
  dst_qp = ProtoField.uint32(name("flow.dst_qp"), "Destination QP", base.HEX),
  src_qp = ProtoField.uint32(name("flow.src_qp"), "Source QP (0 unknown)", base.HEX),
  bytes = ProtoField.uint32(name("flow.bytes"), "Bytes in the queue"),
  src_port = ProtoField.uint16(name("flow.src_port"), "UDP source port"),
  share = ProtoField.uint16(name("flow.share"), "Share of the queue (1/65535)"),
}
local fields = {}
for _, field in pairs(f) do fields[#fields + 1] = field end
proto.fields = fields

local malformed = ProtoExpert.new(name("malformed"), "Malformed notification", expert.group.MALFORMED, expert.severity.ERROR)
proto.experts = { malformed }

-- The fields of message and flow in their order on the wire, with their bytes.
local header = {
  { f.magic, 2 }, { f.version, 1 }, { f.type, 1 }, { f.origin, 4 }, { f.sequence, 4 }, { f.time, 8 }, { f.port, 2 },
  { f.priority, 1 }, { f.count, 1 }, { f.depth, 4 }, { f.before, 4 }, { f.elapsed, 4 }, { f.rate, 4 }, { f.usage, 2 },
  { f.degree, 2 }, { f.threshold, 4 }, { f.kmax, 4 }, { f.lifetime, 4 }, { f.live, 2 },
  { f.level, 2 },
}
local flow = {
  { f.src_ip, 4 }, { f.dst_ip, 4 }, { f.dst_qp, 4 }, { f.src_qp, 4 }, { f.bytes, 4 }, { f.src_port, 2 }, { f.share, 2 },
}

local function add(tree, layout, tvb, at)
  for _, field in ipairs(layout) do
    tree:add(field[1], tvb(at, field[2]))
    at = at + field[2]
  end
end

function proto.dissector(tvb, pinfo, root)
  local length = tvb:reported_length_remaining()
  if tvb:len() < 4 or tvb(0, 2):uint() ~= MAGIC or tvb(2, 1):uint() ~= VERSION then
    return 0 -- not ours: the port is free for private use
  end
  pinfo.cols.protocol = "ROCELAB"
  local tree = root:add(proto, tvb())
  if tvb:len() < HEADER then
    tree:add_proto_expert_info(malformed, string.format("%d bytes, at least %d are needed", length, HEADER))
    return tvb:len()
  end
  add(tree, header, tvb, 0)
  local count = tvb(23, 1):uint()
  local kind = types[tvb(3, 1):uint()]
  pinfo.cols.info = string.format("%s by device %d, port %d priority %d, queue %d B, %d flows", kind or "Unknown type",
    tvb(4, 4):uint(), tvb(20, 2):uint(), tvb(22, 1):uint(), tvb(24, 4):uint(), count)
  tree:append_text(", " .. (kind or "unknown type"))
  if not kind then
    tree:add_proto_expert_info(malformed, "unknown type")
  end
  if count > FLOWS or length ~= HEADER + FLOW * count then
    tree:add_proto_expert_info(malformed, string.format("%d bytes with %d flows", length, count))
  end
  for i = 0, math.min(count, FLOWS) - 1 do
    local at = HEADER + FLOW * i
    if tvb:len() < at + FLOW then break end
    local item = tree:add(f.flow, tvb(at, FLOW))
    item:set_text(string.format("Flow %d: %s > %s QP 0x%06x", i + 1, tostring(tvb(at, 4):ipv4()), tostring(tvb(at + 4, 4):ipv4()),
      tvb(at + 8, 4):uint()))
    add(item, flow, tvb, at)
  end
  return tvb:len()
end

DissectorTable.get("udp.port"):add(PORT, proto)

-- What an ACK of RoCEv2 reports beyond a gap under selective repeat: extension 9, which follows the AETH and whose
-- number is in the low bits of BTH byte 8. Wireshark's own dissector shows the ACK; this one adds the report.

local report = Proto("rocelab_report", "rocelab selective ACK")

local ROCE, ACKNOWLEDGE, SELECTIVE = 4791, 0x11, 9
local BTH, AETH, REPORT = 12, 4, 16

local r = {
  base = ProtoField.uint32("rocelab_report.base", "PSN of the first of 64 packets"),
  bitmap = ProtoField.uint64("rocelab_report.bitmap", "Of them kept, the first in the lowest bit", base.HEX),
  kept = ProtoField.uint8("rocelab_report.kept", "Packets kept"),
}
report.fields = { r.base, r.bitmap, r.kept }

local port = Field.new("udp.dstport")

function report.dissector(tvb, pinfo, root)
  local udp = port()
  if not udp or udp.value ~= ROCE then return end
  local at = udp.offset + 6 -- of the BTH: behind the rest of the UDP header
  if tvb:len() < at + BTH + AETH + REPORT or tvb(at, 1):uint() ~= ACKNOWLEDGE or
    tvb(at + 8, 1):uint() % 128 ~= SELECTIVE then return end
  at = at + BTH + AETH
  if tvb(at, 1):uint() ~= SELECTIVE or tvb(at + 1, 1):uint() ~= REPORT / 4 then return end
  local kept = 0
  for i = 8, 15 do
    local byte = tvb(at + i, 1):uint()
    while byte > 0 do
      kept = kept + byte % 2
      byte = math.floor(byte / 2)
    end
  end
  local tree = root:add(report, tvb(at, REPORT))
  tree:add(r.base, tvb(at + 4, 4))
  tree:add(r.bitmap, tvb(at + 8, 8))
  tree:add(r.kept, kept):set_generated()
  tree:append_text(string.format(", %d of 64 packets from PSN %d on", kept, tvb(at + 4, 4):uint()))
end

register_postdissector(report)
