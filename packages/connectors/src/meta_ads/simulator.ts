import type { Simulator } from '@trellis/connector-kit/connector'
import { toSimulatorUrl, getSimulatorTime } from '@trellis/connector-kit/simulate'
import { answerConsent } from '../shared/consent-simulator.ts'
import type { ConsentRules } from '../shared/consent-simulator.ts'
import { getBearerAccess } from '../shared/consent-tokens.ts'
import { toDay, countDays } from '../shared/day-windows.ts'
import { jsonAnswer } from '../shared/hash-values.ts'
import { ENTITIES } from './catalogue.ts'
import { oauth } from './formas.ts'
import type { Records, SimulatedReport } from './simulator-data.ts'
import { ACCOUNTS, LARGE, listEntities, findRecords, reportRows } from './simulator-data.ts'

const META_CONSENT: ConsentRules = {
  provider: 'Meta',
  authorizePath: oauth.authorize.path,
  tokenPath: oauth.token.path,
  accessSeconds: 60 * 86_400,
  longLived: { grant: 'fb_exchange_token', parameter: 'fb_exchange_token', shortSeconds: 2 * 3600 },
  hasRefresh: false,
  refusal: (error, message) => ({
    error: { message, type: 'OAuthException', code: 100, error, fbtrace_id: 'simulated' },
  }),
}
const RECORDS_A_PAGE = 100
const DAYS_TOO_MUCH = 7
const NUMBER = 'run-'

const fail = (status: number, code: number, message: string) =>
  jsonAnswer({ error: { message, type: 'OAuthException', code, fbtrace_id: 'simulated' } }, status)

export const simulator: Simulator = async (request, host) => {
  const consent = await answerConsent(request, META_CONSENT)
  if (consent) return consent
  if (host !== 'graph') return fail(404, 100, 'Unknown path components.')
  const access = getBearerAccess(request, getSimulatorTime(request))
  if (access.state === 'missing') return fail(400, 104, 'An access token is required to request this resource.')
  if (access.state !== 'good') return fail(400, 190, 'Error validating access token: the session has expired.')
  const url = new URL(request.url)
  const path = url.pathname.replace(/^\/v\d+\.\d+\//, '')
  if (path === 'me/adaccounts') return accountsPage(request, url, access.holder === 'stranger')
  if (access.holder === 'stranger')
    return fail(403, 200, '(#200) Ad account owner has NOT granted ads_management or ads_read permission.')
  if (path.startsWith(NUMBER)) return getReportRun(request, path, url)
  const [, account = '', edge = ''] = /^act_(\d+)\/(\w+)$/.exec(path) ?? []
  if (!ACCOUNTS.some(({ id }) => id === account))
    return fail(400, 100, 'Unsupported get request. Object does not exist or cannot be loaded.')
  if (edge === 'insights' && request.method === 'POST') return createReportRun(request, account)
  return edge in ENTITIES
    ? page(request, url, { records: findRecords(listEntities(account, edge as keyof typeof ENTITIES)), most: 10 })
    : fail(400, 100, `Unknown path components: /${edge}`)
}

function accountsPage(request: Request, url: URL, isStranger: boolean): Response {
  const records = isStranger
    ? []
    : ACCOUNTS.map(({ id, name, currency }) => ({ id: `act_${id}`, account_id: id, name, currency }))
  return page(request, url, { records: findRecords(records), most: 2 })
}

async function createReportRun(request: Request, account: string): Promise<Response> {
  const form = new URLSearchParams(await request.text())
  const { since, until } = JSON.parse(form.get('time_range') ?? '{}') as { since?: string; until?: string }
  if (since === undefined || until === undefined)
    return fail(400, 100, '(#100) time_range must be an object with since and until.')
  if (account === LARGE && countDays(since, until) >= DAYS_TOO_MUCH) {
    return fail(500, 1, "Please reduce the amount of data you're asking for, then retry your request")
  }
  const filtering = JSON.parse(form.get('filtering') ?? '[]') as { value?: string[] }[]
  const run: SimulatedReport = {
    account,
    level: form.get('level') ?? 'account',
    fields: (form.get('fields') ?? '').split(','),
    breakdowns: (form.get('breakdowns') ?? '').split(',').filter(Boolean),
    since,
    until,
    campaigns: filtering[0]?.value ?? null,
  }
  return jsonAnswer(
    { report_run_id: `${NUMBER}${encodeURIComponent(btoa(JSON.stringify(run)))}` },
    200,
    toUsageHeaders(account),
  )
}

function runIn(path: string): SimulatedReport | null {
  try {
    return JSON.parse(
      atob(decodeURIComponent(decodeURIComponent(path.slice(NUMBER.length).split('/')[0] ?? ''))),
    ) as SimulatedReport
  } catch {
    return null
  }
}

function getReportRun(request: Request, path: string, url: URL): Response {
  const run = runIn(path)
  if (!run) return fail(400, 100, 'Unsupported get request. Object does not exist or cannot be loaded.')
  if (path.endsWith('/insights')) {
    const records = reportRows(run, toDay(getSimulatorTime(request)))
    return page(request, url, { records, most: RECORDS_A_PAGE, account: run.account })
  }
  return jsonAnswer(
    { id: path, async_status: 'Job Completed', async_percent_completion: 100 },
    200,
    toUsageHeaders(run.account),
  )
}

interface Listing {
  readonly records: Records
  /** Below the API's limit, so that paging is tested. */
  readonly most: number
  readonly account?: string
}

function page(request: Request, url: URL, { records, most, account = '' }: Listing): Response {
  const start = Number(atob(url.searchParams.get('after') ?? '') || 0)
  const size = Math.min(most, Number(url.searchParams.get('limit') ?? 25))
  const end = start + size
  const after = btoa(String(end))
  const next = new URL(url)
  next.searchParams.set('after', after)
  return jsonAnswer(
    {
      data: records.between(start, end),
      paging: {
        cursors: { before: btoa(String(start)), after },
        ...(end < records.length ? { next: toSimulatorUrl(request, `${next.pathname}${next.search}`) } : {}),
      },
    },
    200,
    account === '' ? {} : toUsageHeaders(account),
  )
}

/** The large account is always close to its rate limit. */
function toUsageHeaders(account: string): Record<string, string> {
  const used = account === LARGE ? 80 : 12
  return {
    'x-business-use-case-usage': JSON.stringify({
      [account]: [
        { type: 'ads_insights', call_count: used, total_cputime: 5, total_time: 7, estimated_time_to_regain_access: 0 },
      ],
    }),
    'x-fb-ads-insights-throttle': JSON.stringify({ app_id_util_pct: 1, acc_id_util_pct: used }),
  }
}
