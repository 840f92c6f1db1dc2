import { type Server, type Socket, connect, createServer } from 'node:net'
import { postgresql } from '@trellis/connectors/postgresql/connector'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { withOutsideSession } from '@trellis/workspace-db/session/outside-session'
import { afterEach, expect, test } from 'vitest'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** The last answer repeats. */
async function hostile(answers: ((socket: Socket) => void)[]): Promise<number> {
  const server = createServer((socket) => {
    let told = 0
    socket.on('error', () => undefined)
    socket.on('data', () => {
      answers[Math.min(told, answers.length - 1)]?.(socket)
      told += 1
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

const header = (letter: string, length: number) => {
  const bytes = Buffer.alloc(5)
  bytes.write(letter)
  bytes.writeUInt32BE(length + 4, 1)
  return bytes
}
const message = (letter: string, body: readonly number[]) =>
  Buffer.concat([header(letter, body.length), Buffer.from(body)])
const say = (bytes: Buffer) => (socket: Socket) => void socket.write(bytes)
const endless = (start: Buffer) => (socket: Socket) => {
  socket.write(start)
  const more = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(256 * 1024, 'x')));
    if (!socket.destroyed) socket.once('drain', more)
  }
  more()
}

const WELCOME = say(Buffer.concat([message('R', [0, 0, 0, 0]), message('Z', [0x49])]))
const DONE = say(Buffer.concat([message('C', [...Buffer.from('SELECT 0\0')]), message('Z', [0x49])]))

async function look(answers: ((socket: Socket) => void)[], way: 'query' | 'copyOut') {
  const port = await hostile(answers)
  const connection = { host: '127.0.0.1', port, database: 'shop', user: 'reader', password: 'x', tls: 'disable' }
  const context = createTestContext({
    values: { connection },
    signal: AbortSignal.timeout(30_000),
    connect: async ({ host, port }) => connect({ host, port }),
  })
  const link = await postgresql.openDatabase?.(context)
  if (!link) throw new Error('It can not be looked into.')
  return await withOutsideSession(link, { limits: { maxBytes: 1024 * 1024, statementMs: 2_000 } }, async (session) => {
    if (way === 'query') return await session.query({ text: 'select 1' })
    return await session.copyOut('copy a to stdout').next()
  })
}

test.each([
  ['a beginning without end', [WELCOME, DONE, endless(header('N', 2 ** 31))], 'query'],
  ['a row without end', [WELCOME, DONE, DONE, endless(header('D', 2 ** 31))], 'query'],
  ['a notice without end', [WELCOME, DONE, DONE, endless(header('N', 2 ** 31))], 'query'],
  ['values that are not there', [WELCOME, DONE, DONE, say(message('D', [0, 9]))], 'query'],
  [
    'copied lines without end',
    [WELCOME, DONE, DONE, endless(Buffer.concat([message('H', [0, 0, 0]), header('d', 2 ** 31)]))],
    'copyOut',
  ],
  [
    'a length below nothing',
    [WELCOME, DONE, DONE, say(Buffer.concat([message('H', [0, 0, 0]), Buffer.from([0x64, 0, 0, 0, 1])]))],
    'copyOut',
  ],
] as const)('a server that answers with %s ends the session and not the process', async (_, answers, way) => {
  await expect(look([...answers], way)).rejects.toMatchObject({ name: 'WorkspaceDbError' })
})
