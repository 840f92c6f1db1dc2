import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { receiveCopy } from './receive-copy.ts'

export interface BaseBackup {
  readonly startLsn: string
  /** The backup is consistent from this LSN on. */
  readonly endLsn: string
  readonly timeline: number
  readonly bytes: number
}

interface Request {
  readonly url: string
  readonly archive: Writable
  readonly fileList: Writable
}

const NEW_ARCHIVE = 0x6e
const NEW_FILE_LIST = 0x6d
const DATA = 0x64

export async function receiveBaseBackup({ url, archive, fileList }: Request): Promise<BaseBackup> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'trellis-backup',
    replication: 'database',
  } as pg.ClientConfig)
  // Without a listener a lost connection would crash the process; the current statement fails anyway.
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Without a slot, a checkpoint could remove WAL that is not copied yet.
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
    return target.write(Buffer.from(chunk.subarray(1))) ? undefined : target
  }
  return { onChunk, countBytes: () => bytes }
}
