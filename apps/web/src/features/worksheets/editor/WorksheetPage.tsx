import { useQueryClient } from '@tanstack/react-query'
import { getUserFile } from '@trellis/contract/worksheets/branches.endpoints'
import type { UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { useWorksheets } from '../use-worksheets.ts'
import { useWorksheet } from '../worksheets.queries.ts'

// Prefetched beside the file.
const loading = import('./Worksheet.tsx')
// Errors surface when the page renders.
loading.catch(() => undefined)
const Worksheet = lazy(async () => ({ default: (await loading).Worksheet }))

export function Component() {
  const { projectId = '', worksheetId = '' } = useParams()
  return <OpenWorksheet key={`${projectId} ${worksheetId}`} projectId={projectId} fileId={worksheetId} />
}

function OpenWorksheet({ projectId, fileId }: { projectId: string; fileId: string }) {
  const { params, paths } = useWorksheets()
  const client = useQueryClient()
  const file = useWorksheet(params, { projectId, fileId })
  // A change by another person or tab remounts the editor; one's own typing does not.
  const [opening, setOpening] = useState(0)
  const reopen = async () => {
    await client.refetchQueries({ queryKey: [getUserFile.id] })
    setOpening((before) => before + 1)
  }
  const [shown, setShown] = useState<{ opening: number; file: UserFile } | null>(null)
  if (file.data && (shown === null || shown.opening !== opening)) setShown({ opening, file: file.data })
  return (
    <Loaded
      query={{ ...file, data: shown?.file ?? file.data }}
      subject="The worksheet"
      skeletonHeights={[40, 240, 240]}
      notFoundLink={<ButtonLink to={paths.list}>All worksheets</ButtonLink>}
    >
      {(data) => (
        <Suspense fallback={<Skeleton height="100%" />}>
          <Worksheet key={opening} projectId={projectId} file={data} onReopen={() => void reopen()} />
        </Suspense>
      )}
    </Loaded>
  )
}
