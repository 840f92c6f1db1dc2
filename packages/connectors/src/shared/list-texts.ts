export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : ''
}

export const listTexts = (list: unknown): string[] =>
  Array.isArray(list) ? list.map(toText).filter((item) => item !== '') : []
