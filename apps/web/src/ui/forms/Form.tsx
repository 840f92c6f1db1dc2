import { createContext, useContext, type ChangeEvent, type ComponentProps, type ReactNode } from 'react'
import { Button } from '../actions/Button.tsx'
import { canSubmit, toFieldName } from './form-rules.ts'
import { valueAt } from './form-values.ts'
import styles from './forms.module.css'
import type { SchemaForm } from './schema-form.ts'
import { Select } from './Select.tsx'
import { PasswordField, TextField } from './TextField.tsx'

const FormContext = createContext<{ form: SchemaForm<object>; isDisabled: boolean } | null>(null)

function useFormHere() {
  const here = useContext(FormContext)
  if (!here) throw new Error('A form field stands outside of a Form')
  return here
}

interface FormScopeProps<Values extends object> {
  form: SchemaForm<Values>
  isDisabled?: boolean
  children: ReactNode
}

/** For fields and buttons that stand outside of the form they belong to, as in the footer of a dialog. */
export function FormScope<Values extends object>({ form, isDisabled = false, children }: FormScopeProps<Values>) {
  return <FormContext value={{ form: form as unknown as SchemaForm<object>, isDisabled }}>{children}</FormContext>
}

export function Form<Values extends object>({
  id,
  form,
  onSubmit,
  isDisabled = false,
  children,
}: FormScopeProps<Values> & {
  id?: string
  onSubmit: (values: Values) => Promise<unknown> | void
}) {
  return (
    <FormScope form={form} isDisabled={isDisabled}>
      <form
        id={id}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.stopPropagation()
          event.preventDefault()
          if (canSubmit({ ...form, isDisabled })) void form.submit(onSubmit)
        }}
      >
        {children}
      </form>
    </FormScope>
  )
}

function useField(name: string) {
  const { form, isDisabled } = useFormHere()
  return {
    name,
    value: valueAt(form.values, name) as string,
    error: form.getShownError(name),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => form.type(name, event.target.value),
    onBlur: () => form.touch(name),
    disabled: isDisabled || undefined,
  }
}

type FieldName = { name: string }

export function FormTextField({
  name,
  ...props
}: FieldName & Omit<ComponentProps<typeof TextField>, 'name' | 'error'>) {
  return <TextField {...props} {...withoutUndefined(useField(name))} />
}

export function FormPasswordField({
  name,
  ...props
}: FieldName & Omit<ComponentProps<typeof PasswordField>, 'name' | 'error'>) {
  return <PasswordField {...props} {...withoutUndefined(useField(name))} />
}

export function FormSelect({ name, ...props }: FieldName & Omit<ComponentProps<typeof Select>, 'name' | 'error'>) {
  return <Select {...props} {...withoutUndefined(useField(name))} />
}

function withoutUndefined<T extends { disabled: true | undefined }>({ disabled, ...rest }: T) {
  return disabled ? { ...rest, disabled } : rest
}

/** Disabled while the form is invalid, pristine or busy. */
export function SubmitButton({ children, ...props }: ComponentProps<typeof Button>) {
  const { form, isDisabled } = useFormHere()
  const isReady = canSubmit({ ...form, isDisabled: isDisabled || props.disabled === true })
  return (
    <Button variant="primary" {...props} type="submit" isBusy={form.isSubmitting} disabled={!isReady}>
      {children}
    </Button>
  )
}

export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div className={styles.actions} data-form-actions>
      {children}
    </div>
  )
}

/** Puts the server's complaint at the field it points at; false when it names none of this form's fields. */
export function showServerError(
  form: Pick<SchemaForm<object>, 'values' | 'setFieldError'>,
  error: { detail: string; source?: { pointer?: string } | undefined },
): boolean {
  const name = toFieldName(error.source?.pointer)
  if (name === undefined || valueAt(form.values, name) === undefined) return false
  form.setFieldError(name, error.detail)
  return true
}
