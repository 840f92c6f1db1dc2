import { parseArgs } from 'node:util'
import type { Config } from '../platform/config.ts'
import { SecretProblem } from '../platform/secrets/envelope.ts'
import { findSentence } from '../supervisor/sentence.ts'
import { backUp } from './backup/backup.ts'
import { checkInstallation } from './check/check-installation.ts'
import { AdminError, EXIT } from './admin-error.ts'
import type { AdminCommand, AdminFlags, AdminTerminal, OfflineCommand } from './command.ts'
import { buildHelp, isTopic } from './help.ts'
import { addCluster, changeStoredCluster, listStoredClusters, removeCluster } from './clusters/clusters.ts'
import { drainCluster, listStoredWorkspaces, moveStoredWorkspace } from './clusters/move-command.ts'
import { listStoredJobs, retryStoredJobs } from './jobs.ts'
import { rotateKeys } from './keys.ts'
import { restoreBackup } from './backup/restore.ts'
import { verifyBackup } from './backup/verify.ts'
import { migrateTables } from './migrate-tables.ts'
import { withInstallation } from './open-installation.ts'

const OPTIONS = {
  failed: { type: 'boolean' },
  all: { type: 'boolean' },
  finish: { type: 'boolean' },
  replace: { type: 'boolean' },
  'without-objects': { type: 'boolean' },
  'passphrase-file': { type: 'string' },
  'address-file': { type: 'string' },
  'replica-file': { type: 'string' },
  'no-replica': { type: 'boolean' },
  capacity: { type: 'string' },
  to: { type: 'string' },
  wait: { type: 'string' },
  open: { type: 'boolean' },
  full: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface Action {
  readonly run: { readonly onInstallation: Run<AdminCommand> } | { readonly offline: Run<OfflineCommand> }
  readonly flags: readonly (keyof AdminFlags)[]
  readonly maxArgs: number
}

type Run<C> = (command: C) => Promise<number>

const ACTIONS: Readonly<Record<string, Action>> = {
  'jobs list': { run: { onInstallation: listStoredJobs }, flags: ['failed'], maxArgs: 0 },
  'jobs retry': { run: { onInstallation: retryStoredJobs }, flags: ['all'], maxArgs: 1 },
  'keys rotate': { run: { onInstallation: rotateKeys }, flags: ['finish'], maxArgs: 0 },
  'clusters list': { run: { onInstallation: listStoredClusters }, flags: [], maxArgs: 0 },
  'clusters add': {
    run: { onInstallation: addCluster },
    flags: ['address-file', 'replica-file', 'capacity'],
    maxArgs: 1,
  },
  'clusters change': {
    run: { onInstallation: changeStoredCluster },
    flags: ['address-file', 'replica-file', 'no-replica', 'capacity', 'open', 'full'],
    maxArgs: 1,
  },
  'clusters drain': { run: { onInstallation: drainCluster }, flags: ['wait'], maxArgs: 1 },
  'clusters remove': { run: { onInstallation: removeCluster }, flags: [], maxArgs: 1 },
  'workspaces list': { run: { onInstallation: listStoredWorkspaces }, flags: [], maxArgs: 0 },
  'workspaces move': { run: { onInstallation: moveStoredWorkspace }, flags: ['to', 'wait'], maxArgs: 1 },
  backup: { run: { onInstallation: backUp }, flags: ['without-objects', 'passphrase-file'], maxArgs: 1 },
  restore: { run: { offline: restoreBackup }, flags: ['replace', 'passphrase-file'], maxArgs: 1 },
  verify: { run: { offline: verifyBackup }, flags: ['passphrase-file'], maxArgs: 1 },
  doctor: { run: { onInstallation: checkInstallation }, flags: [], maxArgs: 0 },
  check: { run: { onInstallation: checkInstallation }, flags: [], maxArgs: 0 },
  migrate: { run: { onInstallation: migrateTables }, flags: [], maxArgs: 0 },
}

export async function runAdmin(argv: readonly string[], terminal: AdminTerminal): Promise<number> {
  let config: Config | undefined
  try {
    const { positionals, help, flags } = readArgs(argv)
    const [topic] = positionals
    if (help || topic === undefined || topic === 'help') {
      terminal.print(buildHelp(isTopic(topic) ? topic : undefined))
      return help || topic === 'help' ? EXIT.ok : EXIT.usage
    }
    const { action, args } = findAction(positionals, flags)
    config = terminal.readConfig()
    return await runAction(action, { config, terminal, args, flags })
  } catch (error) {
    const sentence = error instanceof AdminError || error instanceof SecretProblem ? error.message : undefined
    terminal.say(sentence ?? findSentence(error, config) ?? describe(error))
    return error instanceof AdminError ? error.exitCode : EXIT.failed
  }
}

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

function readArgs(argv: readonly string[]): { positionals: string[]; help: boolean; flags: AdminFlags } {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
    const { help = false, ...flags } = values
    return { positionals, help, flags }
  } catch (error) {
    throw new AdminError(`${(error as Error).message.split('. To ')[0] ?? ''}. See: trellis admin --help`, EXIT.usage)
  }
}

function findAction(positionals: readonly string[], flags: AdminFlags): { action: Action; args: readonly string[] } {
  const [topic = '', verb = ''] = positionals
  const name = topic in ACTIONS ? topic : `${topic} ${verb}`
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!action)
    throw new AdminError(`There is no command "${positionals.join(' ')}". See: trellis admin --help`, EXIT.usage)
  const args = positionals.slice(name.split(' ').length)
  const odd = (Object.keys(flags) as (keyof AdminFlags)[]).find(
    (flag) => flag !== 'json' && !action.flags.includes(flag),
  )
  if (odd) throw new AdminError(`"${name}" has no option --${odd}. See: trellis admin ${topic} --help`, EXIT.usage)
  if (args.length > action.maxArgs) {
    throw new AdminError(`"${args.at(-1)}" is one argument too many. See: trellis admin ${topic} --help`, EXIT.usage)
  }
  return { action, args }
}

interface Request {
  readonly config: Config
  readonly terminal: AdminTerminal
  readonly args: readonly string[]
  readonly flags: AdminFlags
}

async function runAction({ run }: Action, { config, terminal, args, flags }: Request): Promise<number> {
  const show = (result: object, text: string) => terminal.print(flags.json ? JSON.stringify(result, null, 2) : text)
  const common = { args, flags, show, say: terminal.say }
  if ('offline' in run) return await run.offline({ ...common, config })
  return await withInstallation({ config, say: terminal.say }, async (installation) =>
    run.onInstallation({ ...common, installation }),
  )
}
