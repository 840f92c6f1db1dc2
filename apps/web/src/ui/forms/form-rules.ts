interface FormStanding {
  isValid: boolean
  isDirty: boolean
  isSubmitting: boolean
  isDisabled?: boolean
}

/** The one rule of every form: nothing is sent while it is invalid, untouched, busy or switched off. */
export function canSubmit({ isValid, isDirty, isSubmitting, isDisabled = false }: FormStanding): boolean {
  return isValid && isDirty && !isSubmitting && !isDisabled
}

/** An error is shown only once the person has been in the field. */
export function shownError(isTouched: boolean | undefined, message: string | undefined): string | undefined {
  return isTouched ? message : undefined
}

/** `/preferences/themeMode`, as the server points at a fault, becomes the field's own name `preferences.themeMode`. */
export function toFieldName(pointer: string | undefined): string | undefined {
  const name = pointer
    ?.split('/')
    .filter(Boolean)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  return name === '' ? undefined : name
}
