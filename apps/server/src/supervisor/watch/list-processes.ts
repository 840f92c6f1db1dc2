import { type ProcessActivity, readActivity } from '@trellis/embedded/postgres/process-load'
import { listServerProcesses, readTitle } from '@trellis/embedded/postgres/server-processes'
import { isPlatformLogin } from '@trellis/workspace-db/names'

interface Work {
  readonly database: string
  readonly isExternal: boolean
}

export interface WorkspaceProcess extends ProcessActivity, Work {
  readonly pid: number
}

const NAMED = /^postgres: (?!.* (?:initializing|authentication)$)/
const SESSION = /^postgres: (?<user>\S+) (?<database>w_[0-9a-f]{16}) /
const WORKER = /^postgres: parallel worker for PID (?<leader>\d+)/
const NOBODY = 'nobody'

/** Reading a title can block, so it is read only while the process is young. */
export function createProcessList() {
  let known = new Map<number, Work | typeof NOBODY | undefined>()

  const identify = (pid: number, administrator: string): Work | typeof NOBODY | undefined => {
    const title = readTitle(pid)
    // Before authentication the title shows no user, or an unverified one.
    if (!NAMED.test(title)) return undefined
    const leader = Number(WORKER.exec(title)?.groups?.['leader'])
    return readSession(title, administrator) ?? known.get(leader) ?? NOBODY
  }

  return (server: { readonly pid: number; readonly url: string }): WorkspaceProcess[] => {
    const administrator = decodeURIComponent(new URL(server.url).username)
    const pids = listServerProcesses(server.pid)
    // Skips connections that live for less than one look.
    known = new Map(
      pids.map((pid) => [pid, known.get(pid) ?? (known.has(pid) ? identify(pid, administrator) : undefined)]),
    )
    return pids.flatMap((pid) => {
      const work = known.get(pid)
      if (work === undefined || work === NOBODY) return []
      const use = readActivity(pid)
      return use ? [{ pid, ...work, ...use }] : []
    })
  }
}

function readSession(title: string, administrator: string): Work | undefined {
  const { user, database } = SESSION.exec(title)?.groups ?? {}
  if (user === undefined || database === undefined || user === administrator) return undefined
  return { database, isExternal: !isPlatformLogin(user) }
}
