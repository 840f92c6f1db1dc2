import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { findFormaProblems, isFormaComplete } from '@trellis/contract/formas/forma-rules'
import { useMemo, useState } from 'react'
import { getInitialValues } from '../../../../formas/forma-start.ts'
import { toLocalDay } from '../../../../ui/dates/local-day.ts'
import type { FormaForm } from '../../../../formas/use-forma.ts'
import { withValueAt } from '../../../../ui/forms/form-values.ts'
import { isSameData } from '../draft/settings-parts.ts'

const nothing = () => undefined

export function useControlledForma(
  forma: Forma,
  kept: FormaValues,
  onChange: (values: FormaValues, element: string) => void,
): FormaForm {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const values = useMemo(() => getInitialValues(forma, kept), [forma, kept])
  const judged = useMemo(() => {
    const context = { today: toLocalDay(new Date()) }
    return { problems: findFormaProblems(forma, values, context), isComplete: isFormaComplete(forma, values, context) }
  }, [forma, values])
  return {
    forma,
    values,
    ...judged,
    isDirty: true,
    getShownError: (name) => (touched.has(name) ? judged.problems[name] : undefined),
    isKept: () => false,
    setValue: (name, value) => onChange(withElement(values, name, value), name),
    touch: (name) => setTouched((old) => new Set(old).add(name)),
    replaceSecret: nothing,
    refuse: nothing,
    refuseSaved: nothing,
    forgetRefusals: nothing,
    reset: nothing,
    change: (next) => onChange(next, ''),
  }
}

function withElement(values: FormaValues, name: string, value: unknown): FormaValues {
  if (value !== undefined) return withValueAt(values, name, value)
  const [section = '', element = ''] = name.split('.')
  const { [element]: _gone, ...others } = values[section] ?? {}
  return { ...values, [section]: others }
}

/** An empty section equals a missing one: opening the form must not count as a change. */
export const isFilledAlike = (formaValues: FormaValues, other: FormaValues): boolean =>
  isSameData(omitEmptyGroups(formaValues), omitEmptyGroups(other))

const omitEmptyGroups = (values: FormaValues): FormaValues =>
  Object.fromEntries(Object.entries(values).filter(([, elements]) => Object.keys(elements).length > 0))

/** Of several, the one that matches the values' sections. */
export function findForma(formas: readonly Forma[], values: FormaValues): Forma | undefined {
  const fits = (forma: Forma) => forma.sections.some(({ reference }) => values[reference] !== undefined)
  return formas.find(fits) ?? formas[0]
}
