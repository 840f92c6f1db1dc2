import { Page, PageHeader } from '../../ui/layout/Page.tsx'

export function Component() {
  return (
    <Page>
      <PageHeader title="Log of a run" />
    </Page>
  )
}
