import type { NumberFormat } from './charts.schemas.ts'

const PLAIN: NumberFormat = { style: 'number', decimals: null, prefix: '', suffix: '' }

export function formatValue(value: number | null, format: NumberFormat = PLAIN): string {
  if (value === null) return 'No value'
  const { style, decimals, prefix, suffix } = format
  const digits = decimals ?? (style === 'number' ? (Math.abs(value) < 1 ? 4 : 2) : 1)
  const text = new Intl.NumberFormat('en-GB', {
    ...(style === 'percent' && { style: 'percent' }),
    ...(style === 'compact' && { notation: 'compact' }),
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: digits,
  }).format(value)
  return `${prefix}${text}${suffix}`
}
