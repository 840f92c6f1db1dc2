export type Values = Record<string, string>
export type Errors = Record<string, string>

/** Shown after touch; a server error stays until the field changes. */
export function getVisibleErrors(errors: Errors, refusedErrors: Errors, touched: ReadonlySet<string>): Errors {
  const shown = Object.entries(errors).filter(([name]) => touched.has(name))
  return { ...refusedErrors, ...Object.fromEntries(shown) }
}

export function without(errors: Errors, name: string): Errors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => field !== name))
}

export function isPristine(values: Values): boolean {
  return Object.values(values).every((value) => value === '')
}

export function readValues(form: HTMLFormElement): Values {
  const values: Values = {}
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value
  return values
}

/** The same reference when nothing changed, to avoid a render. */
export function reuseIfEqual(before: Values, now: Values): Values {
  const names = Object.keys(now)
  const isSame = names.length === Object.keys(before).length && names.every((name) => before[name] === now[name])
  return isSame ? before : now
}

/** Chrome hides autofilled values from scripts until the first interaction, so the form looks empty to us. */
export function isAutofilled(form: HTMLFormElement): boolean {
  try {
    return form.querySelector(':autofill') !== null
  } catch {
    return false
  }
}

/** Blur counts as touch, except when leaving for a link, a button or another window. */
export function isTouch(event: { target: EventTarget | null; relatedTarget: EventTarget | null }): boolean {
  if (event.relatedTarget instanceof Element) return !event.relatedTarget.matches('a, button:not([type=submit])')
  return event.target !== document.activeElement
}
