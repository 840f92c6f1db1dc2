import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError, EXIT } from './cli-error.ts'

export interface Settings {
  readonly url: string
  readonly token: string
  readonly workspace: string | undefined
}
export type SavedSettings = Partial<Record<'url' | 'token' | 'workspace', string>>
export type Environment = Readonly<Record<string, string | undefined>>

const toSettingsPath = (env: Environment): string =>
  env['TRELLIS_CONFIG'] ?? join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'trellis', 'cli.json')

/** Options win over environment variables, which win over saved settings. */
export async function readSettings(typedSettings: SavedSettings, env: Environment): Promise<Settings> {
  const savedSettings = await readSettingsFile(toSettingsPath(env))
  const url = typedSettings.url ?? env['TRELLIS_URL'] ?? savedSettings.url
  const token = typedSettings.token ?? env['TRELLIS_TOKEN'] ?? getTokenForUrl(savedSettings, url)
  if (url === undefined || token === undefined) {
    throw new CliError(
      'It is not known which Trellis to talk to, or as whom. Set TRELLIS_URL and TRELLIS_TOKEN, or run: trellis login --url <address> --token <token>',
      EXIT.usage,
    )
  }
  return {
    url: normalizeUrl(url),
    token,
    workspace: typedSettings.workspace ?? env['TRELLIS_WORKSPACE'] ?? savedSettings.workspace,
  }
}

/** A saved token is sent only to the address it was saved for, whatever a script sets. */
function getTokenForUrl({ url, token }: SavedSettings, requestedUrl: string | undefined): string | undefined {
  if (url === undefined || requestedUrl === undefined) return undefined
  return URL.parse(url)?.origin === URL.parse(requestedUrl)?.origin ? token : undefined
}

function normalizeUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new CliError(`"${text}" is not a web address.`, EXIT.usage)
  return url.href.replace(/\/+$/, '')
}

async function readSettingsFile(path: string): Promise<SavedSettings> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return {}
  // Refuses a token file that other users can read.
  if (((await stat(path)).mode & 0o077) !== 0) {
    throw new CliError(`Others can read ${path}, which holds a token. Run: chmod 600 ${path}`, EXIT.usage)
  }
  try {
    return JSON.parse(text) as SavedSettings
  } catch {
    throw new CliError(`${path} is not JSON. Mend or remove it.`, EXIT.usage)
  }
}

export async function saveSettings(newSettings: SavedSettings, env: Environment): Promise<string> {
  const path = toSettingsPath(env)
  const savedSettings = await readSettingsFile(path)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, `${JSON.stringify({ ...savedSettings, ...newSettings }, null, 2)}\n`, { mode: 0o600 })
  await chmod(path, 0o600)
  return path
}
