import type { Forma, FormaElement, FormaValues } from '@trellis/contract/formas/forma'
import {
  REQUIRED,
  findFormaProblems,
  isFormaComplete,
  pickKnownValues,
  listShownSections,
} from '@trellis/contract/formas/forma-rules'
import { AppError } from '../../platform/app-error.ts'

const MAX_BYTES = 512 * 1024

export type Secrets = Readonly<Record<string, string>>

export interface SettingsParts {
  readonly settings: FormaValues
  readonly secrets: Secrets
}

/** Drops unknown and hidden values and separates secrets. An empty secret is kept, null deletes it. */
export function splitValues(forma: Forma, sent: FormaValues, kept: Secrets = {}): SettingsParts {
  assertSize(sent)
  const known = pickKnownValues(forma, withChosenDefaults(forma, sent))
  const settings: Record<string, Record<string, unknown>> = {}
  const secrets: Record<string, string> = {}
  for (const section of listShownSections(forma, known)) {
    const own: Record<string, unknown> = {}
    for (const { type, reference } of section.elements) {
      const name = `${section.reference}.${reference}`
      const value = known[section.reference]?.[reference]
      if (type !== 'secret') {
        if (value !== undefined && type !== 'oauth_link') own[reference] = value
        continue
      }
      const secret = mergeSecret(name, value, kept)
      if (secret !== undefined) secrets[name] = secret
    }
    settings[section.reference] = own
  }
  return { settings, secrets }
}

/** Defaults are filled in, so that visibility does not depend on the client. */
function withChosenDefaults(forma: Forma, sent: FormaValues): FormaValues {
  const filled: FormaValues = { ...sent }
  for (const { reference: section, elements } of forma.sections) {
    for (const { type, reference, default: chosen } of elements) {
      if (type !== 'select' || chosen === undefined || filled[section]?.[reference] !== undefined) continue
      filled[section] = { ...filled[section], [reference]: chosen }
    }
  }
  return filled
}

function mergeSecret(name: string, value: unknown, kept: Secrets): string | undefined {
  if (value === null) return undefined
  if (value === undefined || value === '') return kept[name]
  if (typeof value !== 'string') throw invalidSettingError(name, 'Enter a text.')
  return value
}

function assertSize(values: FormaValues): void {
  if (Buffer.byteLength(JSON.stringify(values)) <= MAX_BYTES) return
  throw new AppError('invalid_request', 'The settings are too large. Enter less.', { source: { pointer: '/values' } })
}

export function withSecrets({ settings, secrets }: SettingsParts): FormaValues {
  const values: Record<string, Record<string, unknown>> = {}
  for (const [section, own] of Object.entries(settings)) values[section] = { ...own }
  for (const [name, secret] of Object.entries(secrets)) {
    const [section = '', element = ''] = name.split('.')
    values[section] = { ...values[section], [element]: secret }
  }
  return values
}

/** Validates given values; missing ones may come later. */
export function assertRight(forma: Forma, values: FormaValues, today: string): void {
  for (const [name, problem] of Object.entries(findFormaProblems(forma, values, { today }))) {
    if (problem !== REQUIRED) throw invalidSettingError(name, problem)
  }
}

export function assertEntered(forma: Forma, secrets: Secrets, sent: FormaValues): void {
  const names = Object.keys(secrets).filter((item) => {
    const [section = '', element = ''] = item.split('.')
    return !sent[section]?.[element]
  })
  const [first] = names
  if (first === undefined) return
  const labels = new Map(listElements(forma).map(({ name, element }) => [name, element.label]))
  const listed = new Intl.ListFormat('en-GB').format(names.map((name) => labels.get(name) ?? name))
  throw invalidSettingError(
    first,
    names.length === 1
      ? 'Enter this again: it is kept for the old address only, and never sent to another one.'
      : `Enter these again: ${listed}. They are kept for the old address only, and never sent to another one.`,
  )
}

export const isComplete = (forma: Forma, values: FormaValues, today: string) =>
  isFormaComplete(forma, values, { today })

export function listMissingNames(forma: Forma, values: FormaValues, today: string): string[] {
  const labels = new Map(listElements(forma).map(({ name, element }) => [name, element.label]))
  return Object.keys(findFormaProblems(forma, values, { today })).map((name) => labels.get(name) ?? name)
}

export function listElements(forma: Forma): { name: string; element: FormaElement }[] {
  return forma.sections.flatMap((section) =>
    section.elements.map((element) => ({ name: `${section.reference}.${element.reference}`, element })),
  )
}

function invalidSettingError(name: string, problem: string): AppError {
  return new AppError('invalid_request', problem, { source: { pointer: `/values/${name.replace('.', '/')}` } })
}

export function listChangedLabels(forma: Forma, before: FormaValues, after: FormaValues): string[] {
  return listElements(forma).flatMap(({ name, element }) => {
    const [section = '', reference = ''] = name.split('.')
    const isSame = JSON.stringify(before[section]?.[reference]) === JSON.stringify(after[section]?.[reference])
    return isSame ? [] : [element.label]
  })
}
