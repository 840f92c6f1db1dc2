import { expect, test } from 'vitest'
import { LEDGER_MODEL, startLedgerApp } from '../../../testing/ledger-app.ts'
import { writeStep } from '../../../testing/load-runs.ts'

const { ledger, workspace, loads, source } = await startLedgerApp({ TRELLIS_LOAD_ROWS: '3000' })

test('keys on pages that the COPY before left empty are found without reading the table again', async () => {
  ledger.rows = Array.from({ length: 9000 }, (_, at) => [at + 1, 1, `row ${at + 1} ${'x'.repeat(200)}`])
  ledger.failAt = 8999
  const block = loads.block(source, { write: writeStep({ dataModel: LEDGER_MODEL }) })
  await expect(block.run({ rootCode: 'keys-pages' })).rejects.toThrow('closed in the middle')
  const [counted] = await workspace.sql(
    'select rows > 6000, target_hash = source_hash from trellis_loads.receipts where not is_done',
  )
  expect(counted).toEqual(['t', 't'])
})
