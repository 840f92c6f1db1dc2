import type { ExternalProfile } from '@trellis/contract/database-admin/database-admin.schemas'
import { useNavigate } from 'react-router'
import { TypedConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { useDeleteExternal } from '../database-admin.queries.ts'

interface RevokeProps {
  scope: AdminScope
  profile: ExternalProfile
  onClose: () => void
}

export function RevokeDialog({ scope, profile, onClose }: RevokeProps) {
  const remove = useDeleteExternal()
  const navigate = useNavigate()
  const params = { ...scope.params, profile_trellis_code: profile.profile_trellis_code }
  return (
    <TypedConfirmDialog
      title={`Revoke ${profile.name}?`}
      word="revoke"
      confirmLabel="Revoke"
      isBusy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ params }, { onSuccess: () => void navigate(scope.path('external-profiles')) })}
      onClose={onClose}
    >
      Its login is deleted and its open connections end at once. Whatever uses it stops working until it gets another
      login. This can’t be undone.
    </TypedConfirmDialog>
  )
}
