import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import type pg from 'pg'
import type Stripe from 'stripe'

const TIMEOUT_MS = 10_000
const MAX_ATTEMPTS = 12
const FIRST_WAIT_SECONDS = 1
const MAX_WAIT_SECONDS = 600
const BATCH_SIZE = 20

/** The Stripe-Signature header: timestamp and HMAC over timestamp and raw body. */
function sign(payload: string, secret: string, seconds: number): string {
  const hash = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex')
  return `t=${seconds},v1=${hash}`
}

interface DeliveryRow {
  event_id: string
  endpoint_id: string
  attempts: number
  event: Stripe.Event
  endpoint: Stripe.WebhookEndpoint
}

export async function deliverDue(pool: pg.Pool): Promise<number> {
  // Postponing the next attempt claims the row, so that no second process sends it meanwhile.
  const { rows } = await pool.query<DeliveryRow>(
    `with due as (
       select event_id, endpoint_id from sandbox_deliveries
        where next_at <= now() order by next_at limit ${BATCH_SIZE} for update skip locked
     ), taken as (
       update sandbox_deliveries d set attempts = attempts + 1, next_at = now() + interval '30 seconds'
         from due where d.event_id = due.event_id and d.endpoint_id = due.endpoint_id
       returning d.event_id, d.endpoint_id, d.attempts
     )
     select taken.*, e.body as event, w.body as endpoint from taken
       join sandbox_objects e on e.id = taken.event_id
       join sandbox_objects w on w.id = taken.endpoint_id
      order by e.seq`,
  )
  await Promise.all(rows.map((row) => deliver(pool, row)))
  return rows.length
}

async function deliver(pool: pg.Pool, row: DeliveryRow): Promise<void> {
  const { event, endpoint } = row
  const isWanted = endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(event.type)
  const isOver = !isWanted || (await send(event, endpoint)) || row.attempts >= MAX_ATTEMPTS
  if (isOver) {
    await pool.query('delete from sandbox_deliveries where event_id = $1 and endpoint_id = $2', [
      row.event_id,
      row.endpoint_id,
    ])
    return
  }
  const wait = Math.min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (row.attempts - 1))
  await pool.query(
    'update sandbox_deliveries set next_at = now() + make_interval(secs => $3) where event_id = $1 and endpoint_id = $2',
    [row.event_id, row.endpoint_id, wait],
  )
}

async function send(event: Stripe.Event, endpoint: Stripe.WebhookEndpoint): Promise<boolean> {
  const payload = JSON.stringify(event)
  const signature = sign(payload, endpoint.secret ?? '', Math.floor(Date.now() / 1000))
  return await new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(payload),
      'stripe-signature': signature,
    }
    const sent = request(endpoint.url, { method: 'POST', headers, timeout: TIMEOUT_MS }, (response) => {
      response.resume()
      resolve(response.statusCode !== undefined && response.statusCode >= 200 && response.statusCode < 300)
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(false))
    sent.end(payload)
  })
}
