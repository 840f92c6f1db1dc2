import { isEmail, withTyped } from './email-list.ts'

export const STEPS = ['Emails', 'Access level', 'Workspace roles'] as const

export type AccessLevel = 'account_admin' | 'account_view'

export interface WizardValues {
  emails: readonly string[]
  inputText: string
  access: AccessLevel | ''
  /** Role ids by workspace code; a missing workspace means no access. */
  roles: Readonly<Record<string, number>>
}

export const EMPTY: WizardValues = { emails: [], inputText: '', access: '', roles: {} }

/** Full control needs no workspace roles. */
export function isLastStep(step: number, access: WizardValues['access']): boolean {
  return step === 2 || (step === 1 && access === 'account_admin')
}

export function canGoOn(step: number, { emails, access, roles }: WizardValues): boolean {
  if (emails.length === 0 || !emails.every(isEmail)) return false
  if (step === 0) return true
  if (access === '') return false
  return step === 1 || Object.keys(roles).length > 0
}

/** On Next, not on blur: a new chip would move the button being clicked. */
export const addTypedEmail = (values: WizardValues): WizardValues => ({
  ...values,
  emails: withTyped(values.emails, values.inputText),
  inputText: '',
})

export function withRole(roles: WizardValues['roles'], code: string, roleId: number | null): WizardValues['roles'] {
  const rest = Object.fromEntries(Object.entries(roles).filter(([known]) => known !== code))
  return roleId === null ? rest : { ...rest, [code]: roleId }
}

export function withSameRole(codes: readonly string[], roleId: number | null): WizardValues['roles'] {
  return roleId === null ? {} : Object.fromEntries(codes.map((code) => [code, roleId]))
}

/** Null when no workspace has a role, undefined when they differ. */
export function findCommonRole(codes: readonly string[], roles: WizardValues['roles']): number | null | undefined {
  const all = new Set(codes.map((code) => roles[code] ?? null))
  return all.size === 1 ? [...all][0] : undefined
}

export function toRequests(values: WizardValues, accountRoleId: number) {
  const workspace_roles =
    values.access === 'account_admin'
      ? []
      : Object.entries(values.roles).map(([workspace_trellis_code, workspace_role_id]) => ({
          workspace_trellis_code,
          workspace_role_id,
        }))
  return values.emails.map((user_email) => ({ user_email, account_role_id: accountRoleId, workspace_roles }))
}

export type InviteResults = Readonly<Record<string, { status: boolean; message: string }>>

export function failedEmails(results: InviteResults): string[] {
  return Object.entries(results)
    .filter(([, result]) => !result.status)
    .map(([email]) => email)
}
