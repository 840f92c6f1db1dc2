import { Socket } from 'node:net'

const FIRST_READ_BYTES = 4 * 1024
const MAX_READ_BYTES = 64 * 1024

/**
 * Reuses one buffer. New buffers per read would trigger a full GC every thirty megabytes. `bytes` events are valid
 * until the listener returns.
 */
export function createReadSocket(): Socket {
  let buffer = Buffer.allocUnsafeSlow(FIRST_READ_BYTES)
  const socket: Socket = new Socket({
    onread: {
      buffer: () => buffer,
      callback(length) {
        const bytes = buffer.subarray(0, length)
        if (length === buffer.length && length < MAX_READ_BYTES) buffer = Buffer.allocUnsafeSlow(MAX_READ_BYTES)
        return socket.emit('bytes', bytes) || socket.push(Buffer.from(bytes))
      },
    },
  })
  return socket
}
