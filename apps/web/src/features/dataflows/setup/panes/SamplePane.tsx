import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useState } from 'react'
import { useSettled } from '../../../../ui/data/use-settled.ts'
import type { Block } from '../draft/block-kinds.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import { useSampleRows } from '../setup.queries.ts'
import { NoRows, PaneFrame, ReadAgain, SampleRows } from './PaneFrame.tsx'

interface PaneProps {
  side: 'input' | 'output'
  title: string
  about: string
  /** What is missing before a sample can be read, or null. */
  lacks: string | null
  subtask?: string | undefined
}

const SETTLES_MS = 1200

/** Not automatic for sources, which count against rate limits, nor for SQL that writes, which takes locks. */
const isReadByItself = ({ kind, settings }: Block) =>
  kind === 'Destination' || (kind === 'Transformation' && (settings as TransformationSettings).write !== null)

/** A dry run on real rows. */
export function SamplePane({ side, title, about, lacks, subtask }: PaneProps) {
  const { block, save, isDisabled } = useDraft()
  const [requestedSample, setRequestedSample] = useState<number | null>(null)
  const isReady = lacks === null && !isDisabled && save === 'saved'
  const settled = useSettled(block.version, SETTLES_MS)
  const isDue =
    requestedSample === null ||
    (isReadByItself(block) && requestedSample !== block.version && settled === block.version)
  if (isDue && isReady) setRequestedSample(block.version)
  const isAsked = requestedSample !== null && lacks === null
  const sample = useSampleRows(
    { code: block.task_block_trellis_code, side, subtask, version: requestedSample ?? block.version },
    isAsked,
  )
  const isOld = isAsked && requestedSample !== block.version && !sample.isFetching
  const again = () => (isOld ? setRequestedSample(block.version) : void sample.refetch())
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
