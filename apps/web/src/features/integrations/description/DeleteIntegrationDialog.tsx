import type { IntegrationDescription } from '@trellis/contract/integrations/integrations.schemas'
import { formatCount } from '../../../ui/data/amounts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import styles from '../integrations.module.css'
import { useDeleteIntegration } from '../../../connecting/connecting.queries.ts'
import { useIntegrationsPlace } from '../use-integrations.ts'

export function DeleteIntegrationDialog({
  about,
  onClose,
  onDeleted,
}: {
  about: IntegrationDescription
  onClose: () => void
  onDeleted: () => void
}) {
  const { address } = useIntegrationsPlace()
  const remove = useDeleteIntegration()
  const users = about.used_by
  const params = { ...address, integration_trellis_code: about.integration_trellis_code }
  return (
    <ConfirmDialog
      title={`Delete ${about.name}?`}
      canConfirm={users.length === 0}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ params }, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {users.length === 0 ? (
        <p>
          Its settings, secrets and consent are lost for good. What was read with it stays in the database, and nothing
          changes in {about.platform_name}.
        </p>
      ) : (
        <>
          <p>
            It can’t be deleted while {formatCount(users.length, 'thing')} {users.length === 1 ? 'uses' : 'use'} it.
            Take it out there first:
          </p>
          <ul className={styles.users}>
            {users.map((user) => (
              <li key={`${user.kind} ${user.trellis_code}`}>
                {user.name} <span className={styles.soft}>{user.kind}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}
