import type { Field, Value } from '@trellis/connector-kit/batch'
import { type Destination, joinElements, defineConnector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { readBatchRows } from '@trellis/connector-kit/copy-text'
import { call } from '@trellis/connector-kit/http/call'
import { setupForma, targetForma } from './formas.ts'

const MAX_ROWS = 1000

const destination: Destination = {
  queryFormas: [targetForma],
  strategies: ['Append'],
  open: async (context, { fields, loadId, query }) => {
    const asked = Number(query['target']?.['rows'] ?? MAX_ROWS)
    const most = Math.min(MAX_ROWS, Math.max(1, Math.floor(asked) || MAX_ROWS))
    let batchNumber = 0
    let rows = 0
    return {
      // The receiver deduplicates by the request's idempotency key; nothing is stored here.
      committedBatches: 0,
      write: async (batch) => {
        batchNumber += 1
        const all = readBatchRows(batch, fields)
        for (let from = 0; from < all.length; from += most) {
          const part = all.slice(from, from + most)
          const body = {
            event: 'rows',
            load_id: loadId,
            batch: batchNumber,
            part: from / most + 1,
            rows: part.map(createRowMapper(fields)),
          }
          await send(context, { body, key: `${loadId}-${batchNumber}-${from / most + 1}` })
        }
        rows += all.length
      },
      finish: async () => {
        await send(context, {
          body: { event: 'finished', load_id: loadId, batches: batchNumber, rows },
          key: `${loadId}-finished`,
        })
        return { rows }
      },
      abandon: async () => {
        await send(context, { body: { event: 'abandoned', load_id: loadId }, key: `${loadId}-abandoned` })
      },
    }
  },
}

const createRowMapper = (fields: readonly Field[]) => (row: readonly Value[]) =>
  Object.fromEntries(
    fields.map(({ name, type }, at) => [name, type === 'json' ? parseJson(row[at] ?? null) : (row[at] ?? null)]),
  )

function parseJson(value: Value): unknown {
  try {
    return typeof value === 'string' ? (JSON.parse(value) as unknown) : value
  } catch {
    return value
  }
}

interface Settings {
  readonly url: string
  readonly secret: string
  readonly token: string
}

function parseSettings({ values }: ConnectorContext): Settings {
  const { url, secret = '', token = '' } = (values['receiver'] ?? {}) as Record<string, string>
  const parsed = URL.parse(url?.trim() ?? '')
  if (parsed && /^https?:$/.test(parsed.protocol)) return { url: parsed.href, secret, token }
  throw new ConnectorError('configuration', 'The address is not a web address.', {
    field: 'receiver.url',
    advice: 'Enter an address that begins with https://.',
  })
}

async function send(context: ConnectorContext, { body, key }: { body: object; key: string }): Promise<void> {
  const { url, secret, token } = parseSettings(context)
  const text = JSON.stringify(body)
  const timestamp = Math.floor(context.now().getTime() / 1000)
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': key,
    ...(secret && { 'x-trellis-signature': `t=${timestamp},v1=${await sign(secret, `${timestamp}.${text}`)}` }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  await call(
    context,
    { url, method: 'POST', headers, body: text },
    { platform: new URL(url).host, secrets: [secret, token].filter(Boolean) },
  )
}

async function sign(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return Buffer.from(await crypto.subtle.sign('HMAC', key, encoder.encode(text))).toString('hex')
}

export const webhook = defineConnector({
  code: 'webhook',
  name: 'Webhook',
  summary: 'Sends rows as JSON to a web address of yours, signed.',
  tags: ['destination', 'api'],
  setupForma,
  hosts: {},
  secretsGoTo: joinElements('receiver.url'),
  check: async (context) => {
    await send(context, { body: { event: 'ping' }, key: `ping-${context.now().getTime()}` })
    return [{ label: 'Receiver', value: `${new URL(parseSettings(context).url).host} took a ping` }]
  },
  destination,
})
