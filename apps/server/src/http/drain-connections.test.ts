import { once } from 'node:events'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { drainConnectionsOnClose } from './drain-connections.ts'

const NEVER_MS = 10 ** 9

/** A server whose connections end by no timeout of their own; `/wait` answers once the server closes. */
async function startServer(drainTimeoutMs = NEVER_MS) {
  const app = fastify({ forceCloseConnections: 'idle', keepAliveTimeout: NEVER_MS, requestTimeout: 0 })
  drainConnectionsOnClose(app, drainTimeoutMs)
  const waiting = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  app.get('/wait', async () => {
    reached.resolve()
    await waiting.promise
    return 'done'
  })
  app.post('/refused', { onRequest: async (_request, reply) => await reply.code(401).send('no') }, async () => 'read')
  app.addHook('preClose', async () => waiting.resolve())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const send = async (text: string) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(text)
    return { socket, text: collect(socket) }
  }
  return { app, send, reached: reached.promise }
}

/** Everything received, as far as it is there. */
function collect(socket: Socket): () => string {
  let text = ''
  socket.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  socket.on('error', () => undefined)
  return () => text
}

test('a call that is answered while the server closes ends its connection', async () => {
  const { app, send, reached } = await startServer()
  const call = await send('GET /wait HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await reached
  await app.close()
  await expect.poll(call.text).toMatch(/^HTTP\/1\.1 200 .*connection: close.*done/is)
})

test('a connection whose refused body is still on its way is closed once it has come', async () => {
  const { app, send } = await startServer()
  const call = await send('POST /refused HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n12345')
  await expect.poll(call.text).toMatch(/^HTTP\/1\.1 401 .*connection: keep-alive/is)
  const closed = app.close()
  call.socket.write('67890')
  await closed
})

test('a body that never comes holds the server up no longer than the drain timeout', async () => {
  const { app, send } = await startServer(100)
  const call = await send('POST /refused HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n12345')
  await expect.poll(call.text).toMatch(/^HTTP\/1\.1 401 /)
  await app.close()
})
