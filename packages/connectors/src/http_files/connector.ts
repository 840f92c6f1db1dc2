import { joinElements, defineConnector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { toRefusedAddressError } from '@trellis/connector-kit/http/refused-address'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { buildFileElements, readFileElements } from '../shared/files/file-forma.ts'
import { readFiles } from '../shared/files/read-files.ts'
import { findFiles } from './http-source.ts'
import { setupForma } from './setup-forma.ts'

const MAX_FILES = 100

const queryForma: Forma = {
  forma_trellis_code: 'http_files_query',
  title: 'What to read',
  sections: [
    {
      reference: 'query',
      order: 1,
      title: 'Files',
      is_required: true,
      elements: [
        {
          reference: 'files',
          order: 1,
          type: 'text',
          data_type: 'str',
          label: 'Files',
          is_optional: true,
          help: 'One in each line: a path behind the address of the connection, or a whole address. Empty when that address is a file itself.',
          properties: { is_multiline: true, placeholder: 'exports/orders.csv' },
        },
        ...buildFileElements(2),
      ],
    },
  ],
}

export const httpFiles = defineConnector({
  code: 'http_files',
  name: 'Files over HTTP',
  summary: 'Reads CSV, JSON lines, Excel and Parquet files from web addresses.',
  tags: ['source', 'files'],
  setupForma,
  hosts: {},
  secretsGoTo: joinElements('access.address'),
  check: async (context) => {
    const base = parseBaseUrl(context.values)
    const response = await context
      .fetch(base.href, { headers: headersFor(context, base), signal: context.signal })
      .catch((error: unknown) => {
        context.signal.throwIfAborted()
        const credentialsRefusedError = toRefusedAddressError(error, 'access.address')
        if (credentialsRefusedError) throw credentialsRefusedError
        throw new ConnectorError(
          'configuration',
          error instanceof Error ? error.message : 'The address does not answer.',
          {
            field: 'access.address',
            advice: 'Check the address.',
            cause: error,
          },
        )
      })
    await response.body?.cancel()
    if (response.status === 401 || response.status === 403) throw refusedCredentialsError(base, response.status)
    if (response.status >= 500)
      throw new ConnectorError('transient', `${base.host} could not answer just now (${response.status}).`)
    return [
      { label: 'Server', value: base.host },
      {
        label: 'Answer',
        value: response.ok ? 'The address answers' : `The host answers (${response.status} for the address itself)`,
      },
    ]
  },
  source: {
    queryFormas: [queryForma],
    buildQuery: (subtask) => ({ query: { files: subtask, format: 'auto', which: 'all' } }),
    read: async (context, request) => {
      const urls = listUrls(context.values, request.query)
      const files = await findFiles(context, urls, (url) => headersFor(context, url))
      return await readFiles(context, files, { request, reading: readFileElements(request.query) })
    },
  },
})

const refusedCredentialsError = ({ host }: URL, status: number) =>
  new ConnectorError('configuration', `${host} refused the credentials (${status}).`, {
    field: 'access.kind',
    advice: 'Enter user and password or the token again.',
  })

function parseBaseUrl(values: FormaValues): URL {
  const address = values['access']?.['address']
  const url = typeof address === 'string' ? URL.parse(address.trim()) : null
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url
  throw new ConnectorError('configuration', 'The address is not a web address.', {
    field: 'access.address',
    advice: 'Enter an address that begins with https://.',
  })
}

function listUrls(values: FormaValues, query: FormaValues): URL[] {
  const base = parseBaseUrl(values)
  const folder = new URL(base.pathname.endsWith('/') ? base : `${base.href.split(/[?#]/)[0]}/`)
  const given = query['query']?.['files']
  const lines = (typeof given === 'string' ? given : '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  if (lines.length === 0 && /\.[a-z0-9]{1,8}$/i.test(base.pathname)) return [base]
  if (lines.length === 0 || lines.length > MAX_FILES) {
    throw new ConnectorError(
      'configuration',
      lines.length === 0 ? 'No file is named.' : `At most ${MAX_FILES} files can be named.`,
      {
        field: 'query.files',
        advice: 'Name files, one in each line.',
      },
    )
  }
  return [...new Set(lines)].map((line) => {
    const url = URL.parse(line, folder)
    if (url && /^https?:$/.test(url.protocol)) return url
    throw new ConnectorError('configuration', `“${line}” is not a web address.`, { field: 'query.files' })
  })
}

/** Credentials are sent only to the host they were entered for. */
function headersFor({ values }: ConnectorContext, url: URL): Record<string, string> {
  if (url.origin !== parseBaseUrl(values).origin) return {}
  const { kind, user = '', password = '', token = '' } = (values['access'] ?? {}) as Record<string, string>
  if (kind === 'basic') return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  return kind === 'bearer' ? { authorization: `Bearer ${token}` } : {}
}
