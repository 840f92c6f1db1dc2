import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Place } from './place.ts'

export interface Recording {
  readonly port: number
  readonly statements: string[]
  close(): Promise<void>
}

export async function recordStatements(to: { host: string; port: number }): Promise<Recording> {
  const statements: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(to)
    for (const item of [socket, onward]) {
      open.add(item)
      item.on('error', () => undefined).on('close', () => open.delete(item))
    }
    const take = readMessages((text) => statements.push(text))
    socket.on('data', take)
    socket.pipe(onward)
    onward.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    close: () => {
      for (const item of open) item.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const HEAD_BYTES = 4
const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104

function readMessages(onStatement: (text: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let hasStarted = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      // The startup message has no type byte.
      const lead = hasStarted ? 1 : 0
      if (rest.length < lead + HEAD_BYTES) return
      const length = lead + rest.readInt32BE(lead)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (hasStarted) onMessage(message, onStatement)
      else hasStarted = ![SSL_REQUEST, GSS_REQUEST].includes(message.readInt32BE(HEAD_BYTES))
    }
  }
}

function onMessage(message: Buffer, onStatement: (text: string) => void): void {
  const kind = String.fromCodePoint(message[0] ?? 0)
  const body = message.subarray(1 + HEAD_BYTES)
  if (kind === 'Q') onStatement(body.subarray(0, -1).toString())
  if (kind !== 'P') return
  const start = body.indexOf(0) + 1
  onStatement(body.subarray(start, body.indexOf(0, start)).toString())
}

const OBJECTS = `
  select oid::text, 'pg_class' as kind, oid::regclass::text as name from pg_class where oid >= 16384 and relnamespace <> 99
  union all select oid::text, 'pg_namespace', oid::regnamespace::text from pg_namespace where oid >= 16384
  union all select oid::text, 'pg_type', oid::regtype::text from pg_type where oid >= 16384
  union all select oid::text, 'pg_database', '' from pg_database where datname = current_database()
  union all select oid::text, 'pg_constraint', conname from pg_constraint where oid >= 16384`

/** Replaces oids by names, since they differ between databases. */
export async function writeRecording(
  place: Place,
  { path, recording }: { path: string; recording: Recording },
): Promise<void> {
  const { rows } = await place.cluster.withAdmin(place.connection.database, (inside) =>
    inside.query<{ oid: string; kind: string; name: string }>(OBJECTS),
  )
  const names = new Map(rows.map(({ oid, kind, name }) => [oid, `{{${`${kind} ${name}`.trim()}}}`]))
  const statements = [...new Set(recording.statements)]
    .filter(
      (text) =>
        text.trim() !== '' &&
        !text.includes('closed.secret') &&
        !/\$1\b|^(begin|commit|rollback|set transaction snapshot)/i.test(text.trim()),
    )
    .map((text) =>
      text
        .replaceAll(/\b\d{5,}\b/g, (oid) => names.get(oid) ?? oid)
        .replaceAll(place.connection.database, '{{database}}')
        .replaceAll(place.secret.user_name, '{{login}}'),
    )
  await writeFile(path, `${JSON.stringify(statements, null, 2)}\n`)
}
