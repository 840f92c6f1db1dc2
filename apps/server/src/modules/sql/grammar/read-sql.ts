import { isOneStatement } from '@trellis/sql-grammar/split'
import { createThread } from '../../../platform/threads/create-thread.ts'
import { type GrammarTasks, grammarTasks } from './grammar-tasks.ts'

/** Parsing takes about 3 s per million characters: longer texts run in a thread. */
const MAX_INLINE_LENGTH = 2_000
const MAX_INLINE_SPLIT_LENGTH = 20_000
const TIMEOUT_MS = 20_000

const thread = createThread<GrammarTasks>(new URL('./grammar-thread.ts', import.meta.url), { timeoutMs: TIMEOUT_MS })

const isShort = (sql: string) => sql.length <= MAX_INLINE_LENGTH

export const readSql: { readonly [Name in keyof GrammarTasks]: AsAsync<GrammarTasks[Name]> } = {
  splitStatements: async (sql) =>
    sql.length <= MAX_INLINE_SPLIT_LENGTH || isOneStatement(sql)
      ? grammarTasks.splitStatements(sql)
      : await thread.run('splitStatements', sql),
  bindParameters: (input) =>
    isShort(input.sql) || input.types.size === 0
      ? grammarTasks.bindParameters(input)
      : thread.run('bindParameters', input),
  listDestructive: (sql) => (isShort(sql) ? grammarTasks.listDestructive(sql) : thread.run('listDestructive', sql)),
  describeStatements: (sql) =>
    isShort(sql) ? grammarTasks.describeStatements(sql) : thread.run('describeStatements', sql),
}

type AsAsync<Task extends (input: never) => unknown> = (
  input: Parameters<Task>[0],
) => Promise<Awaited<ReturnType<Task>>>
