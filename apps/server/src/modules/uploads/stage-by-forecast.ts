import { FileFault } from '@trellis/table-files/read/byte-source'
import type { CopyBlock } from '@trellis/table-files/read/csv-blocks'
import type { RowFault } from '@trellis/table-files/read/dialect'
import type { FileProfile, ProfileOptions } from '@trellis/table-files/profile/file-profile'
import type { Forecast } from '@trellis/table-files/profile/forecast-csv'
import { forecastFile } from '@trellis/table-files/profile/profile-file'
import { ForecastRefuted, type RecordChecks, readByForecast } from '@trellis/table-files/profile/read-by-forecast'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { toStageName } from '@trellis/loads/own-tables'
import type { RejectedRow } from '@trellis/loads/rejected-rows'
import { AppError } from '../../platform/app-error.ts'
import { fillNewStage, readBlocks } from './fill-rows.ts'
import { type FileWork, createByteSource, openJobDatabase, tryDropStage, withLoadSession } from './job-work.ts'
import { type StagedFrom, planProfile } from './plan/file-plan.ts'
import { type Staging, toRejectedRow } from './staging.ts'

export interface InspectedFile {
  readonly profile: FileProfile
  readonly stagedFrom?: StagedFrom
  readonly badRows?: readonly RejectedRow[]
}

/** Somebody waits for the types meanwhile. */
const MAX_FORECAST_BYTES = 1024 ** 3

/** The check asks for room for the file once more. */
const STORAGE_SHARE = 1 / 3

/**
 * Stages the file with the types its beginning shows, in the scan that verifies them. Undefined if the beginning shows
 * none, or the scan did not get to the end.
 */
export async function stageByForecast(work: FileWork, options: ProfileOptions): Promise<InspectedFile | undefined> {
  const source = createByteSource(work)
  if (source.size > MAX_FORECAST_BYTES) return undefined
  const forecast = await forecastFile(source, options)
  const staging = forecast && (await planForecast(work, forecast.profile))
  return staging && (await stageInScan(staging, forecast))
}

async function planForecast(work: FileWork, profile: FileProfile): Promise<Staging | undefined> {
  const areTypesCertain = profile.columns.every(
    ({ likely_type: type, fitting_types }) => !type || fitting_types.includes(type),
  )
  if (!areTypesCertain) return undefined
  return await ignoreRefusal(work, async () => {
    const database = await openJobDatabase(work)
    const plan = await withLoadSession(database, work.signal, (session) =>
      planProfile(session, work.file, { profile, model: null }),
    )
    return plan.isPassedThrough ? { work, database, plan, profile } : undefined
  })
}

async function stageInScan(staging: Staging, forecast: Forecast): Promise<InspectedFile | undefined> {
  const { work, database } = staging
  const stage = toStageName(work.job.id, work.attempt)
  let inspectedFile: InspectedFile | undefined
  try {
    inspectedFile = await scanAndStage(staging, { forecast, stage })
  } catch (error) {
    if (!(error instanceof ForecastRefuted)) throw error
    inspectedFile = error.profile && { profile: error.profile }
  }
  if (!inspectedFile?.stagedFrom) await tryDropStage(database, stage)
  return inspectedFile
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
    async function* readAndProfile() {
      const checks = {
        onFault,
        read: (recordChecks: RecordChecks) => readBlocks(staging, { isNumbered: false, ...recordChecks }),
      }
      scan.profile = yield* readByForecast(forecast, checks)
    }
    const scan: Scan = { blocks: readAndProfile() }
    scans.push(scan)
    // Without return(): when the stage is lost, the scan continues for the profile.
    return { [Symbol.asyncIterator]: () => ({ next: () => scan.blocks.next() }) }
  }
  const fillOutcome = await ignoreRefusal(work, () =>
    fillNewStage(staging, { stage, isNumbered: false, share: STORAGE_SHARE }, startScan),
  )
  const [scan] = scans
  if (scan) await finishScan(scan, work.signal)
  if (!scan?.profile) return undefined
  const { profile } = scan
  if (!fillOutcome || fillOutcome.fillResult.rejected.length > 0 || fillOutcome.fillResult.isOverLimit)
    return { profile }
  const { rows, faults, fillResult: filled } = fillOutcome
  const { rowsFingerprint } = plan
  const stagedFrom = { stage, rowsFingerprint, fingerprint: null, rows, goodRows: filled.rows, isNumbered: false }
  return { profile, stagedFrom, badRows: faults.map((fault) => toRejectedRow(fault, plan)) }
}

async function finishScan({ blocks }: Scan, signal: AbortSignal): Promise<void> {
  while (!(await blocks.next()).done) signal.throwIfAborted()
}

/** A stage is only a head start: whatever refuses it, the file can still be inspected. */
async function ignoreRefusal<T>(work: FileWork, task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task()
  } catch (error) {
    const isRefusal = error instanceof WorkspaceDbError || error instanceof AppError || error instanceof FileFault
    if (!isRefusal || work.signal.aborted) throw error
    work.ctx.log.info({ err: error, job: work.job.id }, 'A file is inspected without being staged.')
    return undefined
  }
}
