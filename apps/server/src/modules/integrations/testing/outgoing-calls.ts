import type { Connector } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { FormaElement } from '@trellis/contract/formas/forma'
import { type Entered, queryValues } from './registry-values.ts'

export type OutgoingCall = readonly [name: string, run: (context: ConnectorContext) => Promise<unknown>]

export function outgoingCalls(connector: Connector, entered: Entered): OutgoingCall[] {
  const { source, destination, tables, options, askAboutQuery } = connector
  const formas = [connector.setupForma, ...(source?.queryFormas ?? []), ...(destination?.queryFormas ?? [])]
  const elements = formas.flatMap(({ sections }) => sections.flatMap((section) => section.elements))
  const names = new Set(elements.flatMap((element) => listOptionSources(element)))
  return [
    ['check', (context) => connector.check(context)],
    ...(tables ? [['tables', (context: ConnectorContext) => tables(context)] as const] : []),
    ...(options
      ? [...names].map(
          (name) => [`options ${name}`, (context: ConnectorContext) => options(context, name, '')] as const,
        )
      : []),
    ...(askAboutQuery
      ? [['query', (context: ConnectorContext) => askAboutQuery(context, 'SELECT campaign.id FROM campaign')] as const]
      : []),
    ...(source ? [['read', (context: ConnectorContext) => readAll(source, context, entered)] as const] : []),
    ...(destination
      ? [['write', (context: ConnectorContext) => writeOne(destination, context, entered)] as const]
      : []),
  ]
}

const listOptionSources = ({ properties }: FormaElement): string[] =>
  'options_from' in properties && properties.options_from !== undefined ? [properties.options_from] : []

async function readAll(source: NonNullable<Connector['source']>, context: ConnectorContext, entered: Entered) {
  const reading = await source.read(context, { query: queryValues(source.queryFormas, entered), limit: 5 })
  for await (const _ of reading.batches) continue
}

async function writeOne(
  destination: NonNullable<Connector['destination']>,
  context: ConnectorContext,
  entered: Entered,
) {
  const writer = await destination.open(context, {
    query: queryValues(destination.queryFormas, entered),
    fields: [{ name: 'id', type: 'integer', isNullable: false }],
    key: ['id'],
    strategy: destination.strategies[0] ?? 'Append',
    loadId: '00000000-0000-4000-8000-000000000000',
  })
  try {
    await writer.write({ kind: 'rows', rows: [[1]] })
    await writer.finish()
  } finally {
    await writer.abandon().catch(() => undefined)
  }
}
