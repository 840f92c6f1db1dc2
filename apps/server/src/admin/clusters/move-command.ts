import { createLogger } from '../../platform/logger.ts'
import { MoveProblem, moveWorkspace } from '../../platform/clusters/moves/move-workspace.ts'
import { systemClock } from '../../platform/clock.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { openPorts } from '../../platform/open-ports.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { AdminError, EXIT } from '../admin-error.ts'
import type { AdminCommand } from '../command.ts'
import type { Installation } from '../open-installation.ts'
import { openExistingKeys } from '../open-secrets.ts'
import { findRoom } from '../../platform/clusters/place-workspace.ts'
import { changeCluster, findWorkspacesToMove, listWorkspaces } from './clusters.repository.ts'
import { findNamed } from './clusters.ts'

const MINUTE_MS = 60_000
const WAIT_MINUTES = 10

export async function listStoredWorkspaces({ installation, show }: AdminCommand): Promise<number> {
  const workspaces = await listWorkspaces(installation.control)
  const lines = workspaces.map(
    ({ code, account, address, cluster, bytes, step }) =>
      `${code.padEnd(14)}${`${account}/${address}`.padEnd(44)}${cluster.padEnd(20)}${(bytes / 1024 ** 2).toFixed(1)} MB` +
      (step === null ? '' : `  being moved: ${step}`),
  )
  show({ workspaces }, lines.join('\n') || 'No workspaces.')
  return EXIT.ok
}

export async function moveStoredWorkspace(command: AdminCommand): Promise<number> {
  const { installation, args, flags, show } = command
  const [code] = args
  if (code === undefined || flags.to === undefined) {
    throw new AdminError('Name the workspace and its new cluster. See: trellis admin workspaces --help', EXIT.usage)
  }
  const [workspace] = await findWorkspacesToMove(installation.control, { code })
  if (!workspace) throw new AdminError(`There is no workspace ${code} with a database.`)
  const to = await findNamed(installation, flags.to)
  if (to.state === 'draining') throw new AdminError(`Cluster ${to.name} is being drained. Choose another one.`)
  const movedDatabase = await withSystem(installation, (ctx) =>
    moveOne(ctx, command, { ...workspace, to: to.id, name: to.name }),
  )
  const { tables, bytes, closedMs } = movedDatabase
  show(
    { workspace: code, cluster: to.name, tables, bytes, closed_ms: closedMs },
    `${code} is on ${to.name}: ${tables} tables, ${(bytes / 1024 ** 2).toFixed(1)} MB, read-only for ${(closedMs / 1000).toFixed(1)} s.
Tools that connect to its database need the new address, which its connection page shows.`,
  )
  return EXIT.ok
}

export async function drainCluster(command: AdminCommand): Promise<number> {
  const { installation, args, say, show } = command
  const cluster = await findNamed(installation, args[0] ?? '')
  await changeCluster(installation.control, cluster.id, { state: 'draining' })
  const workspaces = await findWorkspacesToMove(installation.control, { clusterId: cluster.id })
  const failed: string[] = []
  await withSystem(installation, async (ctx) => {
    for (const workspace of workspaces) {
      const to = await findRoom(installation.control, cluster.id)
      if (to === undefined) throw new AdminError('No other cluster has room. Add one: trellis admin clusters --help')
      await moveOne(ctx, command, { ...workspace, to, name: String(to) }).catch((error: unknown) => {
        say(`${workspace.code}: ${(error as Error).message}`)
        failed.push(workspace.code)
      })
    }
  })
  const moved = workspaces.length - failed.length
  show(
    { cluster: cluster.name, moved, failed },
    `${moved} workspaces moved from ${cluster.name}, ${failed.length} left.`,
  )
  return failed.length === 0 ? EXIT.ok : EXIT.failed
}

interface MoveInput {
  readonly id: number
  readonly code: string
  readonly to: number
  readonly name: string
}

async function moveOne(ctx: SystemCtx, { installation, flags, say }: AdminCommand, { id, code, to, name }: MoveInput) {
  let told = ''
  try {
    const movedDatabase = await moveWorkspace(ctx, {
      workspaceId: id,
      integrationCode: managedCode(code),
      toCluster: to,
      waitMs: readWait(flags.wait) * MINUTE_MS,
      signal: new AbortController().signal,
      onStep: (step) => {
        if (step !== told) say(`${code}: ${step}`)
        told = step
      },
    })
    await installation.audit({ action: 'workspaceMoved', outcome: 'done', detail: { workspace: code, cluster: name } })
    return movedDatabase
  } catch (error) {
    if (error instanceof AdminError) throw error
    const why = error instanceof MoveProblem ? error.message : `It was not moved: ${(error as Error).message}`
    throw new AdminError(why)
  }
}

function readWait(wait: string | undefined): number {
  if (wait === undefined) return WAIT_MINUTES
  if (/^\d{1,4}$/.test(wait)) return Number(wait)
  throw new AdminError('--wait is a number of minutes. See: trellis admin workspaces --help', EXIT.usage)
}

async function withSystem<T>(
  { config, control, clusterUrl }: Installation,
  work: (ctx: SystemCtx) => Promise<T>,
): Promise<T> {
  openExistingKeys(config)
  const ports = openPorts({ ...config, clusterUrl })
  const log = createLogger({ level: 'silent', role: 'admin' })
  try {
    return await work({ db: control.db, clock: systemClock, log, ports, requestId: 'admin' })
  } finally {
    await ports.cluster.close()
  }
}
