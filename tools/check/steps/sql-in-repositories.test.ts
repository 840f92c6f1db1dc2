import { expect, test } from 'vitest'
import { findSqlOutsideRepositories } from './sql-in-repositories.ts'

const module = 'apps/server/src/modules/x'

test.each([
  ['  await db.selectFrom("things").execute()', 'selectFrom'],
  ['  return ctx.db\n    .deleteFrom(table)', 'deleteFrom'],
  ["import { type Selectable, sql } from 'kysely'", 'kysely'],
  ["import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'", 'scoped'],
])('%s', (text, name) => {
  expect(findSqlOutsideRepositories([`${module}/x.ts`], () => text)).toEqual([
    expect.stringMatching(new RegExp(`^${module}/x\\.ts:\\d+: ${name}: `)),
  ])
})

test('repositories, tests, types and other folders are left alone', () => {
  const files = [
    `${module}/x.repository.ts`,
    `${module}/x.test.ts`,
    `${module}/testing/rows.ts`,
    'packages/jobs/src/a.ts',
  ]
  expect(findSqlOutsideRepositories(files, () => 'db.insertInto(')).toEqual([])
  const types = [
    "import type { Selectable } from 'kysely'",
    "import type { WorkspaceScope } from '@trellis/control-db/scoped'",
  ]
  expect(findSqlOutsideRepositories([`${module}/x.ts`], () => types.join('\n'))).toEqual([])
})
