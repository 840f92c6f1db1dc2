import { ShieldOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { FullNotice } from '../../ui/feedback/FullNotice.tsx'
import { Page, PageHeader } from '../../ui/layout/Page.tsx'
import { LinkTabs } from '../../ui/layout/Tabs.tsx'
import { useAdminScope, type AdminScope } from './admin-scope.ts'

interface FrameProps {
  title: string
  subtitle?: ReactNode
  actions?: (scope: AdminScope) => ReactNode
  /** Editors hide the tabs, so that nobody leaves by accident. */
  hasTabs?: boolean
  children: (scope: AdminScope) => ReactNode
}

export function AdminFrame({ title, subtitle, actions, hasTabs = true, children }: FrameProps) {
  const scope = useAdminScope()
  if (!scope.canRead) {
    return (
      <FullNotice icon={<ShieldOff />} title="Only editors and admins manage rights">
        You can read the tables of this database. Who else may do what is seen by editors and changed by admins of the
        workspace.
      </FullNotice>
    )
  }
  return (
    <Page width={hasTabs ? 'normal' : 'narrow'}>
      <PageHeader title={title} subtitle={subtitle} actions={actions?.(scope)} />
      {hasTabs && (
        <LinkTabs
          label="Database"
          tabs={[
            { label: 'Schemas', to: scope.root },
            { label: 'Users', to: scope.path('users') },
            { label: 'Groups', to: scope.path('groups') },
            { label: 'Roles', to: scope.path('roles') },
            { label: 'External profiles', to: scope.path('external-profiles') },
            { label: 'Rights', to: scope.path('rights') },
            { label: 'Connection', to: scope.path('connection') },
          ]}
        />
      )}
      {children(scope)}
    </Page>
  )
}
