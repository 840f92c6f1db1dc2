import { parseSql } from '@trellis/sql-grammar/parse'

const MAX_CODE_LENGTH = 500_000
const PARAMETER = /(?<![:\w]):([A-Za-z_]\w*)/
const RESULT = /@result\./i

export async function findSqlProblem(sql: string, writesRows: boolean): Promise<string | null> {
  if (sql.length > MAX_CODE_LENGTH) return 'The SQL of a block can have 500,000 characters.'
  const { statements, errors } = await parseSql(sql)
  const [error] = errors
  if (error) {
    const parameter = PARAMETER.exec(sql)?.[1]
    if (parameter !== undefined) return `A dataflow asks for no parameters. Write a value in place of :${parameter}.`
    if (RESULT.test(sql)) return 'A dataflow has no saved results. Write the query in place of @result.'
    return `The SQL can not be run: ${error.message}`
  }
  if (statements.length === 0) return 'There is no SQL to run.'
  if (writesRows && statements.length > 1) {
    return 'The block writes the rows of one SELECT; the worksheet has several statements.'
  }
  return null
}
