import type { FastifyInstance } from 'fastify'

const SWEEP_MS = 50
const DRAIN_TIMEOUT_MS = 10_000

/**
 * A connection that is busy when the server begins to close, with a call or with a body that was refused unread, would be kept
 * alive afterwards and hold the server up until its keep-alive time is over.
 */
export function drainConnectionsOnClose(app: FastifyInstance, drainTimeoutMs = DRAIN_TIMEOUT_MS): void {
  let isClosing = false
  app.addHook('onSend', async (_request, reply, payload) => {
    if (isClosing) void reply.header('connection', 'close')
    return payload
  })
  app.addHook('preClose', async () => {
    isClosing = true
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
    const end = setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs)
    app.server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(end)
    })
  })
}
