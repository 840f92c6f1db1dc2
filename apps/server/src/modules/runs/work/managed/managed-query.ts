import type { CopyBatch, Field } from '@trellis/connector-kit/batch'
import { getColumnKind } from '@trellis/connector-kit/postgres-columns'
import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { quoteName } from '@trellis/workspace-db/identifiers'
import type { Session } from '@trellis/workspace-db/session'
import { firstWord, splitStatements } from '@trellis/workspace-db/statements/split-statements'
import { RunFault } from '../../runner/run-work.ts'
import { toSqlFault } from './sql-fault.ts'

export type Input = NonNullable<TransformationSettings['input']>

export interface ManagedQuery {
  readonly fields: readonly Field[]
  /** Casts unsupported types. */
  readonly select: string
}

const READING = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', ''])

export function toInputQuery(input: Input | null): string {
  if (!input)
    throw new RunFault('configuration', 'Nothing is chosen to be read.', { advice: 'Choose a table, or write SQL.' })
  if ('sql' in input) return parseSingleQuery(input.sql)
  return `select * from ${quoteName(input.schema_name)}.${quoteName(input.table_name)}`
}

/** Throws unless it is a single query. */
export function parseSingleQuery(code: string): string {
  const [only, second] = splitStatements(code)
  if (!only) throw new RunFault('configuration', 'There is no SQL to run.', { advice: 'Write a SELECT.' })
  if (second) {
    throw new RunFault('configuration', 'Only one SELECT can give the rows; there are several statements.', {
      advice: 'Join them into one, for example with WITH, or write the table with SQL itself.',
    })
  }
  if (!READING.has(firstWord(only.text))) {
    throw new RunFault('configuration', `${firstWord(only.text)} gives no rows to write.`, {
      advice: 'Write a SELECT, or leave out the table and write it with SQL itself.',
    })
  }
  return only.text
}

const OPEN = 'select * from (\n'

export async function describeQuery(session: Session, query: string): Promise<ManagedQuery> {
  const { columns } = await session.query({ text: `${OPEN}${query}\n) as q limit 0` }).catch((error: unknown) => {
    throw toSqlFault(error, { code: query, prefix: OPEN.length })
  })
  const names = columns.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) {
    throw new RunFault('configuration', `Two columns of the query are called "${twice}".`, {
      advice: 'Give one of them another name with AS.',
    })
  }
  const kinds = await readKinds(
    session,
    columns.map(({ typeId }) => typeId),
  )
  const parts = columns.map(({ name, typeId }) => toSelectPart(name, kinds.get(typeId)))
  return {
    fields: parts.map(({ field }) => field),
    select: `select ${parts.map(({ select }) => select).join(', ')} from (\n${query}\n) as q`,
  }
}

interface Kind {
  readonly name: string
  readonly category: string
}

async function readKinds(session: Session, ids: readonly number[]): Promise<Map<number, Kind>> {
  const { rows } = await session.query({
    text: `select t.oid, coalesce(b.typname, t.typname), coalesce(b.typcategory, t.typcategory) from pg_catalog.pg_type t
             left join pg_catalog.pg_type b on b.oid = t.typbasetype where t.oid = any ($1::oid[])`,
    values: [`{${[...new Set(ids)].join(',')}}`],
  })
  return new Map(rows.map(([id, name, category]) => [Number(id), { name: name ?? '', category: category ?? '' }]))
}

function toSelectPart(name: string, { name: typeName, category }: Kind = UNKNOWN): { field: Field; select: string } {
  const quoted = quoteName(name)
  const { type, select } = getColumnKind(typeName, category)
  return { field: { name, type, isNullable: true }, select: `${select(quoted)} as ${quoted}` }
}

const UNKNOWN: Kind = { name: '', category: '' }

const NEWLINE = 10
const BATCH_BYTES = 512 * 1024

export async function* copyQuery(session: Session, select: string): AsyncGenerator<CopyBatch> {
  let parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of session.copyOut(`copy (${select}) to stdout`)) {
    parts.push(chunk)
    bytes += chunk.byteLength
    if (bytes < BATCH_BYTES) continue
    const all = Buffer.concat(parts)
    const end = all.lastIndexOf(NEWLINE) + 1
    if (end === 0) continue
    yield { kind: 'copy', bytes: all.subarray(0, end), rowCount: countLines(all.subarray(0, end)) }
    parts = [all.subarray(end)]
    bytes = all.byteLength - end
  }
  const rest = Buffer.concat(parts)
  if (rest.byteLength > 0) yield { kind: 'copy', bytes: rest, rowCount: countLines(rest) }
}

function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}
