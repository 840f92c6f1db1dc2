import { allows } from '@trellis/contract/core/permissions'
import { useMemo } from 'react'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'

export interface IntegrationPaths {
  list: string
  create: string
  setup: (platform: string) => string
  update: (integration: string) => string
  description: (integration: string, tab?: string) => string
  explorer: (database: string) => string
}

function buildPaths(home: string): IntegrationPaths {
  const list = `${home}/integrations`
  return {
    list,
    create: `${list}/create`,
    setup: (platform) => `${list}/setup/${platform}`,
    update: (integration) => `${list}/update/${integration}`,
    description: (integration, tab) => `${list}/description/${integration}${tab ? `?tab=${tab}` : ''}`,
    explorer: (database) => `${home}/explorer/${database}`,
  }
}

export function useIntegrationsPlace() {
  const { account, workspace, params: address, home } = useCurrentWorkspace()
  return useMemo(
    () => ({
      address,
      paths: buildPaths(home),
      canWrite: allows('integrations:write', { accountRole: account.role, workspaceRole: workspace.role }),
    }),
    [address, home, account.role, workspace.role],
  )
}
