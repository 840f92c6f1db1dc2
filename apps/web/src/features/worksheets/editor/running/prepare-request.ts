import {
  expandMetaCommand,
  expandMetaLines,
  findMetaCommandAt,
} from '../../../../sql-language/commands/meta-commands.ts'
import { blankMetaLines, listMetaLines } from '../../../../sql-language/text/statements.ts'
import type { RunRequest } from '../worksheet-editor-props.ts'

interface PreparedRequest {
  readonly sql: string
  readonly cursor: number | undefined
  readonly isExpanded: boolean
}

/** Expands psql commands into SQL; skipped ones become blanks, which keeps offsets. */
export function prepareRequest({ sql, cursor }: RunRequest): PreparedRequest {
  if (cursor === undefined) {
    const isExpanded = listMetaLines(sql).length > 0
    return { sql: isExpanded ? expandMetaLines(sql) : sql, cursor, isExpanded }
  }
  const command = findMetaCommandAt(sql, cursor)
  if (!command) return { sql: blankMetaLines(sql), cursor, isExpanded: false }
  const statements = expandMetaCommand(sql.slice(command.start, command.end))
  return { sql: statements.join(';\n'), cursor: undefined, isExpanded: true }
}
