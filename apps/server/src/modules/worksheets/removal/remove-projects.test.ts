import * as projects from '@trellis/contract/worksheets/projects.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type TestProject, makeProject } from '../../../testing/worksheets.ts'
import { handleRemoveDeletedProjects } from './remove-projects.handler.ts'

let app: TestApp
let project: TestProject

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  project = await makeProject(app)
})
afterAll(async () => await app.close())

const count = async (table: string) => {
  const { rows } = await app.database.pool.query(`select count(*)::int as count from ${table}`)
  return (rows[0] as { count: number }).count
}

test('a deleted project is removed after seven days, with everything in it, and the trail says so', async () => {
  await project.owner.create('a.sql', 'select 1')
  const keptResponse = await project.owner.client.call(projects.createProject, {
    params: project.tenant,
    body: { name: 'Kept' },
  })
  const params = { ...project.tenant, project_id: project.projectId }
  expect((await project.owner.client.call(projects.deleteProject, { params })).status).toBe(200)
  await handleRemoveDeletedProjects(app.ctx)
  expect(await count('worksheet_projects')).toBe(2)
  await app.database.pool.query(
    "update worksheet_projects set deleted_at = deleted_at - interval '8 days' where trellis_code = $1",
    [project.projectId],
  )
  await handleRemoveDeletedProjects(app.ctx)
  await handleRemoveDeletedProjects(app.ctx)
  expect(await count('worksheet_projects')).toBe(1)
  expect(await count('worksheet_branches')).toBe(0)
  const { rows } = await app.database.pool.query("select detail from audit_lines where action = 'projectRemoved'")
  expect(rows).toMatchObject([{ detail: { project: 'Reports', code: project.projectId } }])
  const left = await project.owner.client.call(projects.listProjects, { params: project.tenant })
  expect(left.data.map(({ project_id }) => project_id)).toEqual([keptResponse.data.project_id])
})
