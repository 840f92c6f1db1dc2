import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { findFormaProblems, isFormaComplete, getValue } from '@trellis/contract/formas/forma-rules'
import { useMemo, useState } from 'react'
import { canSubmit, shownError } from '../ui/forms/form-rules.ts'
import { isSame } from '../ui/forms/form-values.ts'
import { getInitialValues } from './forma-start.ts'
import { withInputsSection } from './manifest-inputs.ts'
import { toLocalDay } from '../ui/dates/local-day.ts'

interface State {
  start: FormaValues
  values: FormaValues
  touched: ReadonlySet<string>
  replaced: ReadonlySet<string>
  /** Server errors by element, until it changes. */
  refused: Readonly<Record<string, string>>
}

export interface FormaForm {
  forma: Forma
  values: FormaValues
  problems: Readonly<Record<string, string>>
  isComplete: boolean
  isDirty: boolean
  getShownError(name: string): string | undefined
  isKept(name: string): boolean
  setValue(name: string, value: unknown): void
  touch(name: string): void
  replaceSecret(name: string, isReplaced: boolean): void
  refuse(name: string, message: string): void
  /** Like `refuse`, but ignores values that were changed since the save. */
  refuseSaved(name: string, message: string): void
  forgetRefusals(): void
  reset(kept?: FormaValues): void
  change(values: FormaValues): void
}

interface Options {
  kept?: FormaValues
  secretsSet?: readonly string[]
  custom?: (values: FormaValues) => boolean
}

const NONE: readonly string[] = []

/** Validates with the server's own rules. */
export function useForma(described: Forma, { kept, secretsSet = NONE, custom }: Options = {}): FormaForm {
  const [state, setState] = useState<State>(() => begin(getInitialValues(described, kept)))
  const { start, values, touched, replaced, refused } = state
  const forma = useMemo(() => withInputsSection(described, values), [described, values])
  const judged = useMemo(() => {
    const stillKept = secretsSet.filter((name) => !replaced.has(name))
    const context = { today: toLocalDay(new Date()), secretsSet: stillKept, ...(custom && { custom }) }
    return { problems: findFormaProblems(forma, values, context), isComplete: isFormaComplete(forma, values, context) }
  }, [forma, values, secretsSet, replaced, custom])
  const actions = useMemo(
    () => ({
      setValue: (name: string, value: unknown) =>
        setState((oldState) => ({
          ...oldState,
          values: withElement(oldState.values, name, value),
          refused: Object.fromEntries(Object.entries(oldState.refused).filter(([one]) => one !== name)),
        })),
      touch: (name: string) => setState((oldState) => ({ ...oldState, touched: new Set(oldState.touched).add(name) })),
      replaceSecret: (name: string, isReplaced: boolean) =>
        setState((oldState) => ({
          ...oldState,
          values: isReplaced ? oldState.values : withElement(oldState.values, name, undefined),
          replaced: new Set([...oldState.replaced].filter((item) => item !== name).concat(isReplaced ? name : [])),
        })),
      refuse: (name: string, message: string) =>
        setState((oldState) => ({ ...oldState, refused: { ...oldState.refused, [name]: message } })),
      refuseSaved: (name: string, message: string) =>
        setState((oldState) =>
          isSame(getElementValue(oldState.start, name), getElementValue(oldState.values, name))
            ? { ...oldState, refused: { ...oldState.refused, [name]: message } }
            : oldState,
        ),
      forgetRefusals: () => setState((oldState) => ({ ...oldState, refused: {} })),
      reset: (next?: FormaValues) =>
        setState((oldState) => begin(next ? getInitialValues(described, next) : oldState.start)),
      change: (next: FormaValues) => setState((oldState) => ({ ...oldState, values: next })),
    }),
    [described],
  )
  return {
    ...actions,
    forma,
    values,
    ...judged,
    isDirty: !isSame(values, start) || replaced.size > 0,
    getShownError: (name) => refused[name] ?? shownError(touched.has(name), judged.problems[name]),
    isKept: (name) => secretsSet.includes(name) && !replaced.has(name),
  }
}

export function canSend(form: FormaForm, { isBusy, isDisabled = false }: { isBusy: boolean; isDisabled?: boolean }) {
  return canSubmit({ isValid: form.isComplete, isDirty: form.isDirty, isSubmitting: isBusy, isDisabled })
}

export function getElementValue(values: FormaValues, name: string): unknown {
  const [section = '', element = ''] = name.split('.')
  return getValue(values, section, element)
}

function withElement(values: FormaValues, name: string, value: unknown): FormaValues {
  const [section = '', element = ''] = name.split('.')
  const { [element]: _old, ...others } = values[section] ?? {}
  return { ...values, [section]: value === undefined ? others : { ...others, [element]: value } }
}

function begin(start: FormaValues): State {
  return { start, values: start, touched: new Set(), replaced: new Set(), refused: {} }
}
