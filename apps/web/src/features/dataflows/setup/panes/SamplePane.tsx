import { useState } from 'react'
import { useDraft } from '../draft/use-block-draft.ts'
import { useSampleRows } from '../setup.queries.ts'
import { NoRows, PaneFrame, ReadAgain, SampleRows } from './PaneFrame.tsx'

interface PaneProps {
  side: 'input' | 'output'
  title: string
  about: string
  /** What has to be there before rows can be read; nothing when all is. */
  lacks: string | null
  subtask?: string | undefined
}

/** Some real rows on one side of the block. Nothing is written to show them. */
export function SamplePane({ side, title, about, lacks, subtask }: PaneProps) {
  const { block, save, isDisabled } = useDraft()
  const [asked, setAsked] = useState<number | null>(null)
  const isReady = lacks === null && !isDisabled && save === 'saved'
  // The first look comes by itself; after a change it is the person who asks again.
  if (asked === null && isReady) setAsked(block.version)
  const isAsked = asked !== null && lacks === null
  const sample = useSampleRows(
    { code: block.task_block_trellis_code, side, subtask, version: asked ?? block.version },
    isAsked,
  )
  const isOld = isAsked && asked !== block.version && !sample.isFetching
  const again = () => (isOld ? setAsked(block.version) : void sample.refetch())
  return (
    <PaneFrame
      title={title}
      about={about}
      actions={isAsked && <ReadAgain isOld={isOld} isBusy={sample.isFetching} isDisabled={!isReady} onPress={again} />}
    >
      {isDisabled || lacks !== null ? (
        <NoRows isDisabled={isDisabled} lacks={lacks} />
      ) : (
        <SampleRows sample={sample.data} error={sample.error} isOld={isOld || sample.isPlaceholderData} title={title} />
      )}
    </PaneFrame>
  )
}
