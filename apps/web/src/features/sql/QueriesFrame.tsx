import { Outlet } from 'react-router'
import { Page, PageHeader } from '../../ui/layout/Page.tsx'
import { LinkTabs } from '../../ui/layout/Tabs.tsx'
import { useSqlScope } from './use-sql-scope.ts'

export function Component() {
  const { paths } = useSqlScope()
  return (
    <Page>
      <PageHeader
        title="Queries"
        subtitle="What runs in this workspace now, what was run, and how much a query may take."
      />
      <LinkTabs
        label="Queries"
        tabs={[
          { label: 'Running', to: paths.running },
          { label: 'History', to: paths.history },
          { label: 'Limits', to: paths.limits },
        ]}
      />
      <Outlet />
    </Page>
  )
}
