import { FileCode2 } from 'lucide-react'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { useWorksheets } from '../use-worksheets.ts'

export function Component() {
  const { paths } = useWorksheets()
  return (
    <Page>
      <EmptyState
        icon={<FileCode2 aria-hidden />}
        title="No worksheet open"
        subtitle="Open a worksheet to write and run SQL, or create a new one."
        action={
          <ButtonLink variant="primary" to={paths.list}>
            Show worksheets
          </ButtonLink>
        }
      />
    </Page>
  )
}
