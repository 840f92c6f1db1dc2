import type { Simulator } from '@trellis/connector-kit/connector'
import { getSimulatorTime } from '@trellis/connector-kit/simulate'
import { answerConsent } from '../shared/consent-simulator.ts'
import { getBearerAccess } from '../shared/consent-tokens.ts'
import { pickCompanyName, createRandom, toEmail, pickFirstName, pickLastName } from '../shared/dice.ts'
import { getCreationTime, countUntil, jsonResponse, findLastChange } from '../shared/sample-time.ts'
import { HUBSPOT_CONSENT } from './oauth.ts'

const dice = createRandom('hubspot')
const FIRST_ID = 1001
const MAX_RESULTS = 10_000

interface Crm {
  readonly id: number
  readonly properties: Record<string, string | null>
  readonly createdAt: string
  readonly updatedAt: string
}

type Maker = (id: number, step: number) => Record<string, string | null>

const makeContact: Maker = (id, step) => {
  const [first, last] = [pickFirstName(dice, id), pickLastName(dice, id)]
  return {
    email: toEmail(first, last, id),
    firstname: first,
    lastname: last,
    phone: id % 4 === 0 ? null : `+49 30 ${100_000 + id}`,
    company: pickCompanyName(dice, id % 40),
    lifecyclestage: ['lead', 'opportunity', 'customer'][step] ?? 'lead',
    hs_lead_status: step === 0 ? 'NEW' : 'CONNECTED',
    hubspot_owner_id: String(1 + (id % 5)),
  }
}
const makeCompany: Maker = (id, step) => ({
  name: pickCompanyName(dice, id),
  domain: `${pickCompanyName(dice, id).toLowerCase()}.example`,
  industry: dice.pick(['RETAIL', 'COMPUTER_SOFTWARE', 'LOGISTICS'], 'industry', id),
  country: dice.pick(['Germany', 'France', 'Spain'], 'country', id),
  numberofemployees: id % 6 === 0 ? null : String(5 + dice.whole(500, 'people', id) + step),
  annualrevenue: id % 3 === 0 ? '' : `${dice.whole(9000, 'revenue', id)}000.50`,
  hubspot_owner_id: String(1 + (id % 5)),
})
const makeDeal: Maker = (id, step) => ({
  dealname: `${pickCompanyName(dice, id % 40)} deal ${id}`,
  dealstage: ['appointmentscheduled', 'contractsent', 'closedwon'][step] ?? 'closedwon',
  pipeline: 'default',
  amount: String(500 * (1 + dice.whole(60, 'amount', id))),
  closedate: step === 2 ? '2026-10-01T10:00:00Z' : null,
  hs_is_closed_won: String(step === 2),
  hubspot_owner_id: String(1 + (id % 5)),
})

interface Kind {
  readonly make: Maker
  readonly hours: number
  readonly changed: string
}
const KINDS: Readonly<Record<string, Kind>> = {
  contacts: { make: makeContact, hours: 8, changed: 'lastmodifieddate' },
  companies: { make: makeCompany, hours: 30, changed: 'hs_lastmodifieddate' },
  deals: { make: makeDeal, hours: 18, changed: 'hs_lastmodifieddate' },
}

interface Search {
  limit?: number
  after?: string
  filterGroups?: { filters: { propertyName: string; operator: string; value: string | number }[] }[]
}

const refuse = (status: number, category: string, message: string) =>
  jsonResponse({ status: 'error', category, message }, { status })

/** Tokens containing `wrong` are refused; those with `limited` may not read deals. */
function findRefusal(request: Request, name: string): Response | undefined {
  const token = request.headers.get('authorization') ?? ''
  const { state, holder } = getBearerAccess(request, getSimulatorTime(request))
  if (state !== 'good' || token.includes('wrong'))
    return refuse(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
  if (!Object.hasOwn(KINDS, name) || request.method !== 'POST')
    return refuse(404, 'OBJECT_NOT_FOUND', 'resource not found')
  if (holder === 'stranger' || (token.includes('limited') && name === 'deals'))
    return refuse(403, 'MISSING_SCOPES', 'This app has not been granted all required scopes.')
  return undefined
}

export function createHubspotSimulator(counts: Readonly<Record<string, number>> = {}): Simulator {
  return async (request) => {
    const consent = await answerConsent(request, HUBSPOT_CONSENT)
    if (consent) return consent
    const name = /^\/crm\/v3\/objects\/([a-z]+)\/search$/.exec(new URL(request.url).pathname)?.[1] ?? ''
    const kind = KINDS[name]
    const refusal = findRefusal(request, name)
    if (refusal || !kind) return refusal ?? refuse(404, 'OBJECT_NOT_FOUND', 'resource not found')
    const search = (await request.json()) as Search
    const { limit = 10, after = '0' } = search
    if (limit > 200 || Number(after) + limit > MAX_RESULTS) {
      return refuse(400, 'VALIDATION_ERROR', `paging.after and limit must stay within ${MAX_RESULTS}`)
    }
    const now = getSimulatorTime(request)
    const count = counts[name] ?? countUntil(now, kind.hours)
    const crms = findMatching(search, { kind, count, now }, Number(after) + limit)
    const results = crms
      .slice(Number(after), Number(after) + limit)
      .map((crm) => ({ ...crm, id: String(crm.id), archived: false }))
    const next = Number(after) + limit
    return jsonResponse({
      total: count,
      results,
      ...(crms.length > next ? { paging: { next: { after: String(next) } } } : {}),
    })
  }
}

export const hubspotSimulator = createHubspotSimulator()

function findMatching(
  search: Search,
  { kind, count, now }: { kind: Kind; count: number; now: Date },
  most: number,
): Crm[] {
  const filters = search.filterGroups?.flatMap((group) => group.filters) ?? []
  const above = filters.find(({ propertyName, operator }) => propertyName === 'hs_object_id' && operator === 'GT')
  const since = filters.find(({ propertyName, operator }) => propertyName === kind.changed && operator === 'GTE')
  const crms: Crm[] = []
  const start = Math.max(0, Number(above?.value ?? 0) - FIRST_ID + 1)
  for (let index = start; index < count && crms.length <= most; index += 1) {
    const born = getCreationTime(index, kind.hours)
    const { at, step } = findLastChange(
      born,
      [3 + dice.whole(9, 'soon', index), 20 + dice.whole(60, 'late', index)],
      now,
    )
    if (at < Number(since?.value ?? 0)) continue
    const id = FIRST_ID + index
    const [createdAt, updatedAt] = [new Date(born).toISOString(), new Date(at).toISOString()]
    crms.push({ id, properties: kind.make(id, step), createdAt, updatedAt })
  }
  return crms
}
