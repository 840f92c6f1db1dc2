import * as z from 'zod/mini'
import type { Errors, Values } from '../form/auth-form.ts'

export function findSchemaErrors(schema: z.core.$ZodType, values: Values): Errors {
  const parsed = z.safeParse(schema, values)
  const errors: Errors = {}
  for (const issue of parsed.success ? [] : parsed.error.issues) errors[String(issue.path[0])] ??= issue.message
  return errors
}
