import { createServer } from 'node:net'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { expect, test } from 'vitest'
import { plainConnect } from '../shared/testing/plain-connect.ts'
import { mysql } from './connector.ts'

interface Talk {
  greeting?: string
  answer?: string
}

test.each<[string, Talk]>([
  ['an SSH server', { greeting: 'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n' }],
  ['a mail or FTP server', { greeting: '220 mail.example.com ESMTP\r\n' }],
  ['a web server (HTTP)', { answer: 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n' }],
  ['a PostgreSQL server', { answer: 'N' }],
  ['a PostgreSQL server', { answer: 'S' }],
  ['a Redis server', { answer: '-ERR Protocol error: unauthenticated bulk length\r\n' }],
  ['a server that wants TLS from the first byte, such as HTTPS', { answer: '\x15\x03\x01\0\x02\x02\x16' }],
])('%s on the port is named, encrypted or not', async (name, { greeting, answer }) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (greeting) socket.write(Buffer.from(greeting, 'latin1'))
    socket.on('data', () => answer && socket.end(Buffer.from(answer, 'latin1')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  try {
    for (const tls of ['require', 'disable']) {
      const connection = { host: '127.0.0.1', port, database: 'shop', user: 'reader', password: 'word', tls }
      await expect(
        mysql.check(createTestContext({ values: { connection }, connect: plainConnect })),
        tls,
      ).rejects.toMatchObject({
        kind: 'configuration',
        field: 'connection.port',
        message: `127.0.0.1 answers on port ${port} as ${name}, not as MySQL or MariaDB.`,
      })
    }
  } finally {
    server.close()
  }
})
