import { Socket } from 'node:net'

const FIRST_READ_BYTES = 4 * 1024
const MAX_READ_BYTES = 64 * 1024

/**
 * A socket that reads into the same memory again and again. Others take new memory for every read, for which the garbage
 * collector goes through the whole heap every thirty megabytes or so. Its event `bytes` gives bytes that are valid only
 * until the listener returns; while nobody listens to that, it is read as any other stream.
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
