import { useMemo } from 'react'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { worksheetPaths } from './worksheet-paths.ts'

export function useWorksheets() {
  const { params, home } = useCurrentWorkspace()
  const paths = useMemo(() => worksheetPaths(home), [home])
  const can = useCan()
  return { params, paths, can }
}
