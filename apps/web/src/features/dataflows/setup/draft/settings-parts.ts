import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import * as z from 'zod/mini'
import { SETTINGS_SHAPES, type Parts } from './block-kinds.ts'

export interface PartProblem {
  /** As in the server's errors: `subtasks.0.write.table_name`. */
  path: string
  message: string
}

/** jsonb does not keep the order of keys. */
export function isSameData(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [mine, theirs] = [definedKeys(one), definedKeys(other)]
  const getProperty = (value: object, key: string) => (value as Record<string, unknown>)[key]
  return (
    mine.length === theirs.length && mine.every((key) => isSameData(getProperty(one, key), getProperty(other, key)))
  )
}

const definedKeys = (value: object): string[] =>
  Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [key]))

export const changedParts = (before: Parts, after: Parts): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isSameData(before[name], after[name]))

export const pickParts = (parts: Parts, names: readonly string[]): Parts =>
  Object.fromEntries(names.map((name) => [name, parts[name]]))

/** Splits settings into valid parts to save and errors. */
export function toSendable(
  kind: ActivityKind,
  settings: Parts,
  names: readonly string[],
): { names: string[]; problems: PartProblem[] } {
  const shape: Record<string, z.ZodMiniType> = SETTINGS_SHAPES[kind].shape
  const fit: string[] = []
  const problems: PartProblem[] = []
  for (const name of names) {
    const parsed = shape[name] ? z.safeParse(shape[name], settings[name]) : undefined
    if (!parsed || parsed.success) fit.push(name)
    else {
      for (const issue of parsed.error.issues) {
        problems.push({ path: [name, ...issue.path].join('.'), message: issue.message })
      }
    }
  }
  return { names: fit, problems }
}

export function getPartAt(settings: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined | null)?.[key], settings)
}

export function withPartAt<T>(settings: T, path: string, value: unknown): T {
  const [first = '', ...rest] = path.split('.')
  const inner = (settings as Record<string, unknown> | null)?.[first]
  const next = rest.length === 0 ? value : withPartAt(inner ?? {}, rest.join('.'), value)
  if (Array.isArray(settings)) return settings.map((setting, index) => (String(index) === first ? next : setting)) as T
  return { ...settings, [first]: next }
}
