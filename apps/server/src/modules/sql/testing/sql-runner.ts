import { setTimeout as sleep } from 'node:timers/promises'
import * as calls from '@trellis/contract/sql/sql.endpoints'
import { createProject } from '@trellis/contract/worksheets/projects.endpoints'
import type { SqlJob } from '@trellis/contract/sql/sql.schemas'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import { createWriter } from '../../../testing/worksheets.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import type { ReadyWorkspace } from '../../../testing/workspace.ts'

export async function createWorksheets(client: TestClient, tenant: ReadyWorkspace['tenant']) {
  const { data } = await client.call(createProject, { params: tenant, body: { name: 'Queries' } })
  const writer = createWriter(client, tenant, data.project_id)
  return async (): Promise<string> => {
    const { file_id } = (await writer.create(generateTrellisCode(), 'select 1')).data
    await writer.push()
    return file_id
  }
}

export function createSqlRunner(client: TestClient, { tenant, database }: Pick<ReadyWorkspace, 'tenant' | 'database'>) {
  const find = async (job_id: string) => (await client.call(calls.getSqlJob, { params: { ...tenant, job_id } })).data

  async function start(sql: string, more: object = {}): Promise<SqlJob> {
    const answer = await client.call(calls.executeSql, { params: tenant, body: { ...database, sql, ...more } })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.data
  }

  async function settle(job: SqlJob): Promise<SqlJob> {
    for (;;) {
      const last = await find(job.job_id)
      if (!['queued', 'running'].includes(last.status)) return last
      await sleep(20)
    }
  }

  return {
    client,
    start,
    find,
    settle,
    run: async (sql: string, more: object = {}) => await settle(await start(sql, more)),
    rows: async ({ job_id }: SqlJob, statement = 0) => {
      const params = { ...tenant, job_id, statement: String(statement) }
      return (await client.call(calls.getResultPage, { params })).data.rows
    },
    cancel: async ({ job_id }: SqlJob) =>
      (await client.call(calls.cancelSqlJob, { params: { ...tenant, job_id } })).data,
  }
}

export type SqlRunner = ReturnType<typeof createSqlRunner>
