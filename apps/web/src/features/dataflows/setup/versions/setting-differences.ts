import type { Parts } from '../draft/block-kinds.ts'
import { isSameData } from '../draft/settings-parts.ts'
import { describePath } from './setting-labels.ts'

export interface Difference {
  path: string
  label: string
  before: string | null
  after: string | null
  isCode: boolean
}

/** Derived values, never differences of their own. */
const WORKED_OUT = new Set(['isFormaComplete', 'order'])

/** Leaf settings that differ. Lists of scalars count as one setting. */
export function listSettingDifferences(before: Parts, after: Parts): Difference[] {
  return compare(before, after, '')
}

function compare(before: unknown, after: unknown, path: string): Difference[] {
  if (isSameData(before ?? null, after ?? null)) return []
  if (isOpen(before) || isOpen(after)) {
    const [one, other] = [toMembers(before), toMembers(after)]
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => !WORKED_OUT.has(key))
    return keys.flatMap((key) => compare(one[key], other[key], path === '' ? key : `${path}.${key}`))
  }
  const isCode = [before, after].some((text) => typeof text === 'string' && text.includes('\n'))
  return [{ path, label: describePath(path), before: formatValue(before), after: formatValue(after), isCode }]
}

function isOpen(value: unknown): value is Record<string, unknown> | readonly unknown[] {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) || value.some((item) => typeof item === 'object' && item !== null)
}

/** Subtasks are matched by name, so that inserting one does not mark all others. */
function toMembers(value: unknown): Record<string, unknown> {
  if (!isOpen(value)) return {}
  if (!Array.isArray(value)) return value as Record<string, unknown>
  return Object.fromEntries(
    value.map((item: { name?: string }, index) => [item?.name?.replaceAll('.', ' ') ?? index, item]),
  )
}

function formatValue(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(String).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
