import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { useMemo } from 'react'
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'
import { useSampleRows } from '../setup.queries.ts'
import { toDataModel } from './table-model.ts'
import { TableSetup } from './TableSetup.tsx'

interface SampledProps {
  path: string
  isKeyNeeded?: boolean
  side: 'input' | 'output'
  settled: SourceDataModel | null
  onSave: (model: SourceDataModel) => void
}

/** Columns are inferred from sample rows of the code. */
export function SampledTableSetup({ path, isKeyNeeded = true, side, settled, onSave }: SampledProps) {
  const { block, save } = useDraft()
  const sample = useSampleRows({ code: block.task_block_trellis_code, side, version: block.version }, save === 'saved')
  const found = useMemo(() => sample.data && toDataModel(sample.data.columns), [sample.data])
  const model = found ?? settled
  if (model) {
    return <TableSetup path={path} isKeyNeeded={isKeyNeeded} found={model} settled={settled} onSave={onSave} />
  }
  if (sample.isError) {
    return <p className={styles.soft}>Columns can be settled once the block gives rows. {sample.error.message}</p>
  }
  return <Skeleton height={64} />
}
