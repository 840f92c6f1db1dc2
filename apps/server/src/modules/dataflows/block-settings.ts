import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { withCompleteness } from '@trellis/contract/dataflows/trigger-changes'
import { AppError } from '../../platform/app-error.ts'

/** What was sent: only what is to change. */
export type SettingsChange = Readonly<Partial<Record<string, unknown>>>

export function withChange(settings: Settings, change: SettingsChange, activities: readonly string[]): Settings {
  assertStorable(change)
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const changed = { ...settings, ...given } as Settings
  const fit = { ...changed, trigger: withCompleteness(changed.trigger, activities) }
  return keepsWorksheet(settings, given) ? fit : ({ ...fit, worksheet: undefined } as Settings)
}

/** SQL that is changed by itself is no longer the text of its worksheet. */
function keepsWorksheet(settings: Settings, given: SettingsChange): boolean {
  if (!('language' in settings) || 'worksheet' in given) return true
  const { code = settings.code, language = settings.language } = given
  return code === settings.code && language === settings.language
}

/** A table takes no NUL in a text: it would be found when the block runs. */
function assertStorable(change: SettingsChange): void {
  // Of several backslashes only an odd one makes the escape that JSON writes for it.
  if (!/(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(change))) return
  throw new AppError('invalid_request', 'The settings hold a character with the number 0, which can not be kept.', {
    source: { pointer: '/settings' },
  })
}

/** Names in one order, so that the same settings are the same text; columns keep the order people gave them. */
export const settingsText = (settings: Settings): string => JSON.stringify(inOrder(settings, ''))

function inOrder(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => inOrder(one, ''))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, one]) => [key, inOrder(one, key)] as const)
  return Object.fromEntries(name === 'fields' ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
