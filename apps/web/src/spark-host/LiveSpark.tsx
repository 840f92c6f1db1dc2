import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkData, SparkVersionDetail } from '@trellis/contract/sparks/sparks.schemas'
import type { WorkspaceAddress } from '../api/workspace-address.ts'
import { SparkFrame } from './SparkFrame.tsx'
import { useReadSparkRows } from './spark-data.queries.ts'

interface LiveSparkProps {
  params: WorkspaceAddress
  label: string
  version: SparkVersionDetail
  parameters: ParameterValues
  onParameters: (parameters: ParameterValues) => void
  refreshes?: number
  height?: number | undefined
  onRows?: (source: string, data: SparkData) => void
}

export function LiveSpark({ params, version, refreshes = 0, onRows, ...frame }: LiveSparkProps) {
  const readRows = useReadSparkRows({ params, version, isFresh: refreshes > 0, onRows })
  return <SparkFrame {...frame} content={version.content} refreshes={refreshes} readRows={readRows} />
}
