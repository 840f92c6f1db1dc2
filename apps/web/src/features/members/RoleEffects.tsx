import type { WorkspaceRole } from '@trellis/contract/core/permissions'
import type { MemberAccessEffect } from '@trellis/contract/members/members.schemas'
import styles from './members.module.css'
import { ROLES } from './role-labels.ts'

const getRoleLabel = (role: WorkspaceRole | null) => (role === null ? 'No access' : ROLES[role].label)

export function RoleEffects({ effects }: { effects: readonly MemberAccessEffect[] }) {
  if (effects.length === 0) return <p>The role in each workspace stays as it is.</p>
  return (
    <>
      <p>This takes effect at once, also for open sessions.</p>
      <ul className={styles.effects}>
        {effects.map((effect) => (
          <li key={effect.workspace_trellis_code}>
            <strong>{effect.workspace_name}</strong>
            <span>{`${getRoleLabel(effect.role_before)} → ${getRoleLabel(effect.role_after)}`}</span>
            <p>{describeDatabase(effect.database)}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

export function describeDatabase(database: MemberAccessEffect['database']): string {
  if (database === null) return 'No database login.'
  const { logins, roles_lost, roles_gained, is_removed } = database
  const subject =
    logins.length === 0
      ? 'The database profile'
      : `Database ${logins.length === 1 ? 'login' : 'logins'} ${logins.join(', ')}`
  if (is_removed)
    return logins.length === 0
      ? 'The database profile is deleted.'
      : `${subject} ${logins.length === 1 ? 'is' : 'are'} deleted and open connections end.`
  const verb = (one: string, many: string) => (logins.length > 1 ? many : one)
  const parts = [
    ...(roles_lost.length > 0 ? [`${verb('loses', 'lose')} ${roles_lost.join(', ')}`] : []),
    ...(roles_gained.length > 0 ? [`${verb('gets', 'get')} ${roles_gained.join(', ')}`] : []),
  ]
  return parts.length === 0
    ? `${subject} ${verb('keeps its', 'keep their')} rights.`
    : `${subject} ${parts.join(' and ')}.`
}
