import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createReadSocket } from './read-socket.ts'

const SENT = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))

async function connect(): Promise<Socket> {
  const server = createServer((peer) => peer.end(SENT)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = createReadSocket()
  socket.on('close', () => server.close())
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
  return socket
}

test('is read as any other stream, at the pace of its reader', async () => {
  expect((await buffer(await connect())).equals(SENT)).toBe(true)
  const socket = await connect()
  const parts: Buffer[] = []
  socket.on('readable', () => {
    const part = socket.read() as Buffer | null
    if (part) parts.push(part)
  })
  await once(socket, 'end')
  expect(Buffer.concat(parts).equals(SENT)).toBe(true)
})

test('gives bytes in the same memory to whoever listens to them, and to nobody else', async () => {
  const socket = await connect()
  const seen: Buffer[] = []
  const memory = new Set<ArrayBufferLike>()
  let copies = 0
  socket.on('data', () => (copies += 1))
  socket.on('bytes', (bytes: Buffer) => {
    seen.push(Buffer.from(bytes))
    memory.add(bytes.buffer)
  })
  await once(socket, 'close')
  expect(Buffer.concat(seen).equals(SENT)).toBe(true)
  expect(memory.size).toBeLessThanOrEqual(2)
  expect(copies).toBe(0)
})

test('waits while it is paused', async () => {
  const socket = await connect()
  let length = 0
  socket.on('bytes', (bytes: Buffer) => {
    length += bytes.length
    socket.pause()
    setImmediate(() => {
      expect(length).toBe(before + bytes.length)
      before = length
      socket.resume()
    })
  })
  let before = 0
  socket.resume()
  await once(socket, 'close')
  expect(length).toBe(SENT.length)
})
