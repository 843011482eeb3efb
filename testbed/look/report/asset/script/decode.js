// What encode.go packs: of each number one more than the zigzag of its difference to
// the one before, and 0 for a gap, as varints of seven bits in base64. Numbers are
// above 2^31, so there is no shifting.
function decodeValues(text) {
  const bytes = atob(text);
  const values = [];
  let before = 0;
  for (let at = 0; at < bytes.length;) {
    let code = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes.charCodeAt(at++);
      code += (byte & 127) * scale;
      if (byte < 128) break;
    }
    if (code === 0) {
      values.push(null);
      continue;
    }
    code--;
    before += code % 2 === 0 ? code / 2 : -(code + 1) / 2;
    values.push(before);
  }
  return values;
}

// points gives a line its values and their times, both as the page shows them: times in
// microseconds. Once is enough.
function points(line) {
  if (line.values) return line;
  const scale = 10 ** line.decimals;
  line.values = decodeValues(line.data).map((value) => (value === null ? null : value / scale));
  line.times = line.values.map((_, i) => ((line.first + i) * line.width) / 1e6);
  line.end = ((line.first + line.values.length) * line.width) / 1e6;
  return line;
}
