import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { AdminError } from '../admin-error.ts'

const FORMAT = 1
const MANIFEST = 'manifest.json'
export const ARCHIVE = 'database/base.tar.zst'
export const FILE_LIST = 'database/backup_manifest'
export const OBJECT_LIST = 'objects.jsonl'
export const OBJECTS = 'objects'
export const SEALED_KEYS = 'keys.sealed'

const BackedUpFile = z.object({ path: z.string(), size: z.number(), sha256: z.string() })
export type BackedUpFile = z.infer<typeof BackedUpFile>

const Manifest = z.object({
  format: z.literal(FORMAT),
  trellis: z.string(),
  started_at: z.string(),
  finished_at: z.string(),
  /** Data files are specific to OS and CPU architecture. */
  platform: z.string(),
  last_migration: z.string(),
  root_key_ids: z.array(z.string()),
  /** Null for an external server, which has its own backup tools. */
  database: z.nullable(
    z.object({
      postgres: z.string(),
      port: z.number(),
      bytes: z.number(),
      start_lsn: z.string(),
      end_lsn: z.string(),
      timeline: z.number(),
      databases: z.array(z.object({ name: z.string(), bytes: z.number() })),
    }),
  ),
  objects: z.nullable(z.object({ count: z.number(), bytes: z.number() })),
  files: z.array(BackedUpFile),
})
export type Manifest = z.infer<typeof Manifest>

/** Written last: without it the backup is incomplete. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = join(folder, `${MANIFEST}.new`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ ...manifest, checksum: computeChecksum(manifest) }, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, MANIFEST))
}

const computeChecksum = (manifest: object) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

export function readManifest(folder: string): Manifest {
  if (!existsSync(folder)) throw new AdminError(`There is no folder ${folder}.`)
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) {
    throw new AdminError(
      `${folder} holds no whole backup: it has no ${MANIFEST}. One that was interrupted cannot be used; delete it and make another.`,
    )
  }
  const { checksum, ...manifest } = parseJson(path)
  if (checksum !== computeChecksum(manifest)) throw damagedBackupError(path)
  if (typeof manifest['format'] === 'number' && manifest['format'] > FORMAT) {
    throw new AdminError(
      `This backup was made by Trellis ${String(manifest['trellis'])} in a format that this version does not know. Restore it with that version.`,
    )
  }
  const parsed = z.safeParse(Manifest, manifest)
  if (!parsed.success) throw damagedBackupError(path)
  return parsed.data
}

function parseJson(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  } catch {
    throw damagedBackupError(path)
  }
}

export const damagedBackupError = (path: string) =>
  new AdminError(`${path} is damaged: it is not as it was when the backup was made. Use another backup.`)
