import type { ConnectorContext } from '@trellis/connector-kit/context'
import { toDataModel, readPreview } from '@trellis/connector-kit/preview'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { findFormaProblems, pickKnownValues } from '@trellis/contract/formas/forma-rules'
import type { SourceDataModel, SourcePreview } from '@trellis/contract/integrations/integrations.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { callPlatform } from './call-platform.ts'
import type { Connection } from './connections.service.ts'
import { getIntegrationRow } from './stored-integration.ts'
import { NOT_THERE } from './platforms.ts'
import { auditSeenRows } from './connection/seen-rows.ts'
import { listElements } from './settings-values.ts'
import { getToday } from './validation.ts'

const ROWS = 100
const MAX_WARNINGS = 20

export async function previewSource(
  ctx: WorkspaceCtx,
  code: string,
  body: { values: FormaValues; rows?: number | undefined },
): Promise<SourcePreview> {
  const row = await getIntegrationRow(ctx, code)
  const { rows: most = ROWS } = body
  return await callPlatform(ctx, row, async (connection) => {
    const { source } = connection.connector
    if (!source) throw new AppError('not_found', NOT_THERE)
    const query = parseQuery(ctx, connection, body.values)
    const warnings = new Set<string>()
    const context: ConnectorContext = {
      ...connection.context,
      log: (level, message) => {
        if (level === 'WARNING' && warnings.size < MAX_WARNINGS) warnings.add(connection.scrub.text(message))
        connection.context.log(level, message)
      },
    }
    const preview = await readPreview(await source.read(context, { query, limit: most + 1 }), most)
    await auditSeenRows(ctx, row)
    return { ...preview, warnings: [...warnings] }
  })
}

/** Drops unknown and hidden values; reports invalid and missing ones. */
function parseQuery(ctx: WorkspaceCtx, { connector }: Connection, sent: FormaValues): FormaValues {
  let query: FormaValues = {}
  for (const forma of connector.source?.queryFormas ?? []) {
    const known = pickKnownValues(forma, sent)
    const isBegun = forma.sections.some(({ reference }) => sent[reference] !== undefined)
    const [first] = isBegun ? Object.entries(findFormaProblems(forma, known, { today: getToday(ctx) })) : []
    if (first) {
      const [name, problem] = first
      const label = listElements(forma).find((candidate) => candidate.name === name)?.element.label ?? name
      throw new AppError('invalid_request', `${label}: ${problem}`, {
        source: { pointer: `/values/${name.replace('.', '/')}` },
      })
    }
    query = { ...query, ...known }
  }
  return query
}

export interface SubtaskInput {
  readonly integrationCode: string
  readonly subtask: string
  readonly query?: FormaValues | undefined
}

export async function readSourceDataModel(
  ctx: WorkspaceCtx,
  { integrationCode, subtask, query: given }: SubtaskInput,
): Promise<SourceDataModel> {
  const row = await getIntegrationRow(ctx, integrationCode)
  return await callPlatform(ctx, row, async (connection) => {
    const { connector, context } = connection
    if (!connector.source) throw new AppError('not_found', NOT_THERE)
    const query = given ? parseQuery(ctx, connection, given) : connector.source.buildQuery(subtask)
    const reading = await connector.source.read(context, { query, limit: 1 })
    // Starting and ending the iteration releases the source's resources.
    for await (const _ of reading.batches) break
    return toDataModel(reading)
  })
}
