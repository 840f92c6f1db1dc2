/** Collapses white space; null if nothing is left. */
export function clean(text) {
  if (text === null || text === undefined) return null
  const tidy = String(text).replace(/\s+/g, ' ').trim()
  return tidy === '' ? null : tidy
}

export const withoutAccents = (text) =>
  text === null || text === undefined
    ? null
    : String(text)
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')

export function slug(text) {
  const made = withoutAccents(text)
    ?.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return made === undefined || made === '' ? null : made
}

export const titleCase = (text) =>
  text === null || text === undefined
    ? null
    : String(text)
        .toLowerCase()
        .replace(/(^|[^\p{L}\p{N}'])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase())

export function toNumber(text) {
  if (typeof text === 'number') return text
  let rest = clean(text)?.replace(/[\s\u00a0'’]/g, '')
  if (!rest) return null
  const isNegative = /^\(.*\)$/.test(rest) || rest.startsWith('-') || rest.startsWith('−')
  const isPercent = rest.endsWith('%')
  rest = rest.replace(/[^\d.,]/g, '')
  const [comma, point] = [rest.lastIndexOf(','), rest.lastIndexOf('.')]
  if (comma >= 0 && point >= 0)
    rest = comma > point ? rest.replaceAll('.', '').replace(',', '.') : rest.replaceAll(',', '')
  else if (comma >= 0) rest = /^\d{1,3}(,\d{3})+$/.test(rest) ? rest.replaceAll(',', '') : rest.replace(',', '.')
  else if (/^\d{1,3}(\.\d{3}){2,}$/.test(rest)) rest = rest.replaceAll('.', '')
  if (!/^\d*\.?\d+$/.test(rest)) return null
  const number = Number(rest) / (isPercent ? 100 : 1)
  return isNegative ? -number : number
}

export function emailDomain(text) {
  const found = /^[^@\s]+@([^@\s]+\.[^@\s]+)$/.exec(clean(text) ?? '')
  return found ? found[1].toLowerCase() : null
}

/** 1 minus the edit distance relative to the longer text. */
export function similarity(one, other) {
  const [a, b] = [String(one ?? ''), String(other ?? '')]
  const longest = Math.max(a.length, b.length)
  if (longest === 0) return 1
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return 1 - row[b.length] / longest
}
