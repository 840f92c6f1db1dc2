import { findProgram } from '../find-program.ts'

const PACKAGES = { patroni: 'patroni', haproxy: 'haproxy', pgbouncer: 'pgbouncer', etcd: 'etcd-server' } as const
export type ClusterPrograms = Record<keyof typeof PACKAGES, string>

export function findClusterPrograms(): ClusterPrograms | string {
  const names = Object.keys(PACKAGES) as (keyof typeof PACKAGES)[]
  const found = names.map((name) => [name, findProgram(name)] as const)
  const missing = found.flatMap(([name, path]) => (path === undefined ? [PACKAGES[name]] : []))
  if (missing.length === 0) return Object.fromEntries(found) as ClusterPrograms
  return `This needs Debian's packages ${Object.values(PACKAGES).join(', ')}; not found: ${missing.join(', ')}. Install them with "sudo apt-get install --no-install-recommends ${missing.join(' ')}", then run this again.`
}
