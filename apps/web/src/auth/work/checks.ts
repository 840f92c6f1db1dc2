import {
  Email,
  EmailedCode,
  Login,
  NewPassword,
  ResendCode,
  SecondFactor,
  Signup,
  SignupConfirm,
} from '@trellis/contract/identity/identity.schemas'
import * as z from 'zod/mini'
import type { Errors, Values } from '../form/auth-form.ts'
import { withConfirmation } from './new-password.ts'
import { findSchemaErrors } from './schema-errors.ts'

const by = (schema: z.core.$ZodType) => (values: Values) => findSchemaErrors(schema, values)

export const checks = {
  login: by(Login),
  secondFactor: by(z.object({ second_factor: SecondFactor })),
  signup: withConfirmation(Signup, 'password'),
  activate: by(SignupConfirm),
  activateElsewhere: by(z.extend(SignupConfirm, { password: Login.shape.password })),
  forgot: by(ResendCode),
  reset: withConfirmation(z.object({ confirmation_code: EmailedCode, new_password: NewPassword }), 'new_password'),
} satisfies Record<string, (values: Values) => Errors>

export type CheckName = keyof typeof checks

export function isEmail(text: string): boolean {
  return z.safeParse(Email, text).success
}
