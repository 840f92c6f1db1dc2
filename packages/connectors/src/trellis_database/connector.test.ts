import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { beforeAll, expect, test } from 'vitest'
import { plainConnect } from '../shared/testing/plain-connect.ts'
import { createTestDatabase } from '../shared/testing/postgres-database.ts'
import { trellisDatabase } from './connector.ts'

const database = await createTestDatabase()
beforeAll(async () => {
  await database.admin
    .query(`create schema data; create table data.orders (id int primary key, note text, at timestamptz);
    insert into data.orders select i, repeat(md5(i::text), 40), timestamptz '2026-01-01' + i * interval '1 h' from generate_series(1, 1500) i`)
})

testConformance(trellisDatabase, [
  {
    name: 'a table',
    values: {},
    query: trellisDatabase.source?.buildQuery('data.orders') ?? {},
    context: (options) =>
      createTestContext({
        ...options,
        connect: plainConnect,
        ownDatabase: async () => ({ ...database.address, tls: 'disable' }),
      }),
    minBatches: 3,
  },
])

test('it is given to nobody else', async () => {
  await expect(trellisDatabase.check(createTestContext({ connect: plainConnect }))).rejects.toMatchObject({
    kind: 'system',
  })
})
