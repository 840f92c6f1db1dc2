import { type Server, type Socket, createServer } from 'node:net'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { afterEach, expect, test } from 'vitest'
import { mysql } from '../mysql/connector.ts'
import { postgresql } from '../postgresql/connector.ts'
import { openLink } from './postgres/link.ts'
import { plainConnect } from './testing/plain-connect.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Sends `greeting`, then one answer per message; the last one repeats. */
async function hostile(answers: ((socket: Socket) => void)[], greeting?: Buffer): Promise<number> {
  const server = createServer((socket) => {
    let told = 0
    socket.on('error', () => undefined)
    if (greeting) socket.write(greeting)
    socket.on('data', () => {
      answers[Math.min(told, answers.length - 1)]?.(socket)
      told += 1
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

const endless = (start: Buffer, chunk: Buffer) => (socket: Socket) => {
  socket.write(start)
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', more)
  }
  more()
}
const say = (bytes: Buffer) => (socket: Socket) => void socket.write(bytes)

const toAddress = (port: number) => ({
  host: '127.0.0.1',
  port,
  database: 'shop',
  user: 'reader',
  password: 'a password',
  tls: 'disable' as const,
})
const contextFor = (port: number) =>
  createTestContext({
    values: { connection: toAddress(port) },
    connect: plainConnect,
    signal: AbortSignal.timeout(20_000),
  })

const header = (letter: string, length: number) => {
  const bytes = Buffer.alloc(5)
  bytes.write(letter)
  bytes.writeUInt32BE(length + 4, 1)
  return bytes
}
const message = (letter: string, body: readonly number[]) =>
  Buffer.concat([header(letter, body.length), Buffer.from(body)])
const WELCOME = Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', [0x49])])
const DONE = Buffer.concat([message('C', [...Buffer.from('SELECT 0\0')]), message('Z', [0x49])])

test.each([
  ['an unknown way to log in', [say(message('R', [0, 0, 0, 99]))]],
  ['columns that are not there', [say(WELCOME), say(message('T', [3, 0]))]],
  ['values that are not there', [say(WELCOME), say(message('D', [0, 9]))]],
])('a Postgres server that answers with %s ends the connection and not the process', async (_, answers) => {
  const port = await hostile(answers)
  await expect(postgresql.check(contextFor(port))).rejects.toMatchObject({
    kind: 'configuration',
    field: 'connection.host',
  })
})

test('a Postgres server that answers without end is left', async () => {
  const cell = 60_000
  const row = Buffer.concat([message('D', []), Buffer.alloc(6), Buffer.alloc(cell, 'x')])
  row.writeUInt32BE(4 + 6 + cell, 1)
  row.writeUInt16BE(1, 5)
  row.writeUInt32BE(cell, 7)
  const columns = message('T', [0, 1, 0x61, 0, ...Buffer.alloc(18)])
  const port = await hostile([say(WELCOME), endless(columns, row)])
  await expect(postgresql.check(contextFor(port))).rejects.toMatchObject({
    message: expect.stringMatching(/more than/),
  })
})

test.each([
  ['a row', 'd'],
  ['a notice', 'N'],
])('%s without end is left while rows are copied', async (_, letter) => {
  const start = Buffer.concat([message('H', [0, 0, 0]), header(letter, 2 ** 31)])
  const port = await hostile([say(WELCOME), say(DONE), endless(start, Buffer.alloc(256 * 1024, 'x'))])
  const link = await openLink(contextFor(port), toAddress(port))
  const reading = link.copyOut('copy everything to stdout')
  await expect(reading.next()).rejects.toMatchObject({ message: expect.stringMatching(/more than/) })
})

test('a MySQL server that answers without end is left', async () => {
  const packet = (number: number, body: Buffer) => {
    const start = Buffer.alloc(4)
    start.writeUIntLE(body.length, 0, 3)
    start[3] = number
    return Buffer.concat([start, body])
  }
  const greeting = packet(
    0,
    Buffer.concat([
      Buffer.from([10]),
      Buffer.from('8.0.1\0\x01\0\0\x0012345678\0', 'latin1'),
      Buffer.from([0xff, 0xf7, 33, 2, 0, 0xff, 0xff, 21]),
      Buffer.alloc(10),
      Buffer.from('123456789012\0mysql_native_password\0'),
    ]),
  )
  const port = await hostile([endless(Buffer.alloc(0), packet(2, Buffer.alloc(0xff_ff_ff, 1)))], greeting)
  await expect(mysql.check(contextFor(port))).rejects.toMatchObject({ message: expect.stringMatching(/more than/) })
})
