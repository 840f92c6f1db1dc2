import { CONNECTORS } from '@trellis/connectors/registry'
import * as calls from '@trellis/contract/integrations/integrations.endpoints'
import * as platforms from '@trellis/contract/integrations/platforms.endpoints'
import { toSampleForma } from '@trellis/contract/formas/sample-data'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { runChecks } from './testing/checks.ts'
import { setupValues } from './testing/registry-values.ts'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const simulated = CONNECTORS.filter(({ simulator }) => simulator !== undefined)
const entered = {
  host: 'db.example.com',
  port: 5432,
  createSecret: (name: string): string => {
    throw new Error(`Sample data asks for ${name}.`)
  },
}

test.each(simulated.map((connector) => [connector.code, connector] as const))(
  '%s starts with sample data, without any secret',
  async (code, connector) => {
    const { owner } = workspace.account
    const params = { ...workspace.tenant, platform_trellis_code: code }
    const { forma } = (await owner.call(platforms.getSetupForma, { params })).data
    const { setupFormaFor: _, ...fixed } = connector
    const values = setupValues({ ...fixed, setupForma: toSampleForma(forma) }, entered)
    const createdResponse = await owner.call(calls.createIntegration, {
      params: workspace.tenant,
      body: { platform_trellis_code: code, name: code, values, is_simulated: true },
    })
    expect(createdResponse.status, createdResponse.text).toBe(200)
    const { integration_trellis_code } = createdResponse.data
    if (createdResponse.data.oauth) {
      const linkedResponse = await owner.call(calls.linkIntegration, {
        params: workspace.tenant,
        body: { integration_trellis_code },
      })
      expect(linkedResponse.data.url).toContain(`/simulators/${code}/`)
      return
    }
    await runChecks(app)
    const now = await owner.call(calls.getIntegration, { params: { ...workspace.tenant, integration_trellis_code } })
    expect(now.data.secrets_set).toEqual([])
    // The REST source needs a manifest, so this is the expected error.
    const outcome = code === 'rest' ? { state: 'ERROR', problem: { field: 'source.manifest' } } : { state: 'ACTIVE' }
    expect(now.data, JSON.stringify(now.data.problem)).toMatchObject(outcome)
  },
)
