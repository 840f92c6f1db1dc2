import { ConnectorError } from '../connector-error.ts'
import type { Source } from '../connector.ts'
import type { ConnectorContext } from '../context.ts'
import { buildStreamQuery } from './rest-source.ts'

interface Probe {
  readonly source: Source
  readonly streams: readonly { readonly name: string; readonly title?: string | undefined }[]
  readonly field?: string
}

export async function checkStreams(
  context: ConnectorContext,
  { source, streams, field }: Probe,
): Promise<{ label: string; value: string }[]> {
  const found: { label: string; value: string }[] = []
  for (const { name, title } of streams) {
    const label = title ?? name
    try {
      const { batches } = await source.read(context, { query: buildStreamQuery(name), limit: 1 })
      for await (const _ of batches) break
    } catch (error) {
      throw toStreamError(error, { label, field: field ?? null, isFirst: found.length === 0 })
    }
    found.push({ label, value: 'Can be read' })
  }
  return found
}

function toStreamError(error: unknown, at: { label: string; field: string | null; isFirst: boolean }): unknown {
  if (!(error instanceof ConnectorError) || error.kind !== 'configuration') return error
  const { kind, message, advice, field = at.field ?? undefined } = error
  // If an earlier stream was readable, a refusal means a missing permission rather than a wrong key.
  return new ConnectorError(kind, at.isFirst ? message : `${at.label}: ${message}`, {
    ...(advice === undefined ? {} : { advice }),
    ...(field === undefined ? {} : { field }),
    cause: error,
  })
}
