import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { call } from '@trellis/connector-kit/http/call'
import type { Answer, Verdict } from '@trellis/connector-kit/http/verdict'
import { VERSION } from './formas.ts'
import { toText } from '../shared/list-texts.ts'

const BUDGET = { requests: 10, seconds: 1 }
const MAX_PAGES = 100_000
/** Percent of Meta's rate limit: slow down above the first, pause above the second. */
const BUSY = 75
const FULL = 95
const PAUSE_MS = 60_000

interface GraphError {
  readonly code: number
  readonly subcode: number
  readonly message: string
}

function graphError({ status, text }: Pick<Answer, 'status' | 'text'>): GraphError | null {
  if (status < 400) return null
  try {
    const { error } = JSON.parse(text) as {
      error?: { code?: number; error_subcode?: number; message?: string; error_user_msg?: string }
    }
    if (typeof error?.code !== 'number') return null
    const message = (error.error_user_msg ?? error.message ?? '').slice(0, 300)
    return { code: error.code, subcode: error.error_subcode ?? 0, message }
  } catch {
    return null
  }
}

const RATE_CODES = new Set([
  4, 17, 32, 341, 613, 80_000, 80_001, 80_002, 80_003, 80_004, 80_005, 80_006, 80_008, 80_009, 80_014,
])
const isTooMuch = ({ code, message }: GraphError): boolean =>
  (code === 1 || code === 100) && /reduce the amount of data|too much data|too many/i.test(message)

function classifyAnswer(answer: Answer): Verdict | undefined {
  const error = graphError(answer)
  if (!error) return undefined
  const { code, message } = error
  if (isTooMuch(error)) return { kind: 'ignore' }
  if (code === 190 || code === 102) return { kind: 'refresh_token' }
  if (RATE_CODES.has(code))
    return { kind: 'rate_limited', message: 'Meta asks to slow down.', retryAfterMs: getWaitMs(answer.headers) }
  if (code === 1 || code === 2) return { kind: 'transient', message: 'Meta could not answer just now.' }
  if (code === 10 || code === 3 || (code >= 200 && code < 300)) {
    return {
      kind: 'configuration',
      message: 'The person or system user has not the right to read this ad account.',
      advice: 'Give it access to the ad account in the business settings and the permission ads_read, then link again.',
      field: 'accounts.accounts',
    }
  }
  return {
    kind: 'configuration',
    message: `Meta refused the request: ${message}`,
    advice: 'Change the report as it says.',
    field: 'report.metrics',
  }
}

type Usage = {
  call_count?: number
  total_cputime?: number
  total_time?: number
  estimated_time_to_regain_access?: number
}

function usagesIn(headers: Headers): Usage[] {
  const read = (name: string): unknown => {
    try {
      return JSON.parse(headers.get(name) ?? 'null') as unknown
    } catch {
      return null
    }
  }
  const cases = Object.values((read('x-business-use-case-usage') ?? {}) as Record<string, Usage[]>).flat()
  const throttle = (read('x-fb-ads-insights-throttle') ?? {}) as { app_id_util_pct?: number; acc_id_util_pct?: number }
  return [
    ...cases,
    (read('x-app-usage') ?? {}) as Usage,
    { call_count: Math.max(throttle.app_id_util_pct ?? 0, throttle.acc_id_util_pct ?? 0) },
  ]
}

function getWaitMs(headers: Headers): number {
  const minutes = Math.max(0, ...usagesIn(headers).map((usage) => usage.estimated_time_to_regain_access ?? 0))
  return minutes > 0 ? minutes * 60_000 : PAUSE_MS
}

/** Each response reports the rate limit's usage: slowing down early avoids being blocked. */
async function slowDownIfBusy(context: ConnectorContext, headers: Headers): Promise<void> {
  const used = Math.max(
    0,
    ...usagesIn(headers).flatMap(({ call_count = 0, total_cputime = 0, total_time = 0 }) => [
      call_count,
      total_cputime,
      total_time,
    ]),
  )
  if (used < BUSY) return
  const pause = used >= FULL ? getWaitMs(headers) : Math.round((PAUSE_MS * (used - BUSY + 5)) / 100)
  context.log('DEBUG', `${used} % of Meta's limit is used: resting ${Math.ceil(pause / 1000)} s.`)
  await context.budget.pauseUntil(context.now().getTime() + pause)
}

export type GraphAnswer = Record<string, unknown>

interface GraphRequest {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

/** Null if Meta says that the request asks for too much data. */
export async function callGraph(
  context: ConnectorContext,
  { path, query = {}, form }: GraphRequest,
): Promise<GraphAnswer | null> {
  const search = new URLSearchParams(query).toString()
  const answer = await call(
    context,
    {
      url: `${context.getHost('graph')}/${VERSION}/${path}${search === '' ? '' : `?${search}`}`,
      method: form ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
      ...(form ? { body: new URLSearchParams(form).toString() } : {}),
    },
    {
      platform: 'Meta',
      judge: classifyAnswer,
      budget: BUDGET,
      withToken: (token) => ({ authorization: `Bearer ${token}` }),
      timeoutMs: 120_000,
    },
  )
  await slowDownIfBusy(context, answer.headers)
  return answer.isIgnored ? null : (answer.json() as GraphAnswer)
}

export interface GraphPage {
  readonly records: readonly GraphAnswer[]
  readonly after: string | null
}

export async function* readPages(
  context: ConnectorContext,
  request: GraphRequest,
  start: { after?: string | undefined; size: number },
): AsyncGenerator<GraphPage> {
  let { after, size } = start
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...request.query, limit: String(size), ...(after === undefined ? {} : { after }) }
    const answer = await callGraph(context, { ...request, query })
    if (answer === null) {
      if (size <= 1)
        throw new ConnectorError('configuration', 'Meta finds even a single record too much.', {
          advice: 'Choose fewer numbers or breakdowns.',
        })
      size = Math.floor(size / 2)
      continue
    }
    const { data, paging } = answer as {
      data?: GraphAnswer[]
      paging?: { cursors?: { after?: string }; next?: string }
    }
    const next = paging?.next === undefined ? null : (paging.cursors?.after ?? null)
    yield { records: data ?? [], after: next }
    if (next === null) return
    after = next
  }
}

export interface AdAccount {
  readonly id: string
  readonly name: string
  readonly currency: string
}

export async function listAccounts(context: ConnectorContext): Promise<AdAccount[]> {
  const adAccounts: AdAccount[] = []
  const request = { path: 'me/adaccounts', query: { fields: 'account_id,name,currency' } }
  for await (const { records } of readPages(context, request, { size: 100 })) {
    for (const { account_id, name, currency } of records) {
      adAccounts.push({ id: toText(account_id), name: toText(name) || toText(account_id), currency: toText(currency) })
    }
  }
  return adAccounts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

export async function listAccountsToRead(context: ConnectorContext, chosen: readonly string[]): Promise<string[]> {
  const all = (await listAccounts(context)).map(({ id }) => id)
  const wanted = chosen.map((item) => item.replace(/^act_/, ''))
  const missing = wanted.find((id) => !all.includes(id))
  if (missing === undefined && all.length > 0) return wanted.length === 0 ? all : wanted
  const message =
    all.length === 0
      ? 'The person or system user sees no ad account.'
      : `The ad account ${missing} can no longer be reached.`
  throw new ConnectorError('configuration', message, {
    advice: 'Give access to the ad account in the business settings of Meta, or choose another one.',
    field: 'accounts.accounts',
  })
}
