import { FileFault } from '@trellis/table-files/read/byte-source'
import type { CopyBlock } from '@trellis/table-files/read/csv-blocks'
import type { RowFault } from '@trellis/table-files/read/dialect'
import type { FileProfile, ProfileOptions } from '@trellis/table-files/profile/file-profile'
import type { Forecast } from '@trellis/table-files/profile/forecast-csv'
import { forecastFile } from '@trellis/table-files/profile/profile-file'
import { ForecastRefuted, type RecordChecks, readByForecast } from '@trellis/table-files/profile/read-by-forecast'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { stageName } from '@trellis/loads/own-tables'
import type { RejectedRow } from '@trellis/loads/rejected-rows'
import { AppError } from '../../platform/app-error.ts'
import { fill, readBlocks } from './fill-rows.ts'
import { type FileWork, createByteSource, openJobDatabase, tryDropStage, withLoadSession } from './job-work.ts'
import { type StagedFrom, planProfile } from './plan/file-plan.ts'
import { type Staging, toRejectedRow } from './staging.ts'

export interface InspectedFile {
  readonly profile: FileProfile
  readonly stagedFrom?: StagedFrom
  readonly bad?: readonly RejectedRow[]
}

/** Somebody waits for the types meanwhile. */
const MAX_BYTES = 1024 ** 3

/** The check asks for room for the file once more. */
const SHARE = 1 / 3

/**
 * Stages the file with the types its beginning shows, in the scan that verifies them. Undefined if the beginning shows
 * none, or the scan did not get to the end.
 */
export async function stageByForecast(work: FileWork, options: ProfileOptions): Promise<InspectedFile | undefined> {
  const source = createByteSource(work)
  if (source.size > MAX_BYTES) return undefined
  const forecast = await forecastFile(source, options)
  const staging = forecast && (await planForecast(work, forecast.profile))
  return staging && (await stageInScan(staging, forecast))
}

async function planForecast(work: FileWork, profile: FileProfile): Promise<Staging | undefined> {
  const isSure = profile.columns.every(({ likely_type: type, fitting_types }) => !type || fitting_types.includes(type))
  if (!isSure) return undefined
  return await unlessRefused(work, async () => {
    const database = await openJobDatabase(work)
    const plan = await withLoadSession(database, work.signal, (session) =>
      planProfile(session, work.file, { profile, model: null }),
    )
    return plan.isPassed ? { work, database, plan, profile } : undefined
  })
}

async function stageInScan(staging: Staging, forecast: Forecast): Promise<InspectedFile | undefined> {
  const { work, database } = staging
  const stage = stageName(work.job.id, work.attempt)
  let inspected: InspectedFile | undefined
  try {
    inspected = await scanAndStage(staging, { forecast, stage })
  } catch (error) {
    if (!(error instanceof ForecastRefuted)) throw error
    inspected = error.profile && { profile: error.profile }
  }
  if (!inspected?.stagedFrom) await tryDropStage(database, stage)
  return inspected
}

interface Scan {
  readonly blocks: AsyncIterator<CopyBlock>
  profile?: FileProfile
}

async function scanAndStage(
  staging: Staging,
  { forecast, stage }: { forecast: Forecast; stage: string },
): Promise<InspectedFile | undefined> {
  const { work, plan } = staging
  const scans: Scan[] = []
  const startScan = (onFault: (fault: RowFault) => void): AsyncIterable<CopyBlock> => {
    async function* read() {
      const checks = {
        onFault,
        read: (checkedRecordChecks: RecordChecks) => readBlocks(staging, { isNumbered: false, ...checkedRecordChecks }),
      }
      scan.profile = yield* readByForecast(forecast, checks)
    }
    const scan: Scan = { blocks: read() }
    scans.push(scan)
    // Without return(): when the stage is lost, the scan continues for the profile.
    return { [Symbol.asyncIterator]: () => ({ next: () => scan.blocks.next() }) }
  }
  const done = await unlessRefused(work, () => fill(staging, { stage, isNumbered: false, share: SHARE }, startScan))
  const [scan] = scans
  if (scan) await readToEnd(scan, work.signal)
  if (!scan?.profile) return undefined
  const { profile } = scan
  if (!done || done.filled.rejected.length > 0 || done.filled.isOverLimit) return { profile }
  const { rows, faults, filled } = done
  const { rowsFingerprint } = plan
  const stagedFrom = { stage, rowsFingerprint, fingerprint: null, rows, goodRows: filled.rows, isNumbered: false }
  return { profile, stagedFrom, bad: faults.map((fault) => toRejectedRow(fault, plan)) }
}

async function readToEnd({ blocks }: Scan, signal: AbortSignal): Promise<void> {
  while (!(await blocks.next()).done) signal.throwIfAborted()
}

/** A stage is only a head start: whatever refuses it, the file can still be inspected. */
async function unlessRefused<T>(work: FileWork, task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task()
  } catch (error) {
    const isRefusal = error instanceof WorkspaceDbError || error instanceof AppError || error instanceof FileFault
    if (!isRefusal || work.signal.aborted) throw error
    work.ctx.log.info({ err: error, job: work.job.id }, 'A file is inspected without being staged.')
    return undefined
  }
}
