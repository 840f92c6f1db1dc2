import { conformance } from '@trellis/connector-kit/testing/conformance'
import { testContext } from '@trellis/connector-kit/testing/test-context'
import { beforeAll, expect, test } from 'vitest'
import { plainConnect } from '../shared/testing/plain-connect.ts'
import { testDatabase } from '../shared/testing/postgres-database.ts'
import { trellisDatabase } from './connector.ts'

const database = await testDatabase()
beforeAll(async () => {
  await database.admin
    .query(`create schema data; create table data.orders (id int primary key, note text, at timestamptz);
    insert into data.orders select i, repeat(md5(i::text), 40), timestamptz '2026-01-01' + i * interval '1 h' from generate_series(1, 1500) i`)
})

conformance(trellisDatabase, [
  {
    name: 'a table',
    values: {},
    query: trellisDatabase.source?.buildQuery('data.orders') ?? {},
    context: (options) =>
      testContext({
        ...options,
        connect: plainConnect,
        ownDatabase: async () => ({ ...database.address, tls: 'disable' }),
      }),
    fewestBatches: 3,
  },
])

test('it is given to nobody else', async () => {
  await expect(trellisDatabase.check(testContext({ connect: plainConnect }))).rejects.toMatchObject({ kind: 'system' })
})
