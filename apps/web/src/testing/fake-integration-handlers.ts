import type { FormaValues } from '@trellis/contract/formas/forma'
import { isFormaComplete } from '@trellis/contract/formas/forma-rules'
import { daysFromNow } from './fake-company.ts'
import { FakeError } from './fake-error.ts'
import type { Handler, Input } from './fake-handler.ts'
import { fakeIntegration, NO_CHECK, WORKS, type FakeIntegration } from './fake-integrations.ts'
import type { FakeWorld } from './fake-world.ts'

function ofCode(world: FakeWorld, { params }: Input, name = 'integration_trellis_code'): FakeIntegration {
  const found = world.integrations.list.find((one) => one.integration_trellis_code === params[name])
  if (!found) throw new FakeError('not_found')
  return found
}

function getPlatform(world: FakeWorld, code: string | undefined) {
  const found = world.integrations.platforms.find((one) => one.platform_trellis_code === code)
  if (!found) throw new FakeError('not_found')
  return found
}

function keepValues(world: FakeWorld, one: FakeIntegration, sent: FormaValues): void {
  one.values = structuredClone(sent)
  for (const section of one.forma.sections) {
    for (const element of section.elements) {
      const text = one.values[section.reference]?.[element.reference]
      if (element.type !== 'secret' || typeof text !== 'string') continue
      const name = `${section.reference}.${element.reference}`
      delete one.values[section.reference]?.[element.reference]
      world.integrations.secrets[`${one.integration_trellis_code} ${name}`] = text
      one.secrets_set = [...new Set([...one.secrets_set, name])]
    }
  }
}

function startCheck(world: FakeWorld, one: FakeIntegration): void {
  const today = daysFromNow(0).slice(0, 10)
  const isComplete = isFormaComplete(one.forma, one.values, { today, secretsSet: one.secrets_set })
  if (!isComplete || (one.oauth && !one.oauth.is_linked)) return
  one.state = 'VALIDATING'
  one.check = { ...NO_CHECK, status: 'VALIDATING', state: 'VALIDATING', started_at: daysFromNow(0) }
  one.patience = world.integrations.patience
}

function endCheck(world: FakeWorld, one: FakeIntegration): void {
  const problem = world.integrations.nextProblem
  one.state = problem ? 'ERROR' : 'ACTIVE'
  one.problem = problem
  one.validation = problem ? 'COMPLETED_ERROR' : 'COMPLETED_SUCCESS'
  one.check = { ...WORKS, status: one.validation, state: one.state, problem, finished_at: new Date().toISOString() }
  if (problem) one.check.found = []
}

function describe(world: FakeWorld, one: FakeIntegration) {
  const settings = one.forma.sections.flatMap((section) =>
    section.elements.flatMap((element) => {
      const value = one.values[section.reference]?.[element.reference]
      return typeof value === 'string' || typeof value === 'number'
        ? [{ label: element.label, value: String(value) }]
        : []
    }),
  )
  const secrets_set = one.forma.sections.flatMap((section) =>
    section.elements
      .filter((element) => one.secrets_set.includes(`${section.reference}.${element.reference}`))
      .map(({ label }) => label),
  )
  return { ...one, documentation: getPlatform(world, one.platform_trellis_code).documentation, settings, secrets_set }
}

export const integrationHandlers: Record<string, Handler> = {
  listPlatforms: (world) => world.integrations.platforms,
  getPlatform: (world, { params }) => getPlatform(world, params['platform_trellis_code']),
  getSetupForma: (world, { params }) => {
    const platform = getPlatform(world, params['platform_trellis_code'])
    return { platform, forma: world.integrations.formas[platform.platform_trellis_code] }
  },
  listIntegrations: (world) => world.integrations.list,
  createIntegration: (world, { body }) => {
    const sent = body as { platform_trellis_code: string; name: string; values: FormaValues; is_simulated?: boolean }
    const platform = getPlatform(world, sent.platform_trellis_code)
    const one = fakeIntegration({
      integration_trellis_code: `i-new-${world.integrations.list.length}`,
      platform_trellis_code: sent.platform_trellis_code,
      name: sent.name,
      is_simulated: sent.is_simulated === true,
      state: 'SETUP',
      validation: null,
      validated_at: null,
      secrets_set: [],
      version: 1,
      check: NO_CHECK,
      oauth: platform.oauth && { is_linked: false, linked_as: null, linked_at: null, expires_at: null },
    })
    keepValues(world, one, sent.values)
    startCheck(world, one)
    world.integrations.list.push(one)
    return one
  },
  getIntegration: (world, input) => ofCode(world, input),
  updateIntegration: (world, input) => {
    const one = ofCode(world, input)
    const { version, values, ...rest } = input.body as { version: number; values?: FormaValues; name?: string }
    if (version !== one.version) throw new FakeError('conflict')
    const refusal = world.integrations.nextRefusal
    world.integrations.nextRefusal = null
    if (refusal)
      throw new FakeError('invalid_request', { detail: refusal.detail, source: { pointer: refusal.pointer } })
    Object.assign(one, rest, { version: version + 1 })
    if (values) keepValues(world, one, values)
    startCheck(world, one)
    return one
  },
  deleteIntegration: (world, input) => {
    const one = ofCode(world, input)
    const [user] = one.used_by
    if (user) throw new FakeError('integration_in_use', { detail: `${user.name} still uses this connection.` })
    world.integrations.list = world.integrations.list.filter((other) => other !== one)
    return { done: true }
  },
  linkIntegration: (_world, { body }) => {
    const { integration_trellis_code } = body as { integration_trellis_code: string }
    return { url: `/simulators/google_ads/oauth/consent?state=${integration_trellis_code}` }
  },
  describeIntegration: (world, input) => describe(world, ofCode(world, input)),
  getPostgresSchema: () => ({
    schemas: [
      {
        name: 'public',
        is_cut: false,
        tables: [
          { name: 'customers', kind: 'table', rows: 812 },
          { name: 'orders', kind: 'table', rows: 120_400 },
          { name: 'orders_by_day', kind: 'view', rows: null },
        ],
      },
      { name: 'archive', is_cut: false, tables: [] },
    ],
  }),
  validateIntegration: (world, input) => {
    const one = ofCode(world, input)
    startCheck(world, one)
    return one.check
  },
  getValidationStatus: (world, input) => {
    const one = ofCode(world, input)
    if (one.check.status === 'VALIDATING') {
      one.patience -= 1
      if (one.patience < 0) endCheck(world, one)
    }
    return one.check
  },
  listIntegrationOptions: () => [
    { value: 'country', label: 'Country' },
    { value: 'device', label: 'Device' },
  ],
  previewSource: (world) => world.integrations.preview,
  tryRestSource: (world) => world.integrations.trial,
  getSourceFormas: (world, input) => {
    const one = ofCode(world, input, 'id')
    return {
      integration_trellis_code: one.integration_trellis_code,
      platform_trellis_code: one.platform_trellis_code,
      formas: world.integrations.queryFormas[one.platform_trellis_code] ?? [],
    }
  },
  validateGaql: (_world, { body }) => {
    const { query } = body as { query: string }
    return /\bfrom\b/i.test(query)
      ? { did_succeed: true, message: 'The query is valid.' }
      : { did_succeed: false, message: 'Line 1, column 1: FROM is missing.' }
  },
}
