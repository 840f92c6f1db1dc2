import { useMemo } from 'react'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'

const part = encodeURIComponent

/** The workspace as calls take it, the addresses of its sparks and what the person may do. */
export function useSparks() {
  const { workspace } = useCurrentWorkspace()
  const { account_trellis_code, workspace_address } = workspace
  const params = useMemo(() => ({ account_trellis_code, workspace_address }), [account_trellis_code, workspace_address])
  const paths = useMemo(() => {
    const root = `/${account_trellis_code}/${workspace_address}`
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
  }, [account_trellis_code, workspace_address])
  const can = useCan()
  return { params, paths, canWrite: can('ai:write') }
}
