const FIRST_BYTES = 16 * 1024
/** Larger memory is not kept: it held a row of an unusual size. */
const MAX_SPARE_BYTES = 4 * 1024 * 1024
const MAX_SPARES = 4

/** Bytes one behind the other, in memory that is used again once it was given back. */
interface ByteCollector {
  readonly length: number
  add(bytes: Uint8Array): void
  /** Makes room at once for what is known to come. */
  reserve(count: number): void
  /** What was added since it was last taken; valid until more is added. */
  peek(): Buffer
  /** Without a number all of it; otherwise the rest stays. */
  take(count?: number): Buffer
  /** For bytes that were taken and are not used any more: they are written over. */
  giveBack(bytes: Buffer): void
}

export function createByteCollector(): ByteCollector {
  const spares: Buffer[] = []
  let buffer: Buffer = Buffer.alloc(0)
  let end = 0

  function reserve(count: number): void {
    if (end + count <= buffer.length) return
    const before = buffer
    const spare = end === 0 ? spares.pop() : undefined
    buffer =
      spare && spare.length >= count
        ? spare
        : Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, end + count, Math.ceil(before.length * 1.5)))
    before.copy(buffer, 0, 0, end)
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
      const [taken, rest] = [buffer.subarray(0, count), buffer.subarray(count, end)]
      buffer = Buffer.alloc(0)
      end = 0
      if (rest.length > 0) add(rest)
      return taken
    },
    giveBack({ buffer: memory }) {
      const size = memory.byteLength
      if (size < FIRST_BYTES || size > MAX_SPARE_BYTES || spares.length === MAX_SPARES) return
      spares.push(Buffer.from(memory as ArrayBuffer))
      spares.sort((a, b) => a.length - b.length)
    },
  }
}
