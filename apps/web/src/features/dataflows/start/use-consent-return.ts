import type { ConsentReturn } from '../../../connecting/consent.ts'
import { useDataflowsScope } from '../dataflows.queries.ts'

export function useConsentReturn(dataflow: string): (integration: string) => ConsentReturn {
  const { paths } = useDataflowsScope()
  return (integration) => ({
    connection: `${paths.integrations}/description/${integration}`,
    next: `${paths.editor(dataflow)}?start=${integration}`,
  })
}
