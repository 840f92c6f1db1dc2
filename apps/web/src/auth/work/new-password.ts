import type * as z from 'zod/mini'
import type { Errors, Values } from '../form/auth-form.ts'
import { findSchemaErrors } from './schema-errors.ts'

export function withConfirmation(schema: z.core.$ZodType, passwordField: string): (values: Values) => Errors {
  return (values) => {
    const errors = findSchemaErrors(schema, values)
    if (values['confirm'] !== values[passwordField]) errors['confirm'] = 'Passwords do not match'
    return errors
  }
}
