const FIRST_BYTES = 16 * 1024
const MAX_SPARE_BYTES = 4 * 1024 * 1024
const MAX_SPARES = 4

interface ByteCollector {
  readonly length: number
  add(bytes: Uint8Array): void
  reserve(count: number): void
  /** Valid until more is added. */
  peek(): Buffer
  take(count?: number): Buffer
  /** The buffer will be overwritten. */
  giveBack(bytes: Buffer): void
}

export function createByteCollector(): ByteCollector {
  const spares: Buffer[] = []
  let buffer: Buffer = Buffer.alloc(0)
  let end = 0

  function reserve(count: number): void {
    if (end + count <= buffer.length) return
    const previousBuffer = buffer
    const spare = end === 0 ? spares.pop() : undefined
    buffer =
      spare && spare.length >= count
        ? spare
        : Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, end + count, Math.ceil(previousBuffer.length * 1.5)))
    previousBuffer.copy(buffer, 0, 0, end)
  }

  function add(bytes: Uint8Array): void {
    reserve(bytes.length)
    buffer.set(bytes, end)
    end += bytes.length
  }

  return {
    get length() {
      return end
    },
    add,
    reserve,
    peek: () => buffer.subarray(0, end),
    take(count = end) {
      const [takenBytes, remainder] = [buffer.subarray(0, count), buffer.subarray(count, end)]
      buffer = Buffer.alloc(0)
      end = 0
      if (remainder.length > 0) add(remainder)
      return takenBytes
    },
    giveBack({ buffer: memory }) {
      const size = memory.byteLength
      if (size < FIRST_BYTES || size > MAX_SPARE_BYTES || spares.length === MAX_SPARES) return
      spares.push(Buffer.from(memory as ArrayBuffer))
      spares.sort((a, b) => a.length - b.length)
    },
  }
}
