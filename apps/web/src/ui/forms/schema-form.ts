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
  setFieldError(name: string, message: string): void
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
    const change = (
      name: string,
      value: unknown,
      extra: (oldState: State<Values>) => Partial<State<Values>> = () => ({}),
    ) =>
      setState((oldState) => ({
        ...oldState,
        ...extra(oldState),
        values: withValueAt(oldState.values, name, value),
        refused: Object.fromEntries(Object.entries(oldState.refused).filter(([field]) => field !== name)),
        isRefused: false,
      }))
    return {
      setValue: (name: string, value: unknown) => change(name, value),
      type: (name: string, value: unknown) =>
        change(name, value, (oldState) => {
          const isOwn = !isSame(valueAt(oldState.start, name), value)
          return { typed: new Set([...oldState.typed].filter((item) => item !== name).concat(isOwn ? name : [])) }
        }),
      touch: (name: string) => setState((oldState) => ({ ...oldState, touched: new Set(oldState.touched).add(name) })),
      setFieldError: (name: string, message: string) =>
        setState((oldState) => {
          const isOutdated =
            oldState.sent !== null && !isSame(valueAt(oldState.sent, name), valueAt(oldState.values, name))
          return isOutdated
            ? oldState
            : { ...oldState, refused: { ...oldState.refused, [name]: message }, isRefused: true }
        }),
      reset: (next?: Values) =>
        setState((oldState) => ({ ...begin(next ?? oldState.start), isSubmitting: oldState.isSubmitting })),
      follow: (next: Values) => setState((oldState) => mergeServerValues(oldState, next)),
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
      setState((oldState) => ({ ...oldState, sent: values, isSubmitting: true }))
      try {
        await onSubmit(checked.data)
      } finally {
        setState((oldState) => ({ ...oldState, isSubmitting: false }))
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

function mergeServerValues<Values extends object>(oldState: State<Values>, next: Values): State<Values> {
  if (isSame(oldState.start, next)) return oldState
  const kept = Object.entries(oldState.values).filter(([name, value]) => !isSame(value, valueAt(oldState.start, name)))
  return { ...oldState, start: next, values: { ...next, ...Object.fromEntries(kept) } }
}
