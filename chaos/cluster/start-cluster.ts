import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { chooseOwner } from '@trellis/embedded/postgres/process-owner'
import { untilItAnswers } from '../pooler/start-pooler.ts'
import { fillIn } from './deploy-files.ts'
import { makePostgresPrograms } from './postgres-programs.ts'
import type { ClusterPrograms } from './programs.ts'
import { type ClusterNode, createNode } from './start-node.ts'
import { type ProgramOptions, startProgram, stopProgram } from './start-program.ts'

export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  readonly haproxyPort: number
  readonly pgbouncerPort: number
  readonly passwords: Readonly<Record<'app' | 'owner' | 'admin' | 'superuser', string>>
  untilWhole(timeoutMs: number): Promise<ClusterNode>
  /** Planned switchover. */
  switchOver(): Promise<void>
}

export interface ClusterOptions {
  readonly home: string
  readonly programs: ClusterPrograms
  readonly undo: (() => Promise<unknown>)[]
}

export async function startCluster({ home, programs, undo }: ClusterOptions): Promise<Cluster> {
  const owner = chooseOwner(home)
  const password = () => randomBytes(18).toString('hex')
  const passwords = { app: password(), owner: password(), admin: password(), superuser: password() }
  const makeFolder = (name: string) => {
    const folder = join(home, name)
    mkdirSync(folder)
    if (owner) chownSync(folder, owner.uid, owner.gid)
    chmodSync(folder, 0o700)
    return folder
  }
  const launch = async (port: number, options: Omit<ProgramOptions, 'owner'>) => {
    const child = startProgram({ ...options, owner })
    undo.push(() => stopProgram(child))
    await untilItAnswers(port, child)
  }
  const writeSettings = (path: string, text: string) => {
    writeFileSync(path, text, { mode: 0o600 })
    if (owner) chownSync(path, owner.uid, owner.gid)
    return path
  }

  const [etcdPort, peerPort] = [await findFreePort(), await findFreePort()]
  const etcd = makeFolder('etcd')
  const [clients, peers] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`]
  await launch(etcdPort, {
    name: 'etcd',
    file: programs.etcd,
    args: [
      ...['--data-dir', join(etcd, 'data'), '--listen-client-urls', clients, '--advertise-client-urls', clients],
      ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
    ],
    folder: etcd,
    env: process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {},
  })

  const shared = {
    ETCD_HOSTS: `127.0.0.1:${etcdPort}`,
    MAX_CONNECTIONS: 150,
    SHARED_BUFFERS: '48MB',
    CLUSTER_NETWORK: '127.0.0.1/32',
    POSTGRES_BIN: makePostgresPrograms(join(home, 'bin'), owner),
    SUPERUSER_PASSWORD: passwords.superuser,
    REPLICATION_PASSWORD: password(),
    REWIND_PASSWORD: password(),
  }
  const nodes: ClusterNode[] = []
  for (const name of ['node1', 'node2']) {
    const values = { ...shared, POSTGRES_PORT: await findFreePort(), PATRONI_PORT: await findFreePort() }
    const node = createNode({ name, folder: join(home, name), program: programs.patroni, owner, values })
    undo.push(() => node.stop())
    nodes.push(node)
  }
  for (const node of nodes) {
    node.start()
    await untilTrue(async () => (await findMembers(nodes)).some(isReady(node)), 60_000, `${node.name} did not start`)
  }

  const haproxyPort = await findFreePort()
  const addresses = nodes.map(({ name, host, postgresPort, patroniPort }) => {
    const prefix = name.toUpperCase()
    return {
      [`${prefix}_HOST`]: host,
      [`${prefix}_POSTGRES_PORT`]: postgresPort,
      [`${prefix}_PATRONI_PORT`]: patroniPort,
    }
  })
  const haproxy = makeFolder('haproxy')
  const haproxySettings = fillIn('haproxy.cfg', Object.assign({ HAPROXY_PORT: haproxyPort }, ...addresses))
  await launch(haproxyPort, {
    name: 'haproxy',
    file: programs.haproxy,
    args: ['-db', '-f', writeSettings(join(haproxy, 'haproxy.cfg'), haproxySettings)],
    folder: haproxy,
  })

  const pgbouncerPort = await findFreePort()
  const pgbouncer = makeFolder('pgbouncer')
  const logins = writeSettings(join(pgbouncer, 'logins.txt'), `"trellis_app" "${passwords.app}"\n`)
  const values = { HAPROXY_PORT: haproxyPort, PGBOUNCER_PORT: pgbouncerPort, PGBOUNCER_LOGINS: logins }
  await launch(pgbouncerPort, {
    name: 'pgbouncer',
    file: programs.pgbouncer,
    args: [writeSettings(join(pgbouncer, 'pgbouncer.ini'), fillIn('pgbouncer.ini', values))],
    folder: pgbouncer,
  })

  const untilWhole = async (timeoutMs: number) => {
    const isWhole = async () => {
      const members = await findMembers(nodes)
      return members.some(({ role }) => role === 'leader') && members.some(({ role }) => role === 'sync_standby')
    }
    await untilTrue(isWhole, timeoutMs, 'The cluster has no standby')
    return await findLeader(nodes)
  }
  return {
    nodes,
    haproxyPort,
    pgbouncerPort,
    passwords,
    untilWhole,
    switchOver: async () => {
      const leader = await findLeader(nodes)
      const answer = await fetch(`http://${leader.host}:${leader.patroniPort}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: leader.name }),
      })
      if (!answer.ok) throw new Error(`The switchover was refused: ${await answer.text()}`)
    },
  }
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

const isReady = (node: ClusterNode) => (member: Member) =>
  member.name === node.name && ['running', 'streaming'].includes(member.state)

async function findMembers(nodes: readonly ClusterNode[]): Promise<readonly Member[]> {
  for (const { host, patroniPort } of nodes) {
    try {
      const answer = await fetch(`http://${host}:${patroniPort}/cluster`, { signal: AbortSignal.timeout(2000) })
      if (answer.ok) return ((await answer.json()) as { members: Member[] }).members
    } catch {}
  }
  return []
}

async function findLeader(nodes: readonly ClusterNode[]): Promise<ClusterNode> {
  const leader = (await findMembers(nodes)).find(({ role }) => role === 'leader')
  const node = nodes.find(({ name }) => name === leader?.name)
  if (!node) throw new Error('The cluster has no leader.')
  return node
}

const POLL_MS = 200

async function untilTrue(check: () => Promise<boolean>, timeoutMs: number, problem: string): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; await sleep(POLL_MS)) {
    if (await check()) return
    if (Date.now() > end) throw new Error(`${problem} within ${timeoutMs / 1000} s.`)
  }
}
