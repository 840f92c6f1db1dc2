import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { withCompletenessFlag } from '@trellis/contract/dataflows/trigger-changes'
import { AppError } from '../../platform/app-error.ts'

export type SettingsChange = Readonly<Partial<Record<string, unknown>>>

export function applySettingsChange(
  settings: Settings,
  change: SettingsChange,
  activities: readonly string[],
): Settings {
  assertStorable(change)
  const definedChange = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const changedSettings = { ...settings, ...definedChange } as Settings
  const completeSettings = { ...changedSettings, trigger: withCompletenessFlag(changedSettings.trigger, activities) }
  return keepsWorksheetLink(settings, definedChange)
    ? completeSettings
    : ({ ...completeSettings, worksheet: undefined } as Settings)
}

function keepsWorksheetLink(settings: Settings, change: SettingsChange): boolean {
  if (!('language' in settings) || 'worksheet' in change) return true
  const { code = settings.code, language = settings.language } = change
  return code === settings.code && language === settings.language
}

/** Postgres cannot store NUL: the block would fail at run time. */
function assertStorable(change: SettingsChange): void {
  // An odd number of backslashes is an escape in JSON.
  if (!/(?<!\\)(?:\\\\)*\\u0000/.test(JSON.stringify(change))) return
  throw new AppError('invalid_request', 'The settings hold a character with the number 0, which cannot be stored.', {
    source: { pointer: '/settings' },
  })
}

/** Sorted keys, so that equal settings are equal text; columns keep their order. */
export const formatSettings = (settings: Settings): string => JSON.stringify(sortKeys(settings, ''))

function sortKeys(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => sortKeys(item, ''))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, property]) => [key, sortKeys(property, key)] as const)
  return Object.fromEntries(name === 'fields' ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
