import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findBinaries } from '@trellis/embedded/postgres/binaries'
import { type Owner, canReach } from '@trellis/embedded/postgres/process-owner'

const LINKED = ['postgres', 'initdb', 'pg_ctl']
const WRITTEN = ['pg_isready', 'pg_controldata', 'pg_basebackup']

/**
 * Programs Patroni calls. The built-in Postgres packages lack some, and the system's may be too old; without pg_rewind
 * a former primary is copied again.
 */
export function makePostgresPrograms(folder: string, owner: Owner | undefined): string {
  const { postgres } = findBinaries({ owner, copyDir: join(folder, '../copy'), log: () => undefined })
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  for (const name of LINKED) symlinkSync(join(dirname(postgres), name), join(folder, name))
  for (const name of WRITTEN) {
    const script = join(import.meta.dirname, 'programs', `${name.replace('_', '-')}.ts`)
    for (const path of [script, process.execPath]) {
      if (!canReach(dirname(path), owner)) throw new Error(`The user of Postgres can't reach ${path}.`)
    }
    writeFileSync(join(folder, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}
