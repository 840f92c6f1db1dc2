import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { call } from '@trellis/connector-kit/http/call'
import type { Answer, Verdict } from '@trellis/connector-kit/http/verdict'
import { parseGoogleProblem, classifyGoogleAnswer } from '../shared/google-answers.ts'
import { toText } from '../shared/list-texts.ts'
import { withSizeErrors } from '../shared/size-errors.ts'

const VERSION = 'v23'
/** Basic access allows 15,000 operations a day; without a pace, a first read uses them up in minutes. */
const BUDGET = { requests: 10, seconds: 1 }
const MAX_BYTES = 32 * 1024 * 1024

export interface SearchRow {
  readonly [part: string]: unknown
}

const SENTENCES: Readonly<Record<string, Verdict>> = {
  DEVELOPER_TOKEN_PARAMETER_MISSING: configurationFault(
    'account.developer_token',
    'Google Ads needs a developer token.',
    'Enter the one from the API Center of your manager account.',
  ),
  DEVELOPER_TOKEN_INVALID: configurationFault(
    'account.developer_token',
    'Google Ads does not know this developer token.',
    'Copy it again from the API Center of your manager account.',
  ),
  DEVELOPER_TOKEN_NOT_APPROVED: configurationFault(
    'account.developer_token',
    'This developer token is only approved for test accounts.',
    'Apply for basic access in the API Center, or connect a test account.',
  ),
  DEVELOPER_TOKEN_PROHIBITED: configurationFault(
    'account.developer_token',
    'This developer token belongs to another Google Cloud project.',
    'Use the client ID of the project the token was first used with.',
  ),
  USER_PERMISSION_DENIED: configurationFault(
    'account.login_customer_id',
    'The person who consented has no access to this Google Ads account.',
    'Enter the manager account through which the account is reached, or link as someone with access.',
  ),
  INVALID_LOGIN_CUSTOMER_ID: configurationFault(
    'account.login_customer_id',
    'The manager account is not one that Google Ads knows.',
    'Enter its ten digits without letters.',
  ),
  CUSTOMER_NOT_FOUND: configurationFault(
    'accounts.customers',
    'Google Ads has no account with this number.',
    'Choose another account.',
  ),
  NOT_ADS_USER: configurationFault(
    'consent.link',
    'The person who consented has no Google Ads account.',
    'Link as someone who uses Google Ads.',
  ),
  REQUESTED_METRICS_FOR_MANAGER: configurationFault(
    'accounts.customers',
    'A manager account has no numbers of its own.',
    'Choose the accounts below it.',
  ),
}

function configurationFault(field: string, message: string, advice: string): Verdict {
  return { kind: 'configuration', message, advice, field }
}

function classifyAnswer(answer: Answer): Verdict | undefined {
  const problem = parseGoogleProblem(answer)
  const knownVerdict = problem?.reasons.map((reason) => SENTENCES[reason]).find(Boolean)
  if (knownVerdict) return knownVerdict
  if (problem?.reasons.includes('RESOURCE_TEMPORARILY_EXHAUSTED')) {
    return { kind: 'rate_limited', message: 'Google Ads asks to slow down.', retryAfterMs: problem.retryAfterMs }
  }
  if (problem?.status === 'INVALID_ARGUMENT') {
    return configurationFault(
      'monacoGaql.editor',
      `Google Ads refused the query: ${queryMessage(answer) || problem.message}`,
      'Change the query as it says.',
    )
  }
  return classifyGoogleAnswer(answer, 'Google Ads API')
}

/** The first error about the query itself; the outer one only says that an argument is invalid. */
function queryMessage({ text }: Answer): string {
  const [, said = ''] = /"errorCode"[\s\S]{0,200}?"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text) ?? []
  return said.slice(0, 300).replaceAll(String.raw`\"`, '"')
}

const stripNonDigits = (text: unknown) => (typeof text === 'string' ? text.replaceAll(/\D/g, '') : '')

async function callApi(
  context: ConnectorContext,
  path: string,
  options: { login?: string; query?: string; isTrial?: true },
): Promise<unknown> {
  const token = toText(context.values['account']?.['developer_token'])
  const { login, query, isTrial } = options
  const answer = await call(
    withSizeErrors(context),
    {
      url: `${context.getHost('ads')}/${VERSION}/${path}`,
      method: query === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'developer-token': token,
        ...(login ? { 'login-customer-id': login } : {}),
        ...(query === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(query === undefined ? {} : { body: JSON.stringify({ query, ...(isTrial ? { validateOnly: true } : {}) }) }),
    },
    {
      platform: 'Google Ads',
      judge: classifyAnswer,
      budget: BUDGET,
      withToken: (access) => ({ authorization: `Bearer ${access}` }),
      secrets: [token],
      timeoutMs: 600_000,
      maxBytes: MAX_BYTES,
    },
  )
  return answer.json()
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly isManager: boolean
  readonly login: string
}

export async function search(
  context: ConnectorContext,
  account: Pick<Account, 'id' | 'login'>,
  query: string,
): Promise<SearchRow[]> {
  const answer = await callApi(context, `customers/${account.id}/googleAds:searchStream`, {
    login: account.login,
    query,
  })
  const parts = Array.isArray(answer) ? (answer as { results?: SearchRow[] }[]) : []
  return parts.flatMap(({ results }) => results ?? [])
}

export async function validate(
  context: ConnectorContext,
  { id, login }: Pick<Account, 'id' | 'login'>,
  query: string,
): Promise<void> {
  await callApi(context, `customers/${id}/googleAds:search`, { login, query, isTrial: true })
}

export async function listRootAccounts(context: ConnectorContext): Promise<string[]> {
  const login = stripNonDigits(context.values['account']?.['login_customer_id'])
  if (login !== '') return [login]
  const answer = (await callApi(context, 'customers:listAccessibleCustomers', {})) as { resourceNames?: string[] }
  return (answer.resourceNames ?? []).map((name) => name.slice(name.lastIndexOf('/') + 1))
}

const CLIENTS = `SELECT customer_client.id, customer_client.descriptive_name, customer_client.currency_code, customer_client.manager
FROM customer_client WHERE customer_client.status = 'ENABLED' AND customer_client.hidden = FALSE`

export async function listAccounts(context: ConnectorContext): Promise<Account[]> {
  const found = new Map<string, Account>()
  for (const login of await listRootAccounts(context)) {
    for (const row of await search(context, { id: login, login }, CLIENTS)) {
      const { id, descriptiveName, currencyCode, manager } = row['customerClient'] as Record<string, unknown>
      const key = String(id)
      if (found.has(key)) continue
      const name = typeof descriptiveName === 'string' && descriptiveName !== '' ? descriptiveName : key
      found.set(key, { id: key, name, currency: toText(currencyCode), isManager: manager === true, login })
    }
  }
  return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

export async function listAccountsToRead(context: ConnectorContext, chosen: readonly string[]): Promise<Account[]> {
  const all = (await listAccounts(context)).filter(({ isManager }) => !isManager)
  const wanted = chosen.map(stripNonDigits)
  const missing = wanted.find((id) => !all.some((account) => account.id === id))
  if (missing !== undefined) {
    throw new ConnectorError(
      'configuration',
      `The account ${missing} can no longer be reached, or is a manager account.`,
      {
        advice: 'Choose the accounts of this query again.',
        field: 'accounts.customers',
      },
    )
  }
  return wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id))
}
