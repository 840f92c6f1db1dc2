import { createSchema } from '@trellis/contract/explorer/explorer.endpoints'
import { findNameProblem } from '@trellis/contract/worksheets/file-names'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { DEMO_WORKSHEETS } from './demo-worksheets.ts'
import { SAMPLE_SCHEMA, listSampleStatements } from '@trellis/workspace-db/samples/shop'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
  const body = { ...workspace.database, schema_name: SAMPLE_SCHEMA }
  await workspace.account.owner.call(createSchema, { params: workspace.tenant, body })
  await workspace.sql(...listSampleStatements(SAMPLE_SCHEMA))
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

test.each(Object.entries(DEMO_WORKSHEETS))('%s gives rows from the sample', async (path, text) => {
  expect(path.split('/').flatMap((name) => findNameProblem(name) ?? [])).toEqual([])
  const statements = text.split(/;\n/).filter((statement) => statement.trim() !== '')
  for (const statement of statements) {
    const rows = await workspace.sql(statement.replaceAll(/(?<!:):country\b/g, "'DE'"))
    expect(rows.length, statement).toBeGreaterThan(2)
  }
})

test('no month of the sample has only begun: a chart of it would end near zero', async () => {
  const months = await workspace.sql(DEMO_WORKSHEETS['Revenue/Revenue by month.sql'] ?? '')
  expect(months.map(([month]) => month)).toEqual(
    Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}-01`),
  )
  const revenues = months.map((row) => Number(row[2]))
  expect(Math.min(...revenues)).toBeGreaterThan(Math.max(...revenues) / 2)
})
