import type { APIRequestContext } from '@playwright/test'
import { post, type Person } from './people.ts'
import { giveWorkspaceWithTables } from './workspace-data.ts'

export interface GivenProject {
  account: string
  database: string
  project: string
  sparks: string
  headers: Record<'authorization', string>
}

export async function giveProject(request: APIRequestContext, person: Person): Promise<GivenProject> {
  const { account, database } = await giveWorkspaceWithTables(request, person)
  const { email, password } = person
  const { access_token } = (await post(request, '/auth/login', { email, password })) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const api = `/api/${account}/shop/ai/project`
  const made = await request.post(api, { headers, data: { name: 'Sales' } })
  if (!made.ok()) throw new Error(`The project was not made: ${await made.text()}`)
  const project = ((await made.json()) as { data: { project_trellis_code: string } }).data.project_trellis_code
  const chosen = await request.put(`${api}/${project}/${database}/tables`, {
    headers,
    data: { tables: [{ schema_name: 'shop', table_name: 'orders' }] },
  })
  if (!chosen.ok()) throw new Error(`The tables were not chosen: ${await chosen.text()}`)
  return { account, database, project, sparks: `/${account}/shop/sparks`, headers }
}

export async function giveSpark(
  request: APIRequestContext,
  { account, project, headers }: GivenProject,
  spark: { name: string; content: object },
): Promise<string> {
  const made = await request.post(`/api/${account}/shop/sparks`, {
    headers,
    data: { project_trellis_code: project, name: spark.name, origin: { kind: 'content', content: spark.content } },
  })
  if (!made.ok()) throw new Error(`The spark was not made: ${await made.text()}`)
  return ((await made.json()) as { data: { spark_trellis_code: string } }).data.spark_trellis_code
}
