import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { receiveBaseBackup } from '@trellis/embedded/backup/base-backup'

const { values } = parseArgs({
  options: { pgdata: { type: 'string' }, dbname: { type: 'string' }, 'wal-method': { type: 'string', short: 'X' } },
})
const { pgdata = '', dbname = '' } = values
const address = new Map(dbname.split(' ').map((pair) => pair.split('=') as [string, string]))
const [host = '', port = '', , user = '', password = ''] = readFileSync(process.env['PGPASSFILE'] ?? '', 'utf8')
  .trim()
  .split(':')
const url = new URL(`postgres://${address.get('host') ?? host}:${address.get('port') ?? port}/postgres`)
url.username = address.get('user') ?? user
url.password = password

mkdirSync(pgdata, { recursive: true, mode: 0o700 })
const archive = new PassThrough()
const fileList = new PassThrough()
fileList.resume()
const tar = spawn('tar', ['-x', '-p', '-f', '-', '-C', pgdata], { stdio: ['pipe', 'inherit', 'inherit'] })
const ended = once(tar, 'exit')
await Promise.all([pipeline(archive, tar.stdin), receiveBaseBackup({ url: url.href, archive, fileList })])
const [code] = (await ended) as [number | null]
process.exitCode = code ?? 1
