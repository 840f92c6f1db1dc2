import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { getServerEnv, superuser } from './init-cluster.ts'
import { readUntrusted, writeOwnFile } from './own-file.ts'
import type { ServerFolder } from './server-folder.ts'
import { toStartProblem } from './start-problem.ts'

export const FIREWALL_FILE = 'trellis_firewall.conf'
const EXTERNAL = 'trellis_external'
const COMPLETE = /^(?:#[^\n]*\n|host [\w+,]+ [\w+,]+ [0-9a-f.:]+\/\d{1,3} scram-sha-256\n)*# end\n$/

/**
 * pg_hba.conf: platform logins connect only from this machine; external ones need a firewall rule, and TLS if it is on.
 */
export function writeAccess(folder: ServerFolder, { hasTls }: { hasTls: boolean }): void {
  const lines = [
    '# Written by Trellis at every start.',
    `host all ${superuser} 127.0.0.1/32 scram-sha-256`,
    `host all ${superuser} ::1/128 scram-sha-256`,
    // For a standby and the tools that copy a server: "all" leaves this one out.
    `host replication ${superuser} 127.0.0.1/32 scram-sha-256`,
    `host all ${superuser} all reject`,
    ...(hasTls ? [`hostnossl all +${EXTERNAL} all reject`] : []),
    `include_if_exists data/${FIREWALL_FILE}`,
    `host all +${EXTERNAL} all reject`,
    'host all all 127.0.0.1/32 scram-sha-256',
    'host all all ::1/128 scram-sha-256',
  ]
  try {
    removeBroken(folder)
    writeOwnFile(
      folder.accessFile,
      `${lines.join('\n')}\n`,
      folder.owner ? { mode: 0o640, gid: folder.owner.gid } : { mode: 0o600 },
    )
  } catch (error) {
    throw toStartProblem(error, folder.accessFile)
  }
}

/** A truncated file would prevent the server from starting; the rules are written again soon after. */
function removeBroken({ data, owner }: ServerFolder): void {
  const path = join(data, FIREWALL_FILE)
  const text = readUntrusted(path)
  if (text === undefined || COMPLETE.test(text)) return
  spawnSync('/bin/rm', ['-f', '--', path], { ...owner, env: getServerEnv(), stdio: 'ignore' })
}
