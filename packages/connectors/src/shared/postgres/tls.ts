import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { assertPostgres } from '../other-protocol.ts'

interface Trust {
  readonly host: string
  readonly certificate?: string | undefined
  readonly identity?: { readonly certificate: string; readonly key: string } | undefined
}

export type TlsMode = 'disable' | 'require' | 'verify-full'

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** Requests TLS first and never falls back to plain text. */
export async function startTls(
  socket: Duplex,
  { mode, ...trust }: Trust & { mode: Exclude<TlsMode, 'disable'> },
): Promise<Duplex> {
  const answer = await readAnswer(socket)
  assertPostgres(answer)
  // Extra bytes were injected by a man in the middle, to pass as encrypted data.
  if (answer.toString('latin1') !== 'S') {
    socket.destroy()
    throw new ConnectorError('configuration', 'The server does not offer encrypted connections.', {
      advice: 'Have TLS turned on at the server, or choose “Not encrypted” if the way to it is safe.',
      field: 'connection.tls',
    })
  }
  return await encrypt(socket, { ...trust, isVerified: mode === 'verify-full' })
}

async function readAnswer(socket: Duplex): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const lost = () => reject(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }))
    const end = () => {
      socket.off('readable', read)
      socket.off('error', reject)
      socket.off('close', lost)
    }
    const read = () => {
      const bytes = socket.read() as Buffer | null
      if (!bytes) return
      end()
      resolve(bytes)
    }
    socket.on('readable', read)
    socket.once('error', reject)
    socket.once('close', lost)
    socket.write(SSL_REQUEST)
  })
}

async function encrypt(
  socket: Duplex,
  { host, certificate, identity, isVerified }: Trust & { isVerified: boolean },
): Promise<Duplex> {
  const secure = connect({
    socket,
    host,
    rejectUnauthorized: isVerified,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 && { servername: host }),
    ...(certificate && { ca: certificate }),
    ...(identity && { cert: identity.certificate, key: identity.key }),
  })
  return await new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy()
      reject(isVerified ? untrustedCertificateError(error) : error)
    }
    secure.once('error', fail)
    secure.once('secureConnect', () => {
      secure.off('error', fail)
      resolve(secure)
    })
  })
}

function untrustedCertificateError(error: Error): Error {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (!/CERT|SELF_SIGNED|ISSUER|ALTNAME|LEAF/.test(code)) return error
  const isOtherName = code === 'ERR_TLS_CERT_ALTNAME_INVALID'
  return new ConnectorError(
    'configuration',
    isOtherName
      ? 'The certificate of the server was made for another host name.'
      : 'The certificate of the server is not signed by anyone trusted here.',
    {
      advice: isOtherName
        ? 'Use the host name of the certificate.'
        : 'Enter the certificate of the authority that signed it, or choose “Encrypted”.',
      field: isOtherName ? 'connection.host' : 'connection.certificate',
      cause: error,
    },
  )
}
