import type { Route } from '../http/handle.ts'
import { accountsRoutes } from './accounts/accounts.routes.ts'
import { identityRoutes } from './identity/identity.routes.ts'
import { mailboxRoutes } from './mailbox/mailbox.routes.ts'
import { profileRoutes } from './profile/profile.routes.ts'
import { workspacesRoutes } from './workspaces/workspaces.routes.ts'

export const allRoutes: readonly Route[] = [
  ...identityRoutes,
  ...profileRoutes,
  ...accountsRoutes,
  ...workspacesRoutes,
  ...mailboxRoutes,
]
