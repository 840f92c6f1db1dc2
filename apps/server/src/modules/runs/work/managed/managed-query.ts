import type { CopyBatch, Field } from '@trellis/connector-kit/batch'
import { getColumnKind } from '@trellis/connector-kit/postgres-columns'
import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { quoteName } from '@trellis/workspace-db/identifiers'
import type { Session } from '@trellis/workspace-db/session'
import { getFirstKeyword, splitStatements } from '@trellis/workspace-db/statements/split-statements'
import { RunFault } from '../../runner/run-work.ts'
import { toSqlFault } from './sql-fault.ts'

export type Input = NonNullable<TransformationSettings['input']>

export interface ManagedQuery {
  readonly fields: readonly Field[]
  /** Casts unsupported types. */
  readonly select: string
}

const QUERY_KEYWORDS = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', ''])

export function toInputQuery(input: Input | null): string {
  if (!input)
    throw new RunFault('configuration', 'Nothing is chosen to be read.', { advice: 'Choose a table, or write SQL.' })
  if ('sql' in input) return parseSingleQuery(input.sql)
  return `select * from ${quoteName(input.schema_name)}.${quoteName(input.table_name)}`
}

/** Throws unless it is a single query. */
export function parseSingleQuery(code: string): string {
  const [statement, secondStatement] = splitStatements(code)
  if (!statement) throw new RunFault('configuration', 'There is no SQL to run.', { advice: 'Write a SELECT.' })
  if (secondStatement) {
    throw new RunFault('configuration', 'Only one SELECT can give the rows; there are several statements.', {
      advice: 'Join them into one, for example with WITH, or write the table with SQL itself.',
    })
  }
  if (!QUERY_KEYWORDS.has(getFirstKeyword(statement.text))) {
    throw new RunFault('configuration', `${getFirstKeyword(statement.text)} gives no rows to write.`, {
      advice: 'Write a SELECT, or leave out the table and write it with SQL itself.',
    })
  }
  return statement.text
}

const SUBQUERY_START = 'select * from (\n'

export async function describeQuery(session: Session, query: string): Promise<ManagedQuery> {
  const { columns } = await session
    .query({ text: `${SUBQUERY_START}${query}\n) as q limit 0` })
    .catch((error: unknown) => {
      throw toSqlFault(error, { code: query, prefix: SUBQUERY_START.length })
    })
  const names = columns.map(({ name }) => name)
  const duplicateName = names.find((name, offset) => names.indexOf(name) !== offset)
  if (duplicateName !== undefined) {
    throw new RunFault('configuration', `Two columns of the query are called "${duplicateName}".`, {
      advice: 'Give one of them another name with AS.',
    })
  }
  const typeById = await readTypes(
    session,
    columns.map(({ typeId }) => typeId),
  )
  const selectParts = columns.map(({ name, typeId }) => toSelectPart(name, typeById.get(typeId)))
  return {
    fields: selectParts.map(({ field }) => field),
    select: `select ${selectParts.map(({ select }) => select).join(', ')} from (\n${query}\n) as q`,
  }
}

interface TypeName {
  readonly name: string
  readonly category: string
}

async function readTypes(session: Session, ids: readonly number[]): Promise<Map<number, TypeName>> {
  const { rows } = await session.query({
    text: `select t.oid, coalesce(b.typname, t.typname), coalesce(b.typcategory, t.typcategory) from pg_catalog.pg_type t
             left join pg_catalog.pg_type b on b.oid = t.typbasetype where t.oid = any ($1::oid[])`,
    values: [`{${[...new Set(ids)].join(',')}}`],
  })
  return new Map(rows.map(([id, name, category]) => [Number(id), { name: name ?? '', category: category ?? '' }]))
}

function toSelectPart(
  name: string,
  { name: typeName, category }: TypeName = UNKNOWN_TYPE,
): { field: Field; select: string } {
  const quoted = quoteName(name)
  const { type, select } = getColumnKind(typeName, category)
  return { field: { name, type, isNullable: true }, select: `${select(quoted)} as ${quoted}` }
}

const UNKNOWN_TYPE: TypeName = { name: '', category: '' }

const NEWLINE = 10
const BATCH_BYTES = 512 * 1024

export async function* copyQuery(session: Session, select: string): AsyncGenerator<CopyBatch> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of session.copyOut(`copy (${select}) to stdout`)) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes < BATCH_BYTES) continue
    const all = Buffer.concat(chunks)
    const end = all.lastIndexOf(NEWLINE) + 1
    if (end === 0) continue
    yield { kind: 'copy', bytes: all.subarray(0, end), rowCount: countLines(all.subarray(0, end)) }
    chunks = [all.subarray(end)]
    bytes = all.byteLength - end
  }
  const remainingBytes = Buffer.concat(chunks)
  if (remainingBytes.byteLength > 0) yield { kind: 'copy', bytes: remainingBytes, rowCount: countLines(remainingBytes) }
}

function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let offset = bytes.indexOf(NEWLINE); offset >= 0; offset = bytes.indexOf(NEWLINE, offset + 1)) count += 1
  return count
}
