import { type ProcessActivity, readActivity } from '@trellis/embedded/postgres/process-load'
import { listServerProcesses, readTitle } from '@trellis/embedded/postgres/server-processes'
import { isPlatformLogin } from '@trellis/workspace-db/names'

interface Work {
  readonly database: string
  /** Of a login for outside tools. */
  readonly isExternal: boolean
}

/** A process that works in a workspace's database: of a session, or one that works for a session. */
export interface WorkspaceProcess extends ProcessActivity, Work {
  readonly pid: number
}

const NAMED = /^postgres: (?!.* (?:initializing|authentication)$)/
const SESSION = /^postgres: (?<user>\S+) (?<database>w_[0-9a-f]{16}) /
const WORKER = /^postgres: parallel worker for PID (?<leader>\d+)/
const NOBODY = 'nobody'

/** Remembers what each process is, for its title is read only while it is young. */
export function createProcessList() {
  let known = new Map<number, Work | typeof NOBODY | undefined>()

  const identify = (pid: number, administrator: string): Work | typeof NOBODY | undefined => {
    const title = readTitle(pid)
    // Until it has signed in, a session does not say whose it is, or only what somebody claims.
    if (!NAMED.test(title)) return undefined
    const leader = Number(WORKER.exec(title)?.groups?.['leader'])
    return readSession(title, administrator) ?? known.get(leader) ?? NOBODY
  }

  return (server: { readonly pid: number; readonly url: string }): WorkspaceProcess[] => {
    const administrator = decodeURIComponent(new URL(server.url).username)
    const pids = listServerProcesses(server.pid)
    // Only those of the look before: connections that come and go by the hundred are gone by then.
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

/** Sessions of the administrator, who looks after all workspaces, are nobody's. */
function readSession(title: string, administrator: string): Work | undefined {
  const { user, database } = SESSION.exec(title)?.groups ?? {}
  if (user === undefined || database === undefined || user === administrator) return undefined
  return { database, isExternal: !isPlatformLogin(user) }
}
