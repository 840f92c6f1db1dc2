import { createTestDatabase } from '@trellis/control-db/testing'
import { PgBoss } from 'pg-boss'
import { expect, test } from 'vitest'
import { SCHEMA } from './queue.ts'

test('the migrations make exactly the tables this version of the queue library wants', async () => {
  const database = await createTestDatabase()
  const boss = new PgBoss({
    connectionString: database.url,
    schema: SCHEMA,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  try {
    await boss.start()
    expect(await boss.detectSchemaDrift()).toMatchObject({ ok: true, extraIndexes: [] })
  } finally {
    await boss.stop({ graceful: false })
    await database.close()
  }
})
