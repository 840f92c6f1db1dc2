import { useEffect, useId, useRef, useState } from 'react'
import type { FocusEvent, FormEvent } from 'react'
import { ApiError, getErrorDetail, getErrorField } from '../../api/api-error.ts'
import { showToast } from '../parts/toasts.ts'
import type { CheckName } from '../work/checks.ts'
import { loadWork, useWork } from '../work/work-loader.ts'
import type { Work } from '../work/work-loader.ts'
import { isAutofilled, isPristine, isTouch, getVisibleErrors, reuseIfEqual, readValues, without } from './auth-form.ts'
import type { Errors, Values } from './auth-form.ts'

interface AuthFormOptions {
  names: readonly string[]
  check: CheckName
  onSubmit: (values: Values, work: Work) => Promise<void>
  initial?: Values
}

export interface AuthForm {
  values: Values
  errors: Errors
  canSubmit: boolean
  isBusy: boolean
  formProps: object
  toFieldId: (name: string) => string
  /** Marks the field the server rejected; false when it is not in this form. */
  refuse: (error: unknown, fallbackField?: string) => boolean
  pointAt: (name: string) => void
}

/**
 * Inputs are uncontrolled, so that values typed or autofilled before hydration count. Errors show after touch; a submit
 * before the schemas have loaded waits for them.
 */
export function useAuthForm({ names, check, onSubmit, initial }: AuthFormOptions): AuthForm {
  const prefix = useId()
  const work = useWork()
  const ref = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Values>(() => Object.fromEntries(names.map((name) => [name, ''])))
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [refusedErrors, setRefused] = useState<Errors>({})
  const [isFilledByBrowser, setFilledByBrowser] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const sync = () => {
    const form = ref.current
    if (!form) return
    setValues((before) => reuseIfEqual(before, readValues(form)))
    setFilledByBrowser(isAutofilled(form))
  }
  const field = (name: string) => ref.current?.elements.namedItem(name) as HTMLInputElement | null | undefined

  // By value: an equal object must not fill the fields again.
  const prefill = JSON.stringify(initial ?? {})
  useEffect(() => {
    for (const [name, value] of Object.entries(JSON.parse(prefill) as Values)) {
      const input = field(name)
      if (input && input.value === '') input.value = value
    }
    sync()
    const whenFilled = setTimeout(sync, 400)
    return () => clearTimeout(whenFilled)
  }, [prefill])

  // The first validation of a schema is slow; skip it for an untouched form.
  const isUntouched = isPristine(values) && touched.size === 0
  const errors = isUntouched || !work ? {} : work.checks[check](values)
  const isComplete = work ? Object.keys(errors).length === 0 : names.every((name) => values[name])

  const pointOut = (problems: Errors): boolean => {
    const firstBad = names.find((name) => problems[name])
    if (!firstBad) return false
    setTouched(new Set(names))
    field(firstBad)?.focus()
    return true
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const current = readValues(event.currentTarget)
    setValues(current)
    if (isBusy) return
    if (work && pointOut(work.checks[check](current))) return
    setBusy(true)
    try {
      const loaded = work ?? (await loadWork())
      if (work || !pointOut(loaded.checks[check](current))) await onSubmit(current, loaded)
    } catch (error) {
      showToast({ tone: 'error', text: getErrorDetail(error) })
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    errors: getVisibleErrors(errors, refusedErrors, touched),
    canSubmit: !isBusy && (isFilledByBrowser || (isComplete && !isPristine(values))),
    isBusy,
    formProps: {
      ref,
      noValidate: true,
      onSubmit: submit,
      onInput: (event: FormEvent<HTMLFormElement>) => {
        const { name } = event.target as HTMLInputElement
        setRefused((before) => (name in before ? without(before, name) : before))
        sync()
      },
      onBlur: (event: FocusEvent<HTMLFormElement>) => {
        const { name } = event.target as unknown as HTMLInputElement
        if (name && isTouch(event)) setTouched((before) => new Set(before).add(name))
      },
    },
    pointAt: (name) => {
      field(name)?.focus()
      field(name)?.select()
    },
    toFieldId: (name) => `${prefix}${name}`,
    refuse: (error, fallbackField) => {
      if (!(error instanceof ApiError)) return false
      const name = getErrorField(error) ?? fallbackField
      if (!name || !names.includes(name)) return false
      setRefused({ [name]: error.detail })
      field(name)?.focus()
      return true
    },
  }
}
