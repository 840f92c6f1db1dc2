export function applyDelta(base: Buffer, delta: Buffer): Buffer | undefined {
  let at = 0
  const next = () => delta[at++] ?? 0
  const readSize = () => {
    let size = 0
    for (let scale = 1, byte = 128; byte & 128 && scale < 2 ** 49; scale *= 128) {
      byte = next()
      size += (byte & 127) * scale
    }
    return size
  }
  const readNumber = (bits: number, count: number) => {
    let value = 0
    for (let index = 0; index < count; index += 1) if (bits & (1 << index)) value += next() * 256 ** index
    return value
  }
  if (readSize() !== base.length) return undefined
  const size = readSize()
  const pieces: Buffer[] = []
  let length = 0
  while (at < delta.length && length <= size) {
    const order = next()
    let piece: Buffer
    if (order & 128) {
      const offset = readNumber(order, 4)
      const count = readNumber(order >> 4, 3) || 65_536
      if (offset + count > base.length) return undefined
      piece = base.subarray(offset, offset + count)
    } else {
      if (order === 0 || at + order > delta.length) return undefined
      piece = delta.subarray(at, at + order)
      at += order
    }
    pieces.push(piece)
    length += piece.length
  }
  return length === size && at === delta.length ? Buffer.concat(pieces) : undefined
}
