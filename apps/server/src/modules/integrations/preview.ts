import { type Batch, type Field, rowCountOf } from '@trellis/connector-kit/batch'
import type { Reading } from '@trellis/connector-kit/connector'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { formaProblems, knownValues } from '@trellis/contract/formas/forma-rules'
import type { SourceDataModel, SourcePreview } from '@trellis/contract/integrations/integrations.schemas'
import { columnNames } from '@trellis/table-files/read/headers'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { askPlatform } from './ask-platform.ts'
import type { Connection } from './connections.service.ts'
import { readCopyLines } from './copy-lines.ts'
import { getIntegrationRow } from './known-integration.ts'
import { NOT_THERE } from './platforms.ts'
import { candidateCursors, candidateKeys, statisticsOf } from './preview-statistics.ts'
import { elementsOf } from './settings-values.ts'
import { today } from './validation.service.ts'

const ROWS = 100
const MOST_CELL = 4000
const MOST_CHARACTERS = 2_000_000

export type PreviewRow = (string | null)[]

export async function previewSource(
  ctx: WorkspaceCtx,
  code: string,
  body: { values: FormaValues; rows?: number | undefined },
): Promise<SourcePreview> {
  const row = await getIntegrationRow(ctx, code)
  return await askPlatform(ctx, row, async (connection) => {
    const query = queryOf(ctx, connection, body.values)
    return await previewOf(connection, query, body.rows ?? ROWS)
  })
}

/** What the source's formas have and show; what is missing in one that was begun is named. */
function queryOf(ctx: WorkspaceCtx, { connector }: Connection, sent: FormaValues): FormaValues {
  if (!connector.source) throw new AppError('not_found', NOT_THERE)
  let query: FormaValues = {}
  for (const forma of connector.source.queryFormas) {
    const known = knownValues(forma, sent)
    const isBegun = forma.sections.some(({ reference }) => sent[reference] !== undefined)
    const [first] = isBegun ? Object.entries(formaProblems(forma, known, { today: today(ctx) })) : []
    if (first) {
      const [name, problem] = first
      const label = elementsOf(forma).find((one) => one.name === name)?.element.label ?? name
      throw new AppError('invalid_request', `${label}: ${problem}`, {
        source: { pointer: `/values/${name.replace('.', '/')}` },
      })
    }
    query = { ...query, ...known }
  }
  return query
}

export async function previewOf(
  { connector, context }: Connection,
  query: FormaValues,
  most: number,
): Promise<SourcePreview> {
  if (!connector.source) throw new AppError('not_found', NOT_THERE)
  const reading = await connector.source.read(context, { query, limit: most + 1 })
  return previewOfRows(reading, await collectRows(reading, most))
}

interface Sample {
  readonly rows: PreviewRow[]
  readonly isCut: boolean
}

export function previewOfRows(
  { fields, key, cursor }: Pick<Reading, 'fields' | 'key' | 'cursor'>,
  { rows, isCut }: Sample,
): SourcePreview {
  const columns = statisticsOf(fields, rows)
  return {
    columns,
    rows,
    is_cut: isCut,
    declared_keys: [...key],
    candidate_keys: candidateKeys(columns, rows),
    candidate_cursors: candidateCursors(columns, cursor),
    data_model: dataModelOf({ fields, key, cursor }),
  }
}

async function collectRows({ batches, fields }: Reading, most: number): Promise<Sample> {
  const rows: PreviewRow[] = []
  let characters = 0
  for await (const batch of batches) {
    if (rowCountOf(batch) === 0) continue
    for (const row of rowsOf(batch, fields)) {
      characters += row.reduce((sum, value) => sum + (value?.length ?? 0), 0)
      // Leaving here ends the read at the source.
      if (rows.length >= most || (characters > MOST_CHARACTERS && rows.length > 0)) return { rows, isCut: true }
      rows.push(row)
    }
  }
  return { rows, isCut: false }
}

function rowsOf(batch: Batch, fields: readonly Field[]): PreviewRow[] {
  if (batch.kind === 'copy') return readCopyLines(batch.bytes).map((row) => row.map((value) => cut(value)))
  return batch.rows.map((row) =>
    fields.map((_, at) => {
      const value = row[at] ?? null
      return cut(value === null ? null : String(value))
    }),
  )
}

const cut = (value: string | null) =>
  value !== null && value.length > MOST_CELL ? `${value.slice(0, MOST_CELL)}…` : value

export function dataModelOf({ fields, key, cursor }: Pick<Reading, 'fields' | 'key' | 'cursor'>): SourceDataModel {
  const names = columnNames(fields.map(({ name }) => name))
  const mapping = new Map(fields.map(({ name }, at) => [name, names[at] ?? name]))
  const isIndexed = cursor !== null && mapping.has(cursor) && !(key.length === 1 && key[0] === cursor)
  return {
    fields: Object.fromEntries(fields.map(({ name, type }) => [name, type])),
    column_mapping: Object.fromEntries(mapping),
    primary_keys: [...key],
    indexes: isIndexed ? { [cursor]: 'btree' } : {},
  }
}

/** By the name of a subtask alone: a table, an object, a report. */
export async function getSourceDataModel(ctx: WorkspaceCtx, code: string, subtask: string): Promise<SourceDataModel> {
  const row = await getIntegrationRow(ctx, code)
  return await askPlatform(ctx, row, async ({ connector, context }) => {
    if (!connector.source) throw new AppError('not_found', NOT_THERE)
    const reading = await connector.source.read(context, { query: connector.source.queryOf(subtask), limit: 1 })
    // Some sources open something to know their fields; it ends with the reading.
    for await (const _ of reading.batches) break
    return dataModelOf(reading)
  })
}
