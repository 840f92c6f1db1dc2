import { startError } from '@trellis/embedded/postgres/start-problem'
import type { Config } from '../platform/config.ts'
import { loadRole, type Role, type RoleMessage, type RunningRole, type SupervisorMessage } from './roles.ts'
import { findSentence } from './sentence.ts'

const patience = 4000

export async function runRole(role: Role, config: Config): Promise<void> {
  if (config.databaseUrl === undefined)
    throw startError(`TRELLIS_ROLE=${role} needs TRELLIS_DATABASE_URL to be set as well.`)
  const isSupervised = process.send !== undefined
  let running: RunningRole | undefined
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= stopAndExit(() => running)
  }

  process.on('SIGTERM', end)
  process.on('SIGHUP', end)
  // Ctrl-C reaches all processes of the terminal; supervised ones wait for the supervisor.
  process.on('SIGINT', isSupervised ? () => {} : end)
  if (isSupervised) {
    process.on('disconnect', end)
    process.on('message', (message: SupervisorMessage) => message.type === 'shutdown' && end())
  }
  try {
    running = await (await loadRole(role))(config)
  } catch (error) {
    const sentence = findSentence(error, config)
    if (!isSupervised) throw error
    if (sentence === undefined) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    await sendMessage({ type: 'problem', sentence: sentence ?? describe(role, error) })
    process.exit(1)
  }
  if (isSupervised) await sendMessage({ type: 'ready', info: running.ready })
}

function describe(role: Role, error: unknown): string {
  return `The ${role} could not start: ${error instanceof Error ? error.message : String(error)}`
}

async function stopAndExit(running: () => RunningRole | undefined): Promise<void> {
  setTimeout(() => process.exit(1), patience).unref()
  await running()?.stop()
  process.exit(0)
}

function sendMessage(message: RoleMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve()
    process.send(message, undefined, undefined, () => resolve())
  })
}
