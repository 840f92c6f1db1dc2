import { joinElements } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import * as z from 'zod/mini'

export interface Connection {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: 'disable' | 'require' | 'verify-full'
  readonly certificate?: string | undefined
}

export function buildConnectionForma(about: { code: string; title: string; port: number }): Forma {
  return {
    forma_trellis_code: `${about.code}_setup`,
    title: about.title,
    sections: [
      {
        reference: 'connection',
        order: 1,
        title: 'Connection',
        is_required: true,
        elements: [
          {
            reference: 'host',
            order: 1,
            type: 'text',
            data_type: 'str',
            label: 'Host',
            properties: {
              placeholder: 'db.example.com',
              max_length: 255,
              pattern: '^[^\\s/@]+$',
              pattern_message: 'Enter the host alone, without user, port or path.',
            },
          },
          {
            reference: 'port',
            order: 2,
            type: 'number',
            data_type: 'int',
            label: 'Port',
            default: about.port,
            properties: { min: 1, max: 65_535, is_integer: true },
          },
          {
            reference: 'database',
            order: 3,
            type: 'text',
            data_type: 'str',
            label: 'Database',
            properties: { max_length: 63 },
          },
          {
            reference: 'user',
            order: 4,
            type: 'text',
            data_type: 'str',
            label: 'User',
            properties: { max_length: 80 },
          },
          { reference: 'password', order: 5, type: 'secret', data_type: 'str', label: 'Password', properties: {} },
          {
            reference: 'tls',
            order: 6,
            type: 'select',
            data_type: 'str',
            label: 'Encryption',
            default: 'require',
            properties: {
              options: [
                { value: 'require', label: 'Encrypted' },
                { value: 'verify-full', label: 'Encrypted, certificate and host name checked' },
                { value: 'disable', label: 'Not encrypted' },
              ],
            },
          },
          {
            reference: 'certificate',
            order: 7,
            type: 'text',
            data_type: 'str',
            is_optional: true,
            label: 'Certificate of the authority',
            help: 'Only where the server’s certificate is not signed by a public authority.',
            shown_when: { section: 'connection', element: 'tls', values: ['verify-full'] },
            properties: { is_multiline: true, max_length: 100_000, placeholder: '-----BEGIN CERTIFICATE-----' },
          },
        ],
      },
    ],
  }
}

/** TLS settings are part of the address: weaker encryption could reveal the password to a man in the middle. */
export const connectionAddress = joinElements(
  'connection.host',
  'connection.port',
  'connection.tls',
  'connection.certificate',
)

const Values = z.object({
  host: z.string().check(z.trim(), z.minLength(1)),
  port: z.int(),
  database: z.string().check(z.minLength(1)),
  user: z.string().check(z.minLength(1)),
  password: z._default(z.string(), ''),
  tls: z._default(z.enum(['disable', 'require', 'verify-full']), 'require'),
  certificate: z.optional(z.string()),
})

export function readConnection(values: FormaValues): Connection {
  const given = z.safeParse(Values, values['connection'] ?? {})
  if (given.success) return { ...given.data, certificate: given.data.certificate?.trim() || undefined }
  throw new ConnectorError('configuration', 'The connection is not complete.', {
    field: `connection.${String(given.error.issues[0]?.path[0] ?? 'host')}`,
    advice: 'Fill in host, port, database, user and password.',
  })
}
