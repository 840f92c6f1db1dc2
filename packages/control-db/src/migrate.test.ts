import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
import { type TestDatabase, testDatabase } from './testing.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => await database.close())

test('numbers are unique and without gaps', async () => {
  const numbers = (await readMigrations()).map((migration) => Number(migration.name.slice(0, 4)))
  expect(numbers).toEqual(Array.from(numbers, (_, index) => index + 1))
})

test('running them again, from several processes at once, changes nothing', async () => {
  const url = new URL(new URL(database.url).pathname, database.adminUrl).href
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
  expect(runs.flatMap((run) => run.applied)).toEqual([])
})
