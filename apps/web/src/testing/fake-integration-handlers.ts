import type { FormaValues } from '@trellis/contract/formas/forma'
import { isFormaComplete } from '@trellis/contract/formas/forma-rules'
import { daysFromNow } from './fake-company.ts'
import { FakeError } from './fake-error.ts'
import type { Handler, Input } from './fake-handler.ts'
import { fakeIntegration, NO_CHECK, WORKS, type FakeIntegration } from './fake-integrations.ts'
import type { FakeWorld } from './fake-world.ts'

function ofCode(world: FakeWorld, { params }: Input, name = 'integration_trellis_code'): FakeIntegration {
  const integration = world.integrations.list.find((candidate) => candidate.integration_trellis_code === params[name])
  if (!integration) throw new FakeError('not_found')
  return integration
}

function getPlatform(world: FakeWorld, code: string | undefined) {
  const platform = world.integrations.platforms.find((candidate) => candidate.platform_trellis_code === code)
  if (!platform) throw new FakeError('not_found')
  return platform
}

function keepValues(world: FakeWorld, integration: FakeIntegration, sent: FormaValues): void {
  integration.values = structuredClone(sent)
  for (const section of integration.forma.sections) {
    for (const element of section.elements) {
      const text = integration.values[section.reference]?.[element.reference]
      if (element.type !== 'secret' || typeof text !== 'string') continue
      const name = `${section.reference}.${element.reference}`
      delete integration.values[section.reference]?.[element.reference]
      world.integrations.secrets[`${integration.integration_trellis_code} ${name}`] = text
      integration.secrets_set = [...new Set([...integration.secrets_set, name])]
    }
  }
}

function startCheck(world: FakeWorld, integration: FakeIntegration): void {
  const today = daysFromNow(0).slice(0, 10)
  const isComplete = isFormaComplete(integration.forma, integration.values, {
    today,
    secretsSet: integration.secrets_set,
  })
  if (!isComplete || (integration.oauth && !integration.oauth.is_linked)) return
  integration.state = 'VALIDATING'
  integration.check = { ...NO_CHECK, status: 'VALIDATING', state: 'VALIDATING', started_at: daysFromNow(0) }
  integration.patience = world.integrations.patience
}

function endCheck(world: FakeWorld, integration: FakeIntegration): void {
  const problem = world.integrations.nextProblem
  integration.state = problem ? 'ERROR' : 'ACTIVE'
  integration.problem = problem
  integration.validation = problem ? 'COMPLETED_ERROR' : 'COMPLETED_SUCCESS'
  integration.check = {
    ...WORKS,
    status: integration.validation,
    state: integration.state,
    problem,
    finished_at: new Date().toISOString(),
  }
  if (problem) integration.check.found = []
}

function describe(world: FakeWorld, integration: FakeIntegration) {
  const settings = integration.forma.sections.flatMap((section) =>
    section.elements.flatMap((element) => {
      const value = integration.values[section.reference]?.[element.reference]
      return typeof value === 'string' || typeof value === 'number'
        ? [{ label: element.label, value: String(value) }]
        : []
    }),
  )
  const secrets_set = integration.forma.sections.flatMap((section) =>
    section.elements
      .filter((element) => integration.secrets_set.includes(`${section.reference}.${element.reference}`))
      .map(({ label }) => label),
  )
  return {
    ...integration,
    documentation: getPlatform(world, integration.platform_trellis_code).documentation,
    settings,
    secrets_set,
  }
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
    const integration = fakeIntegration({
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
    keepValues(world, integration, sent.values)
    startCheck(world, integration)
    world.integrations.list.push(integration)
    return integration
  },
  getIntegration: (world, input) => ofCode(world, input),
  updateIntegration: (world, input) => {
    const integration = ofCode(world, input)
    const { version, values, ...rest } = input.body as { version: number; values?: FormaValues; name?: string }
    if (version !== integration.version) throw new FakeError('conflict')
    const refusal = world.integrations.nextRefusal
    world.integrations.nextRefusal = null
    if (refusal)
      throw new FakeError('invalid_request', { detail: refusal.detail, source: { pointer: refusal.pointer } })
    Object.assign(integration, rest, { version: version + 1 })
    if (values) keepValues(world, integration, values)
    startCheck(world, integration)
    return integration
  },
  deleteIntegration: (world, input) => {
    const integration = ofCode(world, input)
    const [user] = integration.used_by
    if (user) throw new FakeError('integration_in_use', { detail: `${user.name} still uses this connection.` })
    world.integrations.list = world.integrations.list.filter((other) => other !== integration)
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
    const integration = ofCode(world, input)
    startCheck(world, integration)
    return integration.check
  },
  getValidationStatus: (world, input) => {
    const integration = ofCode(world, input)
    if (integration.check.status === 'VALIDATING') {
      integration.patience -= 1
      if (integration.patience < 0) endCheck(world, integration)
    }
    return integration.check
  },
  listIntegrationOptions: () => [
    { value: 'country', label: 'Country' },
    { value: 'device', label: 'Device' },
  ],
  previewSource: (world) => world.integrations.preview,
  tryRestSource: (world) => world.integrations.trial,
  getSourceFormas: (world, input) => {
    const integration = ofCode(world, input, 'id')
    return {
      integration_trellis_code: integration.integration_trellis_code,
      platform_trellis_code: integration.platform_trellis_code,
      formas: world.integrations.queryFormas[integration.platform_trellis_code] ?? [],
    }
  },
  validateGaql: (_world, { body }) => {
    const { query } = body as { query: string }
    return /\bfrom\b/i.test(query)
      ? { did_succeed: true, message: 'The query is valid.' }
      : { did_succeed: false, message: 'Line 1, column 1: FROM is missing.' }
  },
}
