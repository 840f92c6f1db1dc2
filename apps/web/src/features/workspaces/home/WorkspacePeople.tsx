import { Users } from 'lucide-react'
import { Avatar } from '../../../ui/data/Avatar.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { useWorkspaceMembers } from '../../members/members.queries.ts'
import { fullName } from '../../profile/profile.queries.ts'
import styles from './dashboard.module.css'
import { ROLE_NAMES } from '../role-names.ts'

export function WorkspacePeople({ accountCode, address }: { accountCode: string; address: string }) {
  const people = useWorkspaceMembers({ account_trellis_code: accountCode, workspace_address: address })
  if (people.isError) {
    return (
      <ErrorPanel
        title="The people of this workspace could not be loaded"
        detail={people.error.message}
        reference={people.error.requestId}
        isRetrying={people.isFetching}
        onRetry={() => void people.refetch()}
      />
    )
  }
  return (
    <Card isFlush title="People" subtitle="Everybody who may enter this workspace.">
      {people.isPending ? (
        <Loading label="Loading the people" className={styles.ghosts}>
          {['a', 'b', 'c'].map((key) => (
            <Skeleton key={key} width={180} height={28} />
          ))}
        </Loading>
      ) : people.data.length === 0 ? (
        <EmptyState icon={<Users />} title="Nobody yet" subtitle="People appear here once they may enter." />
      ) : (
        <ul className={styles.people} aria-label="People">
          {people.data.map(({ role, profile }) => (
            <li key={profile.id}>
              <Avatar name={fullName(profile)} email={profile.email} />
              <span className={styles.role}>{ROLE_NAMES[role]}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
