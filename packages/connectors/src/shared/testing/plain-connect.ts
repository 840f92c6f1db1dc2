import { connect } from 'node:net'
import type { ConnectorContext } from '@trellis/connector-kit/context'

/** Without the SSRF guard. */
export const plainConnect: ConnectorContext['connect'] = ({ host, port }) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
