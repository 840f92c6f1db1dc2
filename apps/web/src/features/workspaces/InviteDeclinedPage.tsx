import { MailX } from 'lucide-react'
import { ButtonLink } from '../../ui/actions/Button.tsx'
import { FullNotice } from '../../ui/feedback/FullNotice.tsx'
import { useCachedAccounts } from '../accounts/accounts.queries.ts'
import { listAccountsToAddTo } from './create/workspace-form.ts'

export function Component() {
  const [first] = listAccountsToAddTo(useCachedAccounts(), new Date())
  return (
    <FullNotice
      icon={<MailX />}
      title="Invite declined"
      actions={
        <>
          <ButtonLink variant="primary" to={first ? `/${first.trellis_code}/create-workspace` : '/create-account'}>
            Create workspace
          </ButtonLink>
          <ButtonLink to="/workspaces">Back to workspace selection</ButtonLink>
        </>
      }
    >
      <p>You did not join the account. Whoever invited you can send a new invite at any time.</p>
      <p>You can also start with a workspace of your own.</p>
    </FullNotice>
  )
}
