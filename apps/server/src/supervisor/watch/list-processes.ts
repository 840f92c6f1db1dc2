import { type ProcessLoad, readProcessLoad } from '@trellis/embedded/postgres/process-load'
import { listServerProcesses, readTitle } from '@trellis/embedded/postgres/server-processes'
import { isPlatformLogin } from '@trellis/workspace-db/names'

interface Work {
  readonly database: string
  /** Of a login for outside tools. */
  readonly isExternal: boolean
}

/** A process that works in a workspace's database: of a session, or one that works for a session. */
export interface WorkspaceProcess extends ProcessLoad, Work {
  readonly pid: number
}

const SESSION = /^postgres: (?<user>\S+) (?<database>w_[0-9a-f]{16}) /
const WORKER = /^postgres: parallel worker for PID (?<leader>\d+)/
/** Until it has signed in, a session does not say whose it is; what says nothing for longer is none. */
const MAX_TITLES = 10

/** Remembers what each process is, for its title is read only while it is young. */
export function createProcessList() {
  let known = new Map<number, { readonly work?: Work | undefined; readonly titles: number }>()

  return (server: { readonly pid: number; readonly url: string }): WorkspaceProcess[] => {
    const administrator = decodeURIComponent(new URL(server.url).username)
    const pids = listServerProcesses(server.pid)
    known = new Map(
      pids.map((pid) => {
        const before = known.get(pid)
        if (before && (before.work || before.titles === MAX_TITLES)) return [pid, before]
        const title = readTitle(pid)
        const leader = Number(WORKER.exec(title)?.groups?.['leader'])
        const work = readSession(title, administrator) ?? known.get(leader)?.work
        return [pid, { work, titles: (before?.titles ?? 0) + 1 }]
      }),
    )
    return pids.flatMap((pid) => {
      const work = known.get(pid)?.work
      const load = work && readProcessLoad(pid)
      return work && load ? [{ pid, ...work, ...load }] : []
    })
  }
}

/** Sessions of the administrator, who looks after all workspaces, are nobody's. */
function readSession(title: string, administrator: string): Work | undefined {
  const { user, database } = SESSION.exec(title)?.groups ?? {}
  if (user === undefined || database === undefined || user === administrator) return undefined
  return { database, isExternal: !isPlatformLogin(user) }
}
