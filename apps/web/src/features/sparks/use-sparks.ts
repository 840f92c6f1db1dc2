import { useMemo } from 'react'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'

const part = encodeURIComponent

export function useSparks() {
  const { params, home: root } = useCurrentWorkspace()
  const paths = useMemo(() => {
    const home = `${root}/sparks`
    return {
      home,
      create: `${home}/new`,
      one: (code: string) => `${home}/${part(code)}`,
      edit: (code: string) => `${home}/${part(code)}/edit`,
      project: (code: string) => `${root}/ai/projects/${part(code)}`,
      projects: `${root}/ai/projects`,
      dashboard: `${root}/dashboard`,
    }
  }, [root])
  const can = useCan()
  return { params, paths, canWrite: can('ai:write') }
}
