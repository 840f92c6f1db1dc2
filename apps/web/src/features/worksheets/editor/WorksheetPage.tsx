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

// Asked for together with the text of the file, which is needed as well.
const loading = import('./Worksheet.tsx')
// Shown by the page when it is rendered.
loading.catch(() => undefined)
const Worksheet = lazy(async () => ({ default: (await loading).Worksheet }))

/** One worksheet on the own branch. */
export function Component() {
  const { projectId = '', worksheetId = '' } = useParams()
  return <OpenWorksheet key={`${projectId} ${worksheetId}`} projectId={projectId} fileId={worksheetId} />
}

function OpenWorksheet({ projectId, fileId }: { projectId: string; fileId: string }) {
  const { params, paths } = useWorksheets()
  const client = useQueryClient()
  const file = useWorksheet(params, { projectId, fileId })
  // What another person, tab or version changed is opened as a new text; what one types stays in the one at hand.
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
      what="The worksheet"
      ghosts={[40, 240, 240]}
      elsewhere={<ButtonLink to={paths.list}>All worksheets</ButtonLink>}
    >
      {(data) => (
        <Suspense fallback={<Skeleton height="100%" />}>
          <Worksheet key={opening} projectId={projectId} file={data} onReopen={() => void reopen()} />
        </Suspense>
      )}
    </Loaded>
  )
}
