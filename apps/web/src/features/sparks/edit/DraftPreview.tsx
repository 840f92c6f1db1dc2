import type { FrameRows, ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { checkSparkSource } from '@trellis/contract/sparks/sparks.endpoints'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { useCallback, useState } from 'react'
import * as z from 'zod/mini'
import { call } from '../../../api/call.ts'
import { SparkFrame } from '../../../spark-host/SparkFrame.tsx'
import { useSettled } from '../../../ui/data/use-settled.ts'
import { useSparks } from '../use-sparks.ts'
import styles from './edit.module.css'

const SETTLE_MS = 900

export function findProblem(draft: SparkContent): string | null {
  const { success, error } = z.safeParse(SparkContent, draft)
  if (!success) {
    const [issue] = error.issues
    return `${issue?.path.join(' › ') ?? ''}: ${issue?.message ?? 'not valid'}`
  }
  const keys = [...draft.sources, ...draft.parameters].map(({ key }) => key)
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index)
  if (repeated !== undefined) return `The key “${repeated}” is used twice.`
  const blocks = draft.body.kind === 'blocks' ? draft.body.blocks : []
  const names = new Set(draft.sources.map(({ key }) => key))
  const lost = blocks.find((block) => 'source' in block && !names.has(block.source))
  return lost && 'source' in lost ? `A block reads the source “${lost.source}”, which is not there.` : null
}

interface DraftPreviewProps {
  project: string
  name: string
  content: SparkContent
  onColumns?: (source: string, columns: readonly ResultColumn[]) => void
  /** Fixed with a scrollbar; undefined fits the content. */
  height?: number
}

export function DraftPreview({ project, name, content, onColumns, height }: DraftPreviewProps) {
  const { params } = useSparks()
  const settled = useSettled(content, SETTLE_MS)
  const [shown, setShown] = useState(content)
  if (settled !== shown && findProblem(settled) === null) setShown(settled)
  const [values, setValues] = useState<ParameterValues>({})
  const parameters = Object.fromEntries(
    shown.parameters.map(({ key, initial }) => [key, key in values ? (values[key] ?? null) : initial]),
  )
  const readRows = useCallback(
    async (key: string, values: ParameterValues): Promise<FrameRows> => {
      const source = shown.sources.find((candidate) => candidate.key === key)
      if (!source) throw new Error(`There is no source “${key}”.`)
      const body = { project_trellis_code: project, source, parameters: shown.parameters, values }
      const found = await call(checkSparkSource, { params, body })
      if (found.problem) throw new Error(found.problem.message)
      onColumns?.(key, found.columns)
      return {
        columns: found.columns,
        rows: found.rows,
        is_cut: false,
        queried_at: new Date().toISOString(),
        stale_since: null,
      }
    },
    [shown, params, project, onColumns],
  )
  return (
    <>
      <p className={styles.quiet}>Preview over the first 50 rows of each source.</p>
      <SparkFrame
        label={`Preview of ${name}`}
        content={shown}
        parameters={parameters}
        readRows={readRows}
        onParameters={setValues}
        height={height}
      />
    </>
  )
}
