import { listReferences } from '@trellis/sql-grammar/list-references'
import { parseSql } from '@trellis/sql-grammar/parse'

export interface UsedTable {
  readonly schema: string
  readonly name: string
}

export interface SqlUses {
  readonly reads: readonly UsedTable[]
  readonly writes: readonly UsedTable[]
  /** For unparseable statements or code in strings: their words, in which table names are searched. */
  readonly words: ReadonlySet<string> | null
}

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

/** `:name` is a worksheet parameter, not SQL; casts (`::`) and slices stay. */
const blankParameters = (sql: string): string =>
  sql.replaceAll(/(?<![:\w])(:[A-Za-z_]\w*)/g, (name) => `$1${' '.repeat(Math.max(0, name.length - 2))}`)

const WORD = /[\p{L}\p{N}_$]+/gu

const listWords = (sql: string): Set<string> => new Set(sql.toLowerCase().match(WORD) ?? [])

/** Prefers false positives: all words of a name must occur. */
export function mayName(words: ReadonlySet<string>, { name }: { name: string }): boolean {
  const parts = name.toLowerCase().match(WORD) ?? []
  return parts.length > 0 && parts.every((part) => words.has(part))
}
