import { afterAll } from 'vitest'
import { type TestFlows, testFlows } from '../modules/dataflows/testing/flows.ts'
import { type TestApp, startTestApp } from './test-app.ts'

/** The server and a workspace to draw dataflows in, both taken away when the test file ends. */
export async function startFlowsApp(
  options: { stillHereMs?: number } = {},
): Promise<{ app: TestApp; flows: TestFlows }> {
  const app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' }, ...options })
  afterAll(() => app.close())
  const flows = await testFlows(app)
  afterAll(() => flows.workspace.remove())
  return { app, flows }
}
