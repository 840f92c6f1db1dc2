import type { Span } from '@trellis/sql-grammar/split'
import { listMetaLines } from '../text/statements.ts'
import * as queries from './catalogue-queries.ts'

interface MetaCommand {
  readonly name: string
  readonly argument?: string
  readonly about: string
  readonly build: (argument: string) => string | readonly string[]
}

const createRelationsCommand = (kinds: string) => (pattern: string) => queries.listRelationsQuery(kinds, pattern)
const selectNote = (text: string) => () => `select ${queries.quoteText(text)} as note`

const COMMANDS: readonly MetaCommand[] = [
  {
    name: 'd',
    argument: 'pattern',
    about: 'Columns, indexes and constraints of a table or view; all tables, views and sequences without a name',
    build: (pattern) =>
      pattern === '' ? queries.listRelationsQuery('rpvmfS', '') : queries.describeTableQueries(pattern),
  },
  { name: 'dt', argument: 'pattern', about: 'Tables', build: createRelationsCommand('rpf') },
  { name: 'dv', argument: 'pattern', about: 'Views', build: createRelationsCommand('v') },
  { name: 'dm', argument: 'pattern', about: 'Materialized views', build: createRelationsCommand('m') },
  { name: 'di', argument: 'pattern', about: 'Indexes', build: createRelationsCommand('i') },
  { name: 'ds', argument: 'pattern', about: 'Sequences', build: createRelationsCommand('S') },
  { name: 'dn', argument: 'pattern', about: 'Schemas', build: queries.listSchemasQuery },
  { name: 'df', argument: 'pattern', about: 'Functions', build: queries.listFunctionsQuery },
  { name: 'dT', argument: 'pattern', about: 'Types', build: queries.listTypesQuery },
  { name: 'du', argument: 'pattern', about: 'Roles', build: queries.listRolesQuery },
  { name: 'dg', argument: 'pattern', about: 'Roles', build: queries.listRolesQuery },
  { name: 'l', argument: 'pattern', about: 'Databases', build: queries.listDatabasesQuery },
  { name: 'sf', argument: 'function', about: 'The definition of a function', build: queries.showFunctionQuery },
  { name: 'sv', argument: 'view', about: 'The definition of a view', build: queries.showViewQuery },
  { name: 'conninfo', about: 'Database, role and search path of the connection', build: queries.connectionQuery },
  {
    name: 'timing',
    about: 'Timings are always shown',
    build: selectNote('The time of every statement is shown with its result.'),
  },
  { name: 'x', about: 'Expanded display', build: selectNote('Open a cell to see its whole value.') },
  { name: '?', about: 'This list', build: listCommandsQuery },
]

function listCommandsQuery(): string {
  const rows = COMMANDS.map(
    ({ name, argument, about }) =>
      `  (${queries.quoteText(`\\${name}${argument === undefined ? '' : ` [${argument}]`}`)}, ${queries.quoteText(about)})`,
  )
  return `select command, description\nfrom (values\n${rows.join(',\n')}\n) as commands (command, description)`
}

export function expandMetaCommand(line: string): readonly string[] {
  const [, name = '', argument = ''] = /^\s*\\([A-Za-z]+|\?)\+?\s*(.*?)\s*;?\s*$/.exec(line) ?? []
  const command = COMMANDS.find((metaCommand) => metaCommand.name === name)
  if (!command) return [selectNote(`There is no command ${line.trim()}. \\? lists those there are.`)()]
  const built = command.build(argument)
  return typeof built === 'string' ? [built] : built
}

export const findMetaCommandAt = (sql: string, offset: number): Span | undefined =>
  sql.includes('\\') ? listMetaLines(sql).find(({ start, end }) => start <= offset && offset <= end) : undefined

export function expandMetaLines(sql: string): string {
  let expanded = ''
  let done = 0
  for (const { start, end } of listMetaLines(sql)) {
    const before = sql.slice(done, start)
    // As in psql, a command ends the statement before it.
    const separator = /(^|;)\s*$/.test(expanded + before) ? '' : ';\n'
    expanded += `${before}${separator}${expandMetaCommand(sql.slice(start, end)).join(';\n')};`
    done = end
  }
  return expanded + sql.slice(done)
}
