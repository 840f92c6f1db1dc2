import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CliError, EXIT } from './cli-error.ts'
import { createClient } from './client.ts'
import { initFile, printSchema, validateFiles } from './commands/files.ts'
import { applyFlow, diffFlow, exportFlow, listFlows } from './commands/flows.ts'
import { cancelRun, decideRun, listRuns, explainUnknownRun, retryRun, runBlock, showLogs } from './commands/runs.ts'
import { listWorkspacesOfToken, whoAmI } from './commands/sign-in.ts'
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

const WORKSPACE_COMMANDS: Readonly<Record<string, (command: Command) => Promise<number>>> = {
  flows: listFlows,
  export: exportFlow,
  diff: diffFlow,
  apply: applyFlow,
  run: runBlock,
  runs: listRuns,
  logs: explainUnknownRun(showLogs),
  cancel: explainUnknownRun(cancelRun),
  retry: explainUnknownRun(retryRun),
  decide: explainUnknownRun(decideRun),
}
const OFFLINE_COMMANDS: Readonly<Record<string, (command: FileCommand) => Promise<number>>> = {
  init: initFile,
  validate: validateFiles,
  schema: printSchema,
}
const SIGNED_IN_COMMANDS: Readonly<Record<string, typeof whoAmI>> = {
  whoami: whoAmI,
  workspaces: listWorkspacesOfToken,
}

const COMMANDS = new Set([
  'login',
  'watch',
  ...[OFFLINE_COMMANDS, SIGNED_IN_COMMANDS, WORKSPACE_COMMANDS].flatMap((group) => Object.keys(group)),
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
  line.replaceAll(/\p{Cc}/gu, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  )

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { name, args, flags } = parseArguments(argv)
  if (flags['version']) {
    terminal.print(manifest.version)
    return EXIT.ok
  }
  if (name === undefined || name === 'help' || flags['help']) {
    const helpTopic = name === 'help' ? args[0] : name
    terminal.print(helpTopic === undefined ? HELP : getHelp(helpTopic))
    return name === undefined && !flags['help'] ? EXIT.usage : EXIT.ok
  }
  assertCommand(name, args)
  const token = flags['token'] === '-' ? (await readText('-')).trim() : flags['token']
  const typedSettings = { url: flags['url'], token, workspace: flags['workspace'] } as SavedSettings
  if (name === 'login') return await logIn(typedSettings, terminal)
  const fileCommand = toFileCommand(args, flags, terminal)
  if (name === 'watch') return await watchFile(fileCommand, await findWorkspace(fileCommand, typedSettings, terminal))
  const runOffline = OFFLINE_COMMANDS[name]
  if (runOffline) return await runOffline(fileCommand)
  const runInWorkspace = WORKSPACE_COMMANDS[name]
  const runSignedIn = SIGNED_IN_COMMANDS[name]
  const settings = await readSettings(typedSettings, terminal.env)
  const client = createClient(settings)
  if (runSignedIn) return await runSignedIn({ client, flags, print: terminal.print })
  return (
    (await runInWorkspace?.({ ...fileCommand, client, url: settings.url, tenant: parseTenant(settings.workspace) })) ??
    EXIT.ok
  )
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
        const reason = error.code === 'EEXIST' ? 'is there already; nothing was changed' : 'can not be written'
        throw new CliError(`${path} ${reason}.`)
      })
    },
    isStopped: () => signal?.aborted === true,
  }
}

/** Files are validated without a workspace too; `--apply` needs one. */
async function findWorkspace(
  fileCommand: FileCommand,
  typedSettings: SavedSettings,
  { env }: Terminal,
): Promise<Command | undefined> {
  try {
    const settings = await readSettings(typedSettings, env)
    return {
      ...fileCommand,
      client: createClient(settings),
      url: settings.url,
      tenant: parseTenant(settings.workspace),
    }
  } catch (error) {
    if (fileCommand.flags['apply'] || !(error instanceof CliError)) throw error
    return undefined
  }
}

function parseArguments(argv: readonly string[]): { name: string | undefined; args: string[]; flags: Flags } {
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
  const [account, address, surplusPart] = workspace?.split('/') ?? []
  if (!account || !address || surplusPart !== undefined) {
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
async function logIn(typedSettings: SavedSettings, { env, print, say }: Terminal): Promise<number> {
  const settings = await readSettings(typedSettings, env)
  await whoAmI({ client: createClient(settings), flags: {}, print })
  const { url, token, workspace } = settings
  const path = await saveSettings({ url, token, ...(workspace !== undefined && { workspace }) }, env)
  say(`Kept in ${path}, which only you can read.`)
  return EXIT.ok
}
