import type { LoginNameQuestion } from '@trellis/contract/database-admin/database-admin.schemas'
import type * as z from 'zod/mini'
import { useSettled } from '../../ui/data/use-settled.ts'
import { TextField } from '../../ui/forms/TextField.tsx'
import type { AdminScope } from './admin-scope.ts'
import { useSuggestedLoginName } from './database-admin.queries.ts'

interface LoginNameProps {
  scope: AdminScope
  /** Null: the suggested name. */
  value: string | null
  onChange: (name: string | null) => void
  about: Omit<z.input<typeof LoginNameQuestion>, 'integration_trellis_code'>
  error?: string | undefined
}

export function LoginNameField({ scope, value, onChange, about, error }: LoginNameProps) {
  const settled = useSettled(JSON.stringify(about))
  const suggestion = useSuggestedLoginName(scope, JSON.parse(settled) as typeof about)
  return (
    <TextField
      label="Login name"
      hint="The user name tools connect with. It stays the same when the workspace is renamed, and can not be changed later."
      autoComplete="off"
      spellCheck={false}
      maxLength={60}
      disabled={!scope.canWrite}
      value={value ?? suggestion.data?.login_name ?? ''}
      error={error ?? (suggestion.isError && value === null ? suggestion.error.message : undefined)}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => value === '' && onChange(null)}
    />
  )
}
