import { Outlet } from 'react-router'
import { Page, PageHeader } from '../../ui/layout/Page.tsx'
import { LinkTabs } from '../../ui/layout/Tabs.tsx'
import { useAi } from './use-ai.ts'

export function Component() {
  const { paths } = useAi()
  return (
    <Page>
      <PageHeader
        title="AI"
        subtitle="Ask questions about your tables. Every answer shows its SQL, what it read and how fresh that is."
      />
      <LinkTabs
        label="AI"
        tabs={[
          { label: 'Ask', to: paths.home },
          { label: 'Projects', to: paths.projects },
          { label: 'Chats', to: paths.chats },
          { label: 'Jobs', to: paths.jobs },
        ]}
      />
      <Outlet />
    </Page>
  )
}
