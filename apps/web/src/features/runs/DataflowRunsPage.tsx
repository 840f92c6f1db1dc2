import { Page, PageHeader } from '../../ui/layout/Page.tsx'

export function Component() {
  return (
    <Page>
      <PageHeader title="Runs of this dataflow" />
    </Page>
  )
}
