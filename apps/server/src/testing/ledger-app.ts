import { afterAll, beforeEach } from 'vitest'
import { type Ledger, emptyLedger, ledgerConnector } from './ledger-connector.ts'
import { makeLoads } from './load-runs.ts'
import { type TestApp, startTestApp } from './test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from './workspace.ts'

export interface LedgerApp {
  readonly app: TestApp
  readonly ledger: Ledger
  readonly workspace: ReadyWorkspace
  readonly loads: Awaited<ReturnType<typeof makeLoads>>
  readonly source: string
}

export async function startLedgerApp(settings: Record<string, string> = {}): Promise<LedgerApp> {
  const ledger = emptyLedger()
  const app = await startTestApp({ connectors: [ledgerConnector(ledger)], settings })
  afterAll(() => app.close())
  const workspace = await makeReadyWorkspace(app, { isSessionKept: true })
  afterAll(() => workspace.remove())
  const loads = await makeLoads(app, workspace)
  const source = await loads.addIntegration({ code: 'ledger', name: 'Ledger' })
  beforeEach(async () => {
    Object.assign(ledger, emptyLedger())
    await workspace.sql('drop table if exists data.ledger cascade', 'delete from trellis_loads.receipts')
  })
  return { app, ledger, workspace, loads, source }
}

export const ledgerRows = (count: number, from = 1): Ledger['rows'] =>
  Array.from({ length: count }, (_, at) => [from + at, 1, `row ${from + at}`])

export const LEDGER_MODEL = {
  fields: { id: 'integer', version: 'integer', name: 'text' } as const,
  column_mapping: {},
  primary_keys: ['id'],
  indexes: {},
}
