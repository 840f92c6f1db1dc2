import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { receiveCopy } from './receive-copy.ts'

export interface BaseBackup {
  readonly startLsn: string
  /** The copy is consistent as of here. */
  readonly endLsn: string
  readonly timeline: number
  /** Of the archive, before any compression. */
  readonly bytes: number
}

interface Request {
  /** Of a superuser, or of a role with REPLICATION. */
  readonly url: string
  /** Gets a tar of the data folder with the log that makes it consistent. */
  readonly archive: Writable
  /** Gets Postgres' own list of files and checksums, for pg_verifybackup. */
  readonly fileList: Writable
}

const NEW_ARCHIVE = 0x6e
const NEW_FILE_LIST = 0x6d
const DATA = 0x64

/** What pg_basebackup does, while the server serves others: all databases, roles and settings at one point of the log. */
export async function receiveBaseBackup({ url, archive, fileList }: Request): Promise<BaseBackup> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'trellis-backup',
    replication: 'database',
  } as pg.ClientConfig)
  // The statement under way tells of a lost connection; unheard, the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Without a slot a checkpoint may delete log that was written since the start and is not copied yet.
    await client.query(
      `CREATE_REPLICATION_SLOT "trellis_backup_${randomBytes(6).toString('hex')}" TEMPORARY PHYSICAL (RESERVE_WAL true)`,
    )
    const { onChunk, countBytes } = splitArchives(archive, fileList)
    const rows = await receiveCopy(
      client,
      "BASE_BACKUP (LABEL 'trellis', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')",
      onChunk,
    )
    archive.end()
    fileList.end()
    const [start, end] = [rows[0] ?? [], rows.at(-1) ?? []]
    return { startLsn: start[0] ?? '', endLsn: end[0] ?? '', timeline: Number(end[1]), bytes: countBytes() }
  } catch (error) {
    archive.destroy(error as Error)
    fileList.destroy(error as Error)
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

function splitArchives(archive: Writable, fileList: Writable) {
  let target: Writable | undefined
  let bytes = 0
  const onChunk = (chunk: Buffer): Writable | undefined => {
    if (chunk[0] === NEW_ARCHIVE) {
      const name = chunk.subarray(1, chunk.indexOf(0, 1)).toString()
      if (name !== 'base.tar') throw new Error('Tablespaces outside the data folder cannot be backed up.')
      target = archive
    }
    if (chunk[0] === NEW_FILE_LIST) target = fileList
    if (chunk[0] !== DATA || !target) return undefined
    if (target === archive) bytes += chunk.length - 1
    // The driver uses the bytes again.
    return target.write(Buffer.from(chunk.subarray(1))) ? undefined : target
  }
  return { onChunk, countBytes: () => bytes }
}
