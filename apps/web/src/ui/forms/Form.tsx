import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { createContext, useContext, type ComponentProps, type ReactNode } from 'react'
import { get, useForm, type DefaultValues, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { Button } from '../actions/Button.tsx'
import { canSubmit, fieldOfPointer, shownError } from './form-rules.ts'
import styles from './forms.module.css'
import { Select } from './Select.tsx'
import { PasswordField, TextField } from './TextField.tsx'

type AnyForm = UseFormReturn<FieldValues, unknown, FieldValues>

const FormContext = createContext<{ form: AnyForm; isDisabled: boolean } | null>(null)

function useFormHere() {
  const here = useContext(FormContext)
  if (!here) throw new Error('A form field stands outside of a Form')
  return here
}

/** A form over the same schema the server checks with. Errors show after touch. */
export function useSchemaForm<Values extends FieldValues>(
  schema: z.ZodMiniType<Values, Values>,
  defaultValues: DefaultValues<Values>,
) {
  return useForm<Values>({ mode: 'onTouched', resolver: standardSchemaResolver(schema) as never, defaultValues })
}

export function Form<Values extends FieldValues>({
  form,
  onSubmit,
  isDisabled = false,
  children,
}: {
  form: UseFormReturn<Values>
  onSubmit: (values: Values) => Promise<unknown> | void
  isDisabled?: boolean
  children: ReactNode
}) {
  return (
    <FormContext value={{ form: form as unknown as AnyForm, isDisabled }}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.stopPropagation()
          event.preventDefault()
          const { isValid, isDirty, isSubmitting } = form.formState
          if (canSubmit({ isValid, isDirty, isSubmitting, isDisabled }))
            void form.handleSubmit((values) => onSubmit(values))()
        }}
      >
        {children}
      </form>
    </FormContext>
  )
}

function useField(name: string) {
  const { form, isDisabled } = useFormHere()
  const { errors, touchedFields } = form.formState
  const problem = get(errors, name) as { message?: string; type?: string } | undefined
  const isTouched = problem?.type === 'server' || Boolean(get(touchedFields, name))
  return { ...form.register(name), error: shownError(isTouched, problem?.message), disabled: isDisabled || undefined }
}

type Named = { name: string }

export function FormTextField({ name, ...props }: Named & Omit<ComponentProps<typeof TextField>, 'name' | 'error'>) {
  return <TextField {...props} {...withoutUndefined(useField(name))} />
}

export function FormPasswordField({
  name,
  ...props
}: Named & Omit<ComponentProps<typeof PasswordField>, 'name' | 'error'>) {
  return <PasswordField {...props} {...withoutUndefined(useField(name))} />
}

export function FormSelect({ name, ...props }: Named & Omit<ComponentProps<typeof Select>, 'name' | 'error'>) {
  return <Select {...props} {...withoutUndefined(useField(name))} />
}

function withoutUndefined<T extends { disabled: true | undefined }>({ disabled, ...rest }: T) {
  return disabled ? { ...rest, disabled } : rest
}

/** Disabled while the form is invalid, pristine or busy. */
export function SubmitButton({ children, ...props }: ComponentProps<typeof Button>) {
  const { form, isDisabled } = useFormHere()
  const { isValid, isDirty, isSubmitting } = form.formState
  const isReady = canSubmit({ isValid, isDirty, isSubmitting, isDisabled: isDisabled || props.disabled === true })
  return (
    <Button variant="primary" {...props} type="submit" isBusy={isSubmitting} disabled={!isReady}>
      {children}
    </Button>
  )
}

export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}

/** Puts the server's complaint at the field it points at; false when it names none of this form's fields. */
export function showServerError<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: { detail: string; source?: { pointer?: string } | undefined },
): boolean {
  const name = fieldOfPointer(error.source?.pointer)
  if (name === undefined || get(form.getValues(), name) === undefined) return false
  form.setError(name as never, { type: 'server', message: error.detail })
  return true
}
