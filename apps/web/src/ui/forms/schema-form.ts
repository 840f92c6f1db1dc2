import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { shownError } from './form-rules.ts'
import { isSame, valueAt, withValueAt } from './form-values.ts'

interface State<Values> {
  /** What the form began with; differing from it makes the form dirty. */
  start: Values
  values: Values
  touched: ReadonlySet<string>
  /** Fields that hold something the person wrote. */
  typed: ReadonlySet<string>
  /** What the server said about a field, until that field changes. */
  refused: Readonly<Record<string, string>>
  /** What was sent last: a refusal speaks of it. */
  sent: Values | null
  /** The server refused exactly these values. */
  isRefused: boolean
  isSubmitting: boolean
}

export interface SchemaForm<Values extends object> {
  values: Values
  isValid: boolean
  isDirty: boolean
  isSubmitting: boolean
  isTyped(name: string): boolean
  /** Problems are shown once the person has been in the field; the server's at once. */
  getShownError(name: string): string | undefined
  setValue<Name extends keyof Values & string>(name: Name, value: Values[Name]): void
  /** The person changed the field. */
  type(name: string, value: unknown): void
  touch(name: string): void
  refuse(name: string, message: string): void
  reset(values?: Values): void
  /** New values to begin from; what the person has changed stays. */
  follow(values: Values): void
  submit(onSubmit: (values: Values) => Promise<unknown> | void): Promise<void>
}

/** A form over the same schema the server checks with. */
export function useSchemaForm<Values extends object>(
  schema: z.ZodMiniType<Values, Values>,
  defaults: NoInfer<Values>,
): SchemaForm<Values> {
  const [state, setState] = useState(() => begin(defaults))
  const { start, values, touched, typed, refused, isRefused, isSubmitting } = state
  const checked = useMemo(() => z.safeParse(schema, values), [schema, values])
  const actions = useMemo(() => {
    const change = (name: string, value: unknown, extra: (old: State<Values>) => Partial<State<Values>> = () => ({})) =>
      setState((old) => ({
        ...old,
        ...extra(old),
        values: withValueAt(old.values, name, value),
        refused: Object.fromEntries(Object.entries(old.refused).filter(([field]) => field !== name)),
        isRefused: false,
      }))
    return {
      setValue: (name: string, value: unknown) => change(name, value),
      type: (name: string, value: unknown) =>
        change(name, value, (old) => {
          const isOwn = !isSame(valueAt(old.start, name), value)
          return { typed: new Set([...old.typed].filter((one) => one !== name).concat(isOwn ? name : [])) }
        }),
      touch: (name: string) => setState((old) => ({ ...old, touched: new Set(old.touched).add(name) })),
      refuse: (name: string, message: string) =>
        setState((old) => {
          const isOutdated = old.sent !== null && !isSame(valueAt(old.sent, name), valueAt(old.values, name))
          return isOutdated ? old : { ...old, refused: { ...old.refused, [name]: message }, isRefused: true }
        }),
      reset: (next?: Values) => setState((old) => ({ ...begin(next ?? old.start), isSubmitting: old.isSubmitting })),
      follow: (next: Values) => setState((old) => mergeServerValues(old, next)),
    }
  }, [])

  return {
    ...actions,
    values,
    isValid: checked.success && !isRefused,
    isDirty: !isSame(values, start),
    isSubmitting,
    isTyped: (name) => typed.has(name),
    getShownError: (name) => {
      const problem = checked.error?.issues.find(({ path }) => path.join('.') === name)
      return refused[name] ?? shownError(touched.has(name), problem?.message)
    },
    submit: async (onSubmit) => {
      if (!checked.success) return
      setState((old) => ({ ...old, sent: values, isSubmitting: true }))
      try {
        await onSubmit(checked.data)
      } finally {
        setState((old) => ({ ...old, isSubmitting: false }))
      }
    },
  }
}

function begin<Values>(start: Values): State<Values> {
  const none = new Set<string>()
  return {
    start,
    values: start,
    touched: none,
    typed: none,
    refused: {},
    sent: null,
    isRefused: false,
    isSubmitting: false,
  }
}

function mergeServerValues<Values extends object>(old: State<Values>, next: Values): State<Values> {
  if (isSame(old.start, next)) return old
  const kept = Object.entries(old.values).filter(([name, value]) => !isSame(value, valueAt(old.start, name)))
  return { ...old, start: next, values: { ...next, ...Object.fromEntries(kept) } }
}
