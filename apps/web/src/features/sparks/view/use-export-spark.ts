import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { Spark, SparkVersionDetail } from '@trellis/contract/sparks/sparks.schemas'
import { useMutation } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { saveBlob } from '../../../api/save-file.ts'
import { useReadSparkRows } from '../../../spark-host/spark-data.queries.ts'

interface ExportedSpark {
  params: WorkspaceAddress
  spark: Spark
  version: SparkVersionDetail | undefined
  parameters: ParameterValues
}

/** A self-contained file with the current rows, for viewing offline. */
export function useExportSpark({ params, spark, version, parameters }: ExportedSpark) {
  const readRows = useReadSparkRows({ params, version, isFresh: false })
  return useMutation({
    mutationFn: async () => {
      if (!version) return
      const { buildExportFile } = await import('../../../spark-host/export-file.ts')
      const html = await buildExportFile({ name: spark.name, content: version.content, parameters, readRows })
      const name = spark.name.replaceAll(/[^\p{L}\p{N} _-]+/gu, ' ').trim() || 'spark'
      saveBlob(new Blob([html], { type: 'text/html' }), `${name}.html`)
    },
    meta: { texts: { successText: 'The file is saved.', errorText: 'The file could not be made.' } },
  })
}
