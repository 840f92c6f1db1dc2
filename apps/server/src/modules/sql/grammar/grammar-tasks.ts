import { bindParameters } from '@trellis/sql-grammar/bind-parameters'
import { parseSql } from '@trellis/sql-grammar/parse'
import { splitStatements } from '@trellis/sql-grammar/split'
import { listDestructive } from './destructive-statements.ts'

export const grammarTasks = {
  splitStatements: (sql: string) => splitStatements(sql),
  bindParameters: ({ sql, types }: { sql: string; types: ReadonlyMap<string, string> }) => bindParameters(sql, types),
  listDestructive: (sql: string) => listDestructive(sql),
  describeStatements: async (sql: string) => {
    const { statements, errors } = await parseSql(sql)
    return { statements: statements.map(({ type, kind }) => ({ type, kind })), error: errors[0] }
  },
}

export type GrammarTasks = typeof grammarTasks
