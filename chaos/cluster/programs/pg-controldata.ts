/** Prints what Patroni needs, from the control file of PostgreSQL 18 on little-endian 64-bit machines. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = readFileSync(join(process.argv.at(-1) ?? '', 'global/pg_control'))
const VERSION = 1800
if (file.readUInt32LE(8) !== VERSION) {
  process.stderr.write(`The control file has version ${file.readUInt32LE(8)}, not ${VERSION}.\n`)
  process.exit(1)
}

const STATES = [
  'starting up',
  'shut down',
  'shut down in recovery',
  'shutting down',
  'in crash recovery',
  'in archive recovery',
  'in production',
]
const int = (at: number) => String(file.readInt32LE(at))
const lsn = (at: number) => [at + 4, at].map((part) => file.readUInt32LE(part).toString(16).toUpperCase()).join('/')

const FIELDS: Record<string, string> = {
  'Database system identifier': String(file.readBigUInt64LE(0)),
  'Database cluster state': STATES[file.readInt32LE(16)] ?? '',
  'Latest checkpoint location': lsn(32),
  "Latest checkpoint's REDO location": lsn(40),
  "Latest checkpoint's TimeLineID": int(48),
  "Latest checkpoint's PrevTimeLineID": int(52),
  'Minimum recovery ending location': lsn(136),
  "Min recovery ending loc's timeline": int(144),
  'wal_log_hints setting': file[176] ? 'on' : 'off',
  'max_connections setting': int(180),
  'max_worker_processes setting': int(184),
  'max_wal_senders setting': int(188),
  'max_prepared_xacts setting': int(192),
  'max_locks_per_xact setting': int(196),
  'Data page checksum version': int(252),
}
for (const [name, value] of Object.entries(FIELDS)) process.stdout.write(`${`${name}:`.padEnd(38)}${value}\n`)
