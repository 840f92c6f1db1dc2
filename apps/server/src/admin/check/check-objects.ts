import type { Db } from '@trellis/control-db/database'
import { exportKey } from '../../modules/explorer/export-files.ts'
import { toPartKey } from '../../modules/uploads/file-parts.ts'
import { listObjects } from '../../platform/object-store/list-objects.ts'
import type { ObjectStore } from '../../platform/object-store/object-store.ts'
import { openObjectStore } from '../../platform/object-store/open-object-store.ts'
import type { Check, Finding } from './finding.ts'

const check = 'files'
const HOUR_MS = 3_600_000

/** Objects are written before their row and deleted after it, so young ones without a row are not orphans. */
export const checkObjects: Check = async ({ config, control }) => {
  const store = openObjectStore(config)
  const { keys, leftOver } = await listKeys(store)
  const referenced = new Set(await listReferencedKeys(control.db))
  const missing = [...referenced].filter((key) => !keys.has(key))
  const orphans = leftOver.filter((key) => !referenced.has(key))
  const findings: Finding[] = [
    missing.length === 0
      ? { check, status: 'ok', detail: `all ${referenced.size} that are referenced are there` }
      : {
          check,
          status: 'failed',
          detail: `${missing.length} of ${referenced.size} are missing, among them ${missing[0]}`,
        },
  ]
  if (orphans.length > 0) {
    findings.push({
      check,
      status: 'warning',
      detail: `${orphans.length} are referenced by nothing, among them ${orphans[0]}`,
    })
  }
  return findings
}

async function listKeys(store: ObjectStore): Promise<{ keys: Set<string>; leftOver: string[] }> {
  const keys = new Set<string>()
  const leftOver: string[] = []
  const before = Date.now() - HOUR_MS
  for await (const { key, modifiedAt } of listObjects(store)) {
    keys.add(key)
    if (modifiedAt.getTime() < before) leftOver.push(key)
  }
  return { keys, leftOver }
}

async function listReferencedKeys(db: Db): Promise<string[]> {
  const files = await db.selectFrom('upload_files').select(['id', 'workspace_id', 'parts']).execute()
  const exports = await db
    .selectFrom('table_exports')
    .select('id')
    .where('status', '=', 'completed')
    .where('expires_at', '>', new Date())
    .execute()
  return [
    ...files.flatMap((file) => Object.keys(file.parts).map((part) => toPartKey(file, Number(part)))),
    ...exports.map(({ id }) => exportKey(id)),
  ]
}
