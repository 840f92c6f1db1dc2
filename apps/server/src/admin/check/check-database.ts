import { listJobs } from '@trellis/jobs/stored-jobs'
import type pg from 'pg'
import type { Installation } from '../open-installation.ts'
import type { Check, Finding } from './finding.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

export const checkDatabase: Check = async (installation) => [
  await checkServer(installation),
  await checkControlFile(installation),
  await checkFailedJobs(installation),
]

async function checkServer({ control, builtIn }: Installation): Promise<Finding> {
  const { rows } = await control.pool.query<{ version: string }>("select current_setting('server_version') as version")
  const { version = '' } = rows[0] ?? {}
  const made = builtIn?.version
  if (made !== undefined && made !== version.split('.')[0]) {
    return { check: 'postgres', status: 'failed', detail: `${version} runs on data made by version ${made}` }
  }
  return { check: 'postgres', status: 'ok', detail: `version ${version}` }
}

async function checkControlFile({ control }: Installation): Promise<Finding> {
  const check = 'cluster state'
  try {
    const { rows } = await control.pool.query<{ at: Date; checksums: number }>(
      `select checkpoint_time as at, data_page_checksum_version as checksums
         from pg_control_checkpoint(), pg_control_init()`,
    )
    const { at, checksums } = rows[0] ?? { at: new Date(0), checksums: 0 }
    const sums = checksums > 0 ? 'on' : 'off'
    return {
      check,
      status: 'ok',
      detail: `control file readable, last checkpoint ${at.toISOString()}, page checksums ${sums}`,
    }
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error
    return { check, status: 'warning', detail: 'the login of TRELLIS_DATABASE_URL may not read the control file' }
  }
}

async function checkFailedJobs({ control }: Installation): Promise<Finding> {
  const failedJobs = await listJobs(control, { onlyFailed: true, limit: 1000 })
  if (failedJobs.length === 0) return { check: 'jobs', status: 'ok', detail: 'none failed in the last 14 days' }
  return { check: 'jobs', status: 'warning', detail: `${failedJobs.length} failed: trellis admin jobs list --failed` }
}
