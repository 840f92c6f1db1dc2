import { createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createSafeHttp } from '../../../platform/safe-http/safe-http.ts'
import { sampleConnector } from '../testing/sample-connector.ts'
import { overNetwork } from './outgoing.ts'

const server = createServer((socket) => socket.on('error', () => undefined))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const target = { host: '127.0.0.1', port: (server.address() as { port: number }).port }
const http = createSafeHttp({ allowPrivateHosts: false, allowList: ['127.0.0.1'] })
afterAll(async () => {
  server.close()
  await http.close()
})

test('work that was ended opens nothing but what tells the other end to stop', async () => {
  const sample = sampleConnector('sample_for_tests', async () => [])
  const { connect } = overNetwork(http, sample, AbortSignal.abort())
  await expect(connect(target)).rejects.toThrow()
  const last = await connect({ ...target, signal: AbortSignal.timeout(5000) })
  expect(last.destroyed).toBe(false)
  last.destroy()
})
