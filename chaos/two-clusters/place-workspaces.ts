import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeWorkspace } from '../../bench/workspace.ts'
import type { FragileServer } from '../fragile-server.ts'
import type { Databases } from '../patient-pools.ts'
import { runAdmin } from '../run-admin.ts'

export interface Place extends Databases {
  readonly name: string
  readonly cluster: 'main' | 'west'
  readonly integrationCode: string
}

interface Servers {
  readonly main: FragileServer
  readonly west: FragileServer
  readonly controlName: string
}

/** Half of them on the cluster of the settings, half on one that is added. */
export async function placeWorkspaces(
  env: Readonly<Record<string, string>>,
  { main, west, controlName }: Servers,
  count: number,
): Promise<Place[]> {
  const onMain = Math.ceil(count / 2)
  const places: Place[] = []
  for (let at = 0; at < count; at += 1) {
    if (at === onMain) await addWest(env, west.url)
    const cluster = at < onMain ? 'main' : 'west'
    const name = `${cluster}-${at}`
    const made = await makeWorkspace(env, name)
    const { accountId, workspace, integrationCode } = made
    const { database } = made.database
    await made.close()
    const server = { main, west }[cluster]
    places.push({
      ...{ name, cluster, accountId, workspaceId: workspace.id, integrationCode },
      control: (text, values) => main.ask(controlName, text, values),
      data: (text, values) => server.ask(database, text, values),
    })
  }
  return places
}

/** The first workspace has made the root key, which seals the address. */
async function addWest(env: Readonly<Record<string, string>>, url: string): Promise<void> {
  const file = join(env['TRELLIS_HOME'] ?? '', 'west.address')
  await writeFile(file, url, { mode: 0o600 })
  await runAdmin(['clusters', 'add', 'west', '--address-file', file], env)
  await runAdmin(['clusters', 'change', 'main', '--full'], env)
}
