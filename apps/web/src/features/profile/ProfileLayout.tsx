import { Outlet } from 'react-router'
import { Page, PageHeader } from '../../ui/layout/Page.tsx'
import { LinkTabs } from '../../ui/layout/Tabs.tsx'

const TABS = [
  { label: 'Profile', to: '/profile/settings' },
  { label: 'Password', to: '/profile/password' },
  { label: 'Security', to: '/profile/security' },
  { label: 'Invites', to: '/profile/invites' },
  { label: 'Tokens', to: '/profile/tokens' },
]

export function Component() {
  return (
    <Page width="narrow">
      <PageHeader title="Profile settings" subtitle="Who you are in Trellis and how you sign in." />
      <LinkTabs label="Profile settings" tabs={TABS} />
      <Outlet />
    </Page>
  )
}
