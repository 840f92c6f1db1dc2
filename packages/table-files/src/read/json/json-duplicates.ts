/** JSON.parse keeps only the last value. */
export interface DuplicateField {
  readonly name: string
  readonly lost: string
  readonly kept: string
}

const QUOTE = 34
const BACKSLASH = 92

function skipText(json: string, at: number): number {
  let end = at + 1
  while (end < json.length) {
    const code = json.charCodeAt(end)
    if (code === BACKSLASH) end += 1
    else if (code === QUOTE) return end + 1
    end += 1
  }
  return end
}

export function countWrittenFields(json: string): number {
  let fields = 0
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = skipText(json, at)
    else {
      if (code === 58) fields += 1
      at += 1
    }
  }
  return fields
}

export function countFields(value: unknown): number {
  // Iterative: hostile files nest deeper than the stack.
  const open = [value]
  let fields = 0
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null || isRawNumber(part)) continue
    const parts: unknown[] = Array.isArray(part) ? part : Object.values(part)
    if (!Array.isArray(part)) fields += parts.length
    for (const inner of parts) if (typeof inner === 'object') open.push(inner)
  }
  return fields
}

const isRawNumber = (value: object) => (JSON as typeof JSON & { isRawJSON(value: object): boolean }).isRawJSON(value)

interface OpenObject {
  readonly values: Map<string, string>
  name: string
  valueFrom: number
}

export function findDuplicateField(json: string): DuplicateField | undefined {
  const open: (OpenObject | null)[] = []
  let text = ''
  function endValue(at: number): DuplicateField | undefined {
    const object = open.at(-1)
    if (!object || object.valueFrom < 0) return undefined
    const kept = json.slice(object.valueFrom, at).trim()
    const lost = object.values.get(object.name)
    object.values.set(object.name, kept)
    object.valueFrom = -1
    return lost === undefined ? undefined : { name: object.name, lost, kept }
  }
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '"') {
      const end = skipText(json, at)
      if (open.at(-1)?.valueFrom === -1) text = json.slice(at, end)
      at = end - 1
    } else if (sign === '{') open.push({ values: new Map(), name: '', valueFrom: -1 })
    else if (sign === '[') open.push(null)
    else if (sign === ':') {
      const object = open.at(-1)
      if (object) Object.assign(object, { name: JSON.parse(text) as string, valueFrom: at + 1 })
    } else if (sign === ',' || sign === '}' || sign === ']') {
      const duplicateField = endValue(at)
      if (duplicateField) return duplicateField
      if (sign !== ',') open.pop()
    }
  }
  return undefined
}
