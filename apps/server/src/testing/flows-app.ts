import { afterAll } from 'vitest'
import { type TestFlows, testFlows } from '../modules/dataflows/testing/flows.ts'
import { type TestApp, startTestApp } from './test-app.ts'

export async function startFlowsApp(
  options: { stillHereMs?: number } = {},
): Promise<{ app: TestApp; flows: TestFlows }> {
  const app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' }, ...options })
  afterAll(() => app.close())
  const flows = await testFlows(app)
  afterAll(() => flows.workspace.remove())
  return { app, flows }
}
