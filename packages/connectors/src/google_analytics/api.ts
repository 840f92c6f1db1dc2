import type { ConnectorContext } from '@trellis/connector-kit/context'
import { call } from '@trellis/connector-kit/http/call'
import type { Answer, Verdict } from '@trellis/connector-kit/http/verdict'
import { parseGoogleProblem, classifyGoogleAnswer } from '../shared/google-answers.ts'
import { withSizeErrors } from '../shared/size-errors.ts'

const BUDGET = { requests: 10, seconds: 1 }
const HOUR_MS = 3_600_000
const MAX_PAGES = 50

export interface Property {
  readonly id: string
  readonly name: string
  readonly account: string
}

export interface Report {
  readonly rows?: readonly { dimensionValues?: { value?: string }[]; metricValues?: { value?: string }[] }[]
  readonly rowCount?: number
  readonly propertyQuota?: { tokensPerDay?: { remaining?: number }; tokensPerHour?: { remaining?: number } }
}

export interface Metadata {
  readonly dimensions?: readonly { apiName: string; uiName?: string; customDefinition?: boolean }[]
  readonly metrics?: readonly { apiName: string; uiName?: string; type?: string }[]
}

function createClassifier(now: () => Date): (answer: Answer) => Verdict | undefined {
  return (answer) => {
    const problem = parseGoogleProblem(answer)
    if (problem?.status === 'RESOURCE_EXHAUSTED') {
      return {
        kind: 'rate_limited',
        message: `Google Analytics: ${problem.message}`,
        retryAfterMs: quotaWait(problem.message, now()),
      }
    }
    const common = classifyGoogleAnswer(answer, 'Google Analytics Data API')
    if (common) return common
    if (problem?.status === 'PERMISSION_DENIED') {
      return {
        kind: 'configuration',
        message: 'The person who consented may not see this Google Analytics property.',
        advice: 'Give that person the role Viewer on the property, or choose another property.',
        field: 'property.property',
      }
    }
    if (problem?.status !== 'INVALID_ARGUMENT') return undefined
    return {
      kind: 'configuration',
      message: `Google Analytics refused the report: ${problem.message}`,
      advice: 'Take out the dimension or metric it names, or one that does not go with the others.',
      field: 'report.dimensions',
    }
  }
}

/** Hourly and daily quotas reset with the next hour or day; others within seconds. */
function quotaWait(message: string, now: Date): number | undefined {
  if (/per hour/i.test(message)) return HOUR_MS - (now.getTime() % HOUR_MS)
  return /per day/i.test(message) ? 24 * HOUR_MS - (now.getTime() % (24 * HOUR_MS)) : undefined
}

async function callApi(
  context: ConnectorContext,
  { host, path, body }: { host: 'data' | 'admin'; path: string; body?: unknown },
): Promise<unknown> {
  const answer = await call(
    withSizeErrors(context),
    {
      url: `${context.getHost(host)}${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    {
      platform: 'Google Analytics',
      judge: createClassifier(context.now),
      budget: BUDGET,
      withToken: (token) => ({ authorization: `Bearer ${token}` }),
      timeoutMs: 180_000,
      maxBytes: 48 * 1024 * 1024,
    },
  )
  return answer.json()
}

export const runReport = (context: ConnectorContext, property: string, body: unknown): Promise<Report> =>
  callApi(context, { host: 'data', path: `/v1beta/properties/${property}:runReport`, body }) as Promise<Report>

/** Property 0 has what all properties have in common. */
export const readMetadata = (context: ConnectorContext, property: string): Promise<Metadata> =>
  callApi(context, { host: 'data', path: `/v1beta/properties/${property}/metadata` }) as Promise<Metadata>

interface Summaries {
  accountSummaries?: { displayName?: string; propertySummaries?: { property: string; displayName?: string }[] }[]
  nextPageToken?: string
}

export async function listProperties(context: ConnectorContext): Promise<Property[]> {
  const properties: Property[] = []
  let token = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const path = `/v1beta/accountSummaries?pageSize=200${token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`}`
    const { accountSummaries = [], nextPageToken = '' } = (await callApi(context, { host: 'admin', path })) as Summaries
    for (const { displayName = '', propertySummaries = [] } of accountSummaries) {
      for (const { property, displayName: name = property } of propertySummaries) {
        properties.push({ id: property.slice(property.lastIndexOf('/') + 1), name, account: displayName })
      }
    }
    if (nextPageToken === '') break
    token = nextPageToken
  }
  return properties
}

export async function listKeyEvents(context: ConnectorContext, property: string): Promise<string[]> {
  const path = `/v1beta/properties/${property}/keyEvents?pageSize=200`
  const { keyEvents = [] } = (await callApi(context, { host: 'admin', path })) as {
    keyEvents?: { eventName: string }[]
  }
  return keyEvents.map(({ eventName }) => eventName)
}
