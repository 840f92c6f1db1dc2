import { setTimeout as sleep } from 'node:timers/promises'
import { findPortProblem } from '@trellis/embedded/postgres/free-port'
import type { Config } from '../platform/config.ts'
import { openDatabase } from './database.ts'
import { firstScreen } from './first-screen.ts'
import { openHome } from './home-folder.ts'
import { acquireHomeLock } from './home-lock.ts'
import { superviseRole, type RoleProcess } from './role-process.ts'
import { waitForStopSignal } from './stop-signal.ts'
import { openTerminal } from './terminal.ts'

export async function supervise(config: Config): Promise<void> {
  openHome(config.home)
  const lock = await acquireHomeLock(config.home, config.publicUrl)
  const terminal = openTerminal(config.home)
  const roles: RoleProcess[] = []
  const asked = { toStop: false }
  let closeDatabase = async () => {}

  async function start(): Promise<void> {
    await waitForPort(config, lock.wasStale ? 8000 : 0)
    const database = await openDatabase({
      config,
      terminal,
      isStopping: () => asked.toStop,
      onMoved: (settings) => roles.forEach((role) => role.restartWith(settings)),
    })
    closeDatabase = database.stop
    if (asked.toStop) return
    const settings = { ...database.settings, TRELLIS_HOME: config.home }
    roles.push(
      superviseRole({ role: 'api', settings, terminal }),
      superviseRole({ role: 'worker', settings, terminal }),
    )
    const [api, worker] = await Promise.all(roles.map((role) => role.ready))
    terminal.show(firstScreen({ config, info: { ...worker, ...api }, milliseconds: performance.now() }))
  }

  const stopSignal = waitForStopSignal()
  const started = start()
  try {
    await Promise.race([started, stopSignal])
    await stopSignal
  } finally {
    asked.toStop = true
    await Promise.all(roles.map((role) => role.stop()))
    await started.catch(() => {})
    await closeDatabase()
    lock.release()
  }
}

// Processes of a killed supervisor need a moment to release the port.
async function waitForPort({ host, port }: Config, patience: number): Promise<void> {
  const until = Date.now() + patience
  for (let problem = await findPortProblem(port, host); problem; problem = await findPortProblem(port, host)) {
    if (problem.code !== 'EADDRINUSE' || Date.now() >= until) throw problem
    await sleep(100)
  }
}
