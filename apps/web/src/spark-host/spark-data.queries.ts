import { getLatestSparkVersion, getSparkData, getSparkVersion } from '@trellis/contract/sparks/sparks.endpoints'
import type { FrameRows, ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkData, SparkVersionDetail } from '@trellis/contract/sparks/sparks.schemas'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { WorkspaceAddress } from '../api/workspace-address.ts'
import { apiQuery } from '../api/api-query.ts'

export function useSparkVersion(
  params: WorkspaceAddress & { spark_trellis_code: string },
  version: string | undefined,
) {
  const query = apiQuery(getSparkVersion, {
    params: { ...params, spark_trellis_code: params.spark_trellis_code, spark_version_trellis_code: version ?? '' },
  })
  return useQuery({ ...query, enabled: version !== undefined })
}

export function useLatestSparkVersion(params: WorkspaceAddress & { spark_trellis_code: string }) {
  return useQuery({ ...apiQuery(getLatestSparkVersion, { params }), staleTime: 0 })
}

interface ReadOptions {
  params: WorkspaceAddress
  version: SparkVersionDetail | undefined
  isFresh: boolean
  onRows?: ((source: string, data: SparkData) => void) | undefined
}

export function useReadSparkRows({ params, version, isFresh, onRows }: ReadOptions) {
  const client = useQueryClient()
  return useCallback(
    async (source: string, parameters: ParameterValues): Promise<FrameRows> => {
      const based_key = version?.based_keys[source]
      if (based_key === undefined) throw new Error(`There is no source “${source}”.`)
      const query = { parameters: JSON.stringify(parameters), ...(isFresh && { fresh: 'true' }) }
      const data = await client.fetchQuery({
        ...apiQuery(getSparkData, { params: { ...params, based_key }, query }),
        staleTime: 0,
      })
      onRows?.(source, data)
      return toFrameRows(data)
    },
    [client, params, version, isFresh, onRows],
  )
}

const toFrameRows = ({ columns, rows, is_cut, queried_at, stale_since }: SparkData): FrameRows => ({
  columns,
  rows,
  is_cut,
  queried_at,
  stale_since,
})
