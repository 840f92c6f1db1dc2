import { listReferences } from '@trellis/sql-grammar/list-references'
import { parseSql } from '@trellis/sql-grammar/parse'

export interface UsedTable {
  readonly schema: string
  readonly name: string
}

/** Tables that a text reads and writes. */
export interface SqlUses {
  readonly reads: readonly UsedTable[]
  readonly writes: readonly UsedTable[]
  /** Words of statements that can't be read, or hold code as text: tables are looked for among them. */
  readonly words: ReadonlySet<string> | null
}

/** Where names without a schema are looked for when a worksheet runs. */
const SEARCH_PATH = 'data'

export async function readSqlUses(sql: string): Promise<SqlUses> {
  const { statements, errors } = await parseSql(blankParameters(sql))
  const reads: UsedTable[] = []
  const writes: UsedTable[] = []
  let isUncertain = errors.length > 0
  for (const statement of statements) {
    const { tables, isOpaque } = listReferences(statement)
    isUncertain ||= isOpaque
    for (const { schema, name, isRead, isWritten, isDefined } of tables) {
      const table = { schema: schema ?? SEARCH_PATH, name }
      if (isRead) reads.push(table)
      if (isWritten || isDefined) writes.push(table)
    }
  }
  return { reads, writes, words: isUncertain ? listWords(sql) : null }
}

/** `:name` is a parameter of worksheets and no SQL. Casts (`::`) and slices with a number stay. */
const blankParameters = (sql: string): string =>
  sql.replaceAll(/(?<![:\w])(:[A-Za-z_]\w*)/g, (name) => `$1${' '.repeat(Math.max(0, name.length - 2))}`)

const WORD = /[\p{L}\p{N}_$]+/gu

const listWords = (sql: string): Set<string> => new Set(sql.toLowerCase().match(WORD) ?? [])

/** Too much is told rather than too little: a name of several words counts when all of them occur. */
export function mayName(words: ReadonlySet<string>, { name }: { name: string }): boolean {
  const parts = name.toLowerCase().match(WORD) ?? []
  return parts.length > 0 && parts.every((part) => words.has(part))
}
