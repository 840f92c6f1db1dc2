import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'

/** SQL and code as written, everything else one value per line, for a line diff. */
export function formatContent({ sources, parameters, body }: SparkContent): string {
  const lines = [
    ...sources.flatMap(({ key, name, integration_trellis_code, max_age_seconds, sql }) => [
      `Source ${key}: ${name} (${integration_trellis_code}, rows up to ${max_age_seconds} s old)`,
      sql,
      '',
    ]),
    ...parameters.map((parameter) => `Parameter ${toLine(parameter)}`),
    ...(parameters.length > 0 ? [''] : []),
    ...(body.kind === 'code'
      ? ['Code', body.code]
      : body.blocks.flatMap((block, index) => [
          `Block ${index + 1}: ${block.kind}`,
          JSON.stringify(block, null, 2),
          '',
        ])),
  ]
  return `${lines.join('\n')}\n`
}

const toLine = (value: object) =>
  Object.entries(value)
    .map(([name, part]) => `${name}=${part ?? 'none'}`)
    .join(', ')
