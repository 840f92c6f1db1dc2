import { useMemo } from 'react'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { worksheetPaths } from './worksheet-paths.ts'

/** The workspace as calls want it, the addresses of its worksheets and what may be done there. */
export function useWorksheets() {
  const { params, home } = useCurrentWorkspace()
  const paths = useMemo(() => worksheetPaths(home), [home])
  const can = useCan()
  return { params, paths, can }
}
