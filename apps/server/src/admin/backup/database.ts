import { createReadStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, type Readable, pipeline } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { receiveBaseBackup } from '@trellis/embedded/backup/base-backup'
import { restoreCluster } from '@trellis/embedded/backup/restore-cluster'
import { checkEvery, readDiskUse } from '../../platform/object-store/disk-use.ts'
import { diskFull } from '../../platform/object-store/object-store.ts'
import { AdminError } from '../admin-error.ts'
import type { Installation } from '../open-installation.ts'
import { writeBackupFile } from './backup-files.ts'
import { ARCHIVE, type BackedUpFile, FILE_LIST, type Manifest } from './manifest.ts'

const LOOK_EVERY_BYTES = 16 * 1024 ** 2
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 3 }

interface Request {
  readonly installation: Installation
  readonly folder: string
  readonly say: (line: string) => void
  /** Share of the disk at which the backup aborts: a full disk takes the databases down. */
  readonly limit: number
  readonly files: BackedUpFile[]
}

export async function backUpDatabase({ installation, ...request }: Request): Promise<Manifest['database']> {
  const { builtIn, control } = installation
  if (!builtIn) return null
  const { folder, say, files } = request
  say('Copying databases.')
  mkdirSync(join(folder, 'database'), { mode: 0o700 })
  const { rows } = await control.pool.query<{ name: string; bytes: number }>(
    'select datname as name, pg_database_size(oid) as bytes from pg_database where datallowconn order by datname',
  )
  const { rows: version } = await control.pool.query<{ server_version: string }>('show server_version')
  const [archive, fileList] = [new PassThrough(), new PassThrough()]
  const checkSpace = async () => {
    if (request.limit < 1 && (await readDiskUse(folder)) >= request.limit) throw diskFull()
  }
  const writing = Promise.all([
    writeBackupFile(folder, ARCHIVE, [
      archive,
      createZstdCompress({ params: PARAMS }),
      checkEvery(LOOK_EVERY_BYTES, checkSpace),
    ]),
    writeBackupFile(folder, FILE_LIST, [fileList]),
  ])
  const written = writing.catch(() => undefined)
  const createdBaseBackup = await receiveBaseBackup({ url: builtIn.url, archive, fileList }).catch(
    async (error: unknown) => {
      await written
      throw toSentence(error)
    },
  )
  files.push(...(await writing))
  return {
    postgres: version[0]?.server_version ?? '',
    port: Number(new URL(builtIn.url).port),
    bytes: createdBaseBackup.bytes,
    start_lsn: createdBaseBackup.startLsn,
    end_lsn: createdBaseBackup.endLsn,
    timeline: createdBaseBackup.timeline,
    databases: rows,
  }
}

const REMOVED_LOG = /requested WAL segment|could not open file "pg_wal|invalidat/

function toSentence(error: unknown): unknown {
  if (!(error instanceof Error) || !REMOVED_LOG.test(error.message)) return error
  return new AdminError(
    'More was written to the databases during the backup than Postgres keeps of its log. Make it at a quieter time.',
  )
}

export async function restoreDatabase(
  folder: string,
  { home, port, say }: { home: string; port?: number; say: (line: string) => void },
): Promise<{ folder: string }> {
  return await restoreCluster({
    dataDir: join(home, 'postgres'),
    archive: openArchive(folder),
    log: say,
    ...(port !== undefined && { port }),
  })
}

function openArchive(folder: string): Readable {
  const unpacked = createZstdDecompress()
  pipeline(createReadStream(join(folder, ARCHIVE)), unpacked, () => undefined)
  return unpacked
}
