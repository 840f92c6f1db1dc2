import { Boxes, Building2, RotateCcw } from 'lucide-react'
import { Button } from '../../ui/actions/Button.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { showToast } from '../../ui/feedback/toasts.ts'
import { Card } from '../../ui/layout/Card.tsx'
import { useDeleted, useCachedAccounts, useRestoreDeleted } from '../accounts/accounts.queries.ts'
import styles from './workspaces.module.css'

type DeletedWorkspace = NonNullable<ReturnType<typeof useDeleted>['data']>[number]

export function RecentlyDeleted() {
  const deletedQuery = useDeleted()
  if (deletedQuery.isError) {
    return (
      <ErrorPanel
        title="What was deleted recently could not be loaded"
        detail={deletedQuery.error.message}
        reference={deletedQuery.error.requestId}
        isRetrying={deletedQuery.isFetching}
        onRetry={() => void deletedQuery.refetch()}
      />
    )
  }
  if (!deletedQuery.data?.length) return null
  return (
    <Card isFlush title="Recently deleted" subtitle="Can be restored for 7 days. Then the data is gone.">
      <ul className={styles.deleted}>
        {deletedQuery.data.map((item) => (
          <DeletedRow key={`${item.kind} ${item.trellis_code}`} one={item} />
        ))}
      </ul>
    </Card>
  )
}

function DeletedRow({ one }: { one: DeletedWorkspace }) {
  const restore = useRestoreDeleted()
  const account = useCachedAccounts().find((candidate) => candidate.trellis_code === one.account_trellis_code)
  const restoreDeleted = () =>
    restore.mutate(
      { params: { kind: one.kind, trellis_code: one.trellis_code } },
      { onSuccess: () => showToast({ tone: 'success', text: `${one.name} is back.` }) },
    )
  return (
    <li>
      <span className={styles.deletedIcon}>
        {one.kind === 'account' ? <Building2 aria-hidden /> : <Boxes aria-hidden />}
      </span>
      <span className={styles.deletedText}>
        <span className={styles.name}>{one.name}</span>
        <span className={styles.deletedNote}>
          {one.kind === 'account' ? 'Account' : `Workspace of ${account?.name ?? one.account_trellis_code}`} · deleted{' '}
          <DateTime value={one.deleted_at} format="recent" /> · gone for good <DateTime value={one.gone_at} />
        </span>
      </span>
      <Button
        size="sm"
        icon={<RotateCcw aria-hidden />}
        isBusy={restore.isPending}
        aria-label={`Restore ${one.name}`}
        onClick={restoreDeleted}
      >
        Restore
      </Button>
    </li>
  )
}
