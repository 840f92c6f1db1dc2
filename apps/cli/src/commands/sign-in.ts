import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { getIdentity } from '@trellis/contract/identity/identity.endpoints'
import { listWorkspaces } from '@trellis/contract/workspaces/workspaces.endpoints'
import { EXIT } from '../cli-error.ts'
import { type Command, formatTable } from '../context.ts'

type SignedInCommand = Pick<Command, 'client' | 'print' | 'flags'>

export async function whoAmI({ client, print }: SignedInCommand): Promise<number> {
  print((await client.call(getIdentity, {})).email)
  return EXIT.ok
}

export async function listWorkspacesOfToken({ client, print, flags }: SignedInCommand): Promise<number> {
  const accounts = await client.call(listAccounts, {})
  const workspaceRows: { place: string; workspace: string; account: string }[] = []
  for (const account of accounts) {
    const { trellis_code } = account
    const workspaces = await client.call(listWorkspaces, { params: { account_trellis_code: trellis_code } })
    for (const workspace of workspaces)
      workspaceRows.push({
        place: `${trellis_code}/${workspace.workspace_address}`,
        workspace: workspace.name,
        account: account.name,
      })
  }
  if (flags['json']) print(JSON.stringify(workspaceRows, null, 2))
  else {
    const rows = workspaceRows.map(({ place, workspace, account }) => [place, workspace, account])
    for (const line of formatTable([['WORKSPACE', 'NAME', 'ACCOUNT'], ...rows])) print(line)
  }
  return EXIT.ok
}
