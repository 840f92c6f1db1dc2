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
