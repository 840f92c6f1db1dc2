import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CliError, EXIT } from './cli-error.ts'
import { createClient } from './client.ts'
import { initFile, printSchema, validateFiles } from './commands/files.ts'
import { applyFlow, diffFlow, exportFlow, listFlows } from './commands/flows.ts'
import { cancelRun, decideRun, listRuns, namingRun, retryRun, runBlock, showLogs } from './commands/runs.ts'
import { listPlaces, whoAmI } from './commands/sign-in.ts'
import { watchFile } from './commands/watch.ts'
import type { Command, FileCommand, Flags } from './context.ts'
import { HELP, getHelp } from './help.ts'
import manifest from '../package.json' with { type: 'json' }
import { type Environment, type SavedSettings, saveSettings, readSettings } from './settings.ts'

const OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  workspace: { type: 'string', short: 'w' },
  output: { type: 'string', short: 'o' },
  flow: { type: 'string' },
  message: { type: 'string', short: 'm' },
  window: { type: 'string' },
  status: { type: 'string' },
  block: { type: 'string' },
  level: { type: 'string' },
  apply: { type: 'boolean' },
  publish: { type: 'boolean' },
  prune: { type: 'boolean' },
  'allow-missing': { type: 'boolean' },
  'from-here': { type: 'boolean' },
  blocks: { type: 'boolean' },
  full: { type: 'boolean' },
  shadow: { type: 'boolean' },
  follow: { type: 'boolean', short: 'f' },
  wait: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

const IN_WORKSPACE: Readonly<Record<string, (command: Command) => Promise<number>>> = {
  flows: listFlows,
  export: exportFlow,
  diff: diffFlow,
  apply: applyFlow,
  run: runBlock,
  runs: listRuns,
  logs: namingRun(showLogs),
  cancel: namingRun(cancelRun),
  retry: namingRun(retryRun),
  decide: namingRun(decideRun),
}
const OFFLINE: Readonly<Record<string, (command: FileCommand) => Promise<number>>> = {
  init: initFile,
  validate: validateFiles,
  schema: printSchema,
}
const ANYWHERE: Readonly<Record<string, typeof whoAmI>> = { whoami: whoAmI, workspaces: listPlaces }

const COMMANDS = new Set([
  'login',
  'watch',
  ...[OFFLINE, ANYWHERE, IN_WORKSPACE].flatMap((group) => Object.keys(group)),
])

const MAX_ARGUMENTS: Readonly<Record<string, number>> = {
  login: 0,
  whoami: 0,
  workspaces: 0,
  flows: 0,
  schema: 0,
  run: 2,
  decide: 2,
  validate: Infinity,
}

export interface Terminal {
  readonly env: Environment
  readonly print: (line: string) => void
  readonly say: (line: string) => void
  readonly signal?: AbortSignal
}

export async function runCli(argv: readonly string[], givenTerminal: Terminal): Promise<number> {
  const terminal = {
    ...givenTerminal,
    print: (line: string) => givenTerminal.print(escapeControlCharacters(line)),
    say: (line: string) => givenTerminal.say(escapeControlCharacters(line)),
  }
  try {
    return await dispatch(argv, terminal)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    terminal.say(error.message)
    return error.exitCode
  }
}

/** Names and logs come from others; control characters could manipulate the terminal. */
const escapeControlCharacters = (line: string): string =>
  line.replaceAll(/\p{Cc}/gu, (sign) =>
    sign === '\n' || sign === '\t' ? sign : `\\u${sign.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  )

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { name, args, flags } = readArgs(argv)
  if (flags['version']) {
    terminal.print(manifest.version)
    return EXIT.ok
  }
  if (name === undefined || name === 'help' || flags['help']) {
    const about = name === 'help' ? args[0] : name
    terminal.print(about === undefined ? HELP : getHelp(about))
    return name === undefined && !flags['help'] ? EXIT.usage : EXIT.ok
  }
  assertCommand(name, args)
  const token = flags['token'] === '-' ? (await readText('-')).trim() : flags['token']
  const typed = { url: flags['url'], token, workspace: flags['workspace'] } as SavedSettings
  if (name === 'login') return await logIn(typed, terminal)
  const files = toFileCommand(args, flags, terminal)
  if (name === 'watch') return await watchFile(files, await findWorkspace(files, typed, terminal))
  const offline = OFFLINE[name]
  if (offline) return await offline(files)
  const work = IN_WORKSPACE[name]
  const outside = ANYWHERE[name]
  const settings = await readSettings(typed, terminal.env)
  const client = createClient(settings)
  if (outside) return await outside({ client, flags, print: terminal.print })
  return (await work?.({ ...files, client, url: settings.url, tenant: parseTenant(settings.workspace) })) ?? EXIT.ok
}

/** An option typed without its dashes must not be ignored: `run flow full` would run everything. */
function assertCommand(name: string, args: readonly string[]): void {
  if (!COMMANDS.has(name)) throw new CliError(`There is no command "${name}". See: trellis help`, EXIT.usage)
  const surplus = args[MAX_ARGUMENTS[name] ?? 1]
  if (surplus !== undefined)
    throw new CliError(`"${surplus}" is one argument too many. See: trellis help ${name}`, EXIT.usage)
}

function toFileCommand(args: readonly string[], flags: Flags, { print, say, signal }: Terminal): FileCommand {
  return {
    args,
    flags,
    print,
    say,
    wait: async (ms) => await wait(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined),
    readFile: readText,
    writeFile: async (path, text) => {
      await writeFile(path, text).catch(() => {
        throw new CliError(`${path} can not be written.`)
      })
    },
    createFile: async (path, text) => {
      await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        const why = error.code === 'EEXIST' ? 'is there already; nothing was changed' : 'can not be written'
        throw new CliError(`${path} ${why}.`)
      })
    },
    isStopped: () => signal?.aborted === true,
  }
}

/** Files are validated without a workspace too; `--apply` needs one. */
async function findWorkspace(
  files: FileCommand,
  typed: SavedSettings,
  { env }: Terminal,
): Promise<Command | undefined> {
  try {
    const settings = await readSettings(typed, env)
    return { ...files, client: createClient(settings), url: settings.url, tenant: parseTenant(settings.workspace) }
  } catch (error) {
    if (files.flags['apply'] || !(error instanceof CliError)) throw error
    return undefined
  }
}

function readArgs(argv: readonly string[]): { name: string | undefined; args: string[]; flags: Flags } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: OPTIONS,
      allowPositionals: true,
      strict: true,
    })
    const [name, ...args] = positionals
    return { name, args, flags: values }
  } catch (error) {
    throw new CliError(`${(error as Error).message.split('. To ')[0] ?? ''}. See: trellis help`, EXIT.usage)
  }
}

function parseTenant(workspace: string | undefined): Command['tenant'] {
  const [account, address, more] = workspace?.split('/') ?? []
  if (!account || !address || more !== undefined) {
    throw new CliError(
      'Say which workspace, as account/workspace: --workspace or TRELLIS_WORKSPACE. See: trellis workspaces',
      EXIT.usage,
    )
  }
  return { account_trellis_code: account, workspace_address: address }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path === '-' ? '/dev/stdin' : path, 'utf8')
  } catch {
    throw new CliError(`${path} can not be read.`, EXIT.usage)
  }
}

/** Saved only after a request with the token succeeded. */
async function logIn(typed: SavedSettings, { env, print, say }: Terminal): Promise<number> {
  const settings = await readSettings(typed, env)
  await whoAmI({ client: createClient(settings), flags: {}, print })
  const { url, token, workspace } = settings
  const path = await saveSettings({ url, token, ...(workspace !== undefined && { workspace }) }, env)
  say(`Kept in ${path}, which only you can read.`)
  return EXIT.ok
}
