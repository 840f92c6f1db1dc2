import { randomBytes } from 'node:crypto'
import * as integrations from '@trellis/contract/integrations/integrations.endpoints'
import pg from 'pg'
import type { ReadyWorkspace } from '../workspace.ts'
import type { TestClient } from '../test-client.ts'

export interface OutsideDatabase {
  readonly values: { connection: Record<string, string | number | boolean> }
  sql(text: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

export async function makeOutsideDatabase(): Promise<OutsideDatabase> {
  const url = new URL(process.env['TRELLIS_TEST_CLUSTER_URL'] ?? '')
  const mark = randomBytes(5).toString('hex')
  const [database, user, password] = [`outside_${mark}`, `reader_${mark}`, `planted-${mark}`]
  const root = new pg.Client({ connectionString: url.href })
  await root.connect()
  await root.query(`create database ${database}`)
  await root.query(`create role ${user} login password '${password}'`)
  const owner = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href })
  await owner.connect()
  await owner.query(
    `grant connect, temporary on database ${database} to ${user}; grant all on schema public to ${user}`,
  )
  return {
    values: { connection: { host: url.hostname, port: Number(url.port), database, user, password, tls: 'disable' } },
    sql: async (text) => (await owner.query<Record<string, unknown>>(text)).rows,
    async drop() {
      await owner.end()
      await root.query(`drop database ${database} with (force)`)
      await root.query(`drop role ${user}`)
      await root.end()
    },
  }
}

export async function connectOutside(
  client: TestClient,
  tenant: ReadyWorkspace['tenant'],
  { values }: Pick<OutsideDatabase, 'values'>,
): Promise<string> {
  const body = { platform_trellis_code: 'postgresql', name: 'Warehouse', values }
  const createdResponse = await client.call(integrations.createIntegration, { params: tenant, body })
  if (createdResponse.status !== 200) throw new Error(createdResponse.text)
  return createdResponse.data.integration_trellis_code
}
