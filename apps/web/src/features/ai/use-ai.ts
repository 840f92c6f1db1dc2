import { useMemo } from 'react'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { aiPaths } from './ai-paths.ts'

export function useAi() {
  const { params, home } = useCurrentWorkspace()
  const paths = useMemo(() => aiPaths(home), [home])
  const can = useCan()
  return { params, paths, can }
}
