import type { Condition, Literal, Query } from './query.ts'
import { isList } from './query.ts'

export function printGaql({ select, from, where, orderBy, limit, parameters }: Query): string {
  const lines = [`SELECT ${select.map(({ name }) => name).join(', ')}`, `FROM ${from.name}`]
  if (where.length > 0) lines.push(`WHERE ${where.map(printCondition).join('\n  AND ')}`)
  if (orderBy.length > 0) {
    const orderings = orderBy.map(({ field, direction }) => (direction ? `${field.name} ${direction}` : field.name))
    lines.push(`ORDER BY ${orderings.join(', ')}`)
  }
  if (limit) lines.push(`LIMIT ${limit.count}`)
  if (parameters.length > 0) {
    lines.push(`PARAMETERS ${parameters.map(({ name, value }) => `${name.name} = ${value.text}`).join(', ')}`)
  }
  return lines.join('\n')
}

function printCondition({ field, operator, values }: Condition): string {
  const texts = values.map(({ text }: Literal) => text)
  if (isList(operator)) return `${field.name} ${operator} (${texts.join(', ')})`
  return [field.name, operator, texts.join(' AND ')].join(' ').trimEnd()
}
