import { saveBlob } from '../../api/save-file.ts'
import { useDataflowsScope, useExportDataflow } from './dataflows.queries.ts'

const fileName = (name: string) =>
  `${
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'dataflow'
  }.yaml`

export function useExport() {
  const { address } = useDataflowsScope()
  const { mutate } = useExportDataflow()
  return ({ trellis_code, name }: { trellis_code: string; name: string }) =>
    mutate(
      { params: { ...address, trellis_code } },
      { onSuccess: ({ yaml }) => saveBlob(new Blob([yaml], { type: 'text/yaml' }), fileName(name)) },
    )
}
