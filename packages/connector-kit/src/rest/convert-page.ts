import type { RestStream } from '@trellis/contract/integrations/rest-manifest'
import type { Field, Value } from '../batch.ts'
import type { ConnectorContext } from '../context.ts'
import { toRecord, convert } from './infer.ts'
import { getField } from './path.ts'

const MAX_WARNINGS = 20

/** A value that does not fit its column stays text, so that the row is rejected visibly rather than lost. */
export function convertPage(
  context: Pick<ConnectorContext, 'log'>,
  stream: RestStream,
  fields: readonly Field[],
): (records: readonly unknown[]) => (readonly Value[])[] {
  const paths = new Map(stream.fields?.map(({ name, path }) => [name, path ?? name]))
  const known = new Set(fields.map(({ name }) => name))
  const warned = new Set<string>()
  const warnOnce = (name: string, message: string) => {
    if (warned.has(name) || warned.size >= MAX_WARNINGS) return
    warned.add(name)
    context.log('WARNING', message)
  }
  const toRow = (record: unknown): readonly Value[] =>
    fields.map(({ name, type }) => {
      const value = getField(record, paths.get(name) ?? name)
      const made = convert(type, value)
      if (made !== undefined) return made
      warnOnce(name, `${stream.name}: a value of ${name} is no ${type}.`)
      return convert('text', value) ?? null
    })
  return (records) =>
    records.map((record) => {
      const own = toRecord(record)
      if (!stream.fields) {
        for (const name of Object.keys(own)) {
          if (known.has(name)) continue
          warnOnce(
            name,
            `${stream.name}: ${name} came after the fields were found out and is ignored until the next run.`,
          )
        }
      }
      return toRow(own)
    })
}
