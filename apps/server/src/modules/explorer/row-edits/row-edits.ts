import { allows } from '@trellis/contract/core/permissions'
import type { RowEdit, RowEditing, RowEditsResult } from '@trellis/contract/explorer/row-edits.schemas'
import { applyEdits } from '@trellis/workspace-db/rows/edit/apply-edits'
import { formatEditStatement } from '@trellis/workspace-db/rows/edit/edit-statements'
import { type EditableTable, readEditableTable } from '@trellis/workspace-db/rows/edit/editable-table'
import { RowEditError } from '@trellis/workspace-db/rows/edit/explain-fault'
import type { Session } from '@trellis/workspace-db/session'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { withOutsideDatabase } from '../../integrations/outside-databases.service.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import type { TableKey } from '../labels.repository.ts'
import { getTable, withReaderSession, withWriterSession } from '../open-session.service.ts'
import { findLastRowEdit, findRowEdit, insertRowEdit, markUndone } from './row-edits.repository.ts'

const UNDO_MS = 24 * 60 * 60_000
const LIMITS = { statementMs: 15_000, maxBytes: 32 * 1024 * 1024 }

const toSecretPlace = ({ workspace }: WorkspaceCtx) => ({ scope: `workspace:${workspace.id}`, field: 'row_edits' })

const CONNECTED = 'This connected database is read-only here. Writing can be allowed in the settings of its connection.'
const VIEWER = 'You can look at rows. Changing them needs the role of an editor in this workspace.'

export async function getRowEditing(ctx: WorkspaceCtx, table: TableKey): Promise<RowEditing> {
  const refused = await findRefusal(ctx, table)
  if (refused !== null) return { can_edit: false, reason: refused, key: [], columns: [], last_edit: null }
  const { columns, key, problem } = await withTable(ctx, table, (_, editableTable) => Promise.resolve(editableTable))
  const last = problem === null ? await findLastRowEdit(ctx, table, ctx.clock.now()) : undefined
  return {
    can_edit: problem === null,
    reason: problem,
    key: key.map(({ name }) => name),
    columns: columns.map(({ name, type, isNullable, hasDefault, isGenerated, identity, labels }) => ({
      name,
      type,
      is_nullable: isNullable,
      has_default: hasDefault,
      is_read_only: isGenerated || identity === 'always',
      labels: labels === null ? null : [...labels],
    })),
    last_edit: last ? { edit_id: last.id, rows: last.rows, applied_at: last.applied_at.toISOString() } : null,
  }
}

async function findRefusal(ctx: WorkspaceCtx, table: TableKey): Promise<string | null> {
  const integrationCode = table.integration_trellis_code
  const callerRoles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (!allows('explorer:write', callerRoles)) {
    await withReaderSession(ctx, { integrationCode }, (session) => getTable(session, table))
    return VIEWER
  }
  if (integrationCode === managedCode(ctx.workspace.code)) return null
  return await withConnected(ctx, table, async (session) => {
    await getTable(session, table)
    return session.isReadOnly ? CONNECTED : null
  })
}

async function withConnected<T>(ctx: WorkspaceCtx, table: TableKey, work: (session: Session) => Promise<T>) {
  const { signal } = ctx.http
  const look = { code: table.integration_trellis_code, limits: LIMITS, signal, person: String(ctx.actor.profileId) }
  return await withOutsideDatabase(ctx, { ...look, isWriting: true }, work)
}

/** Under the person's own database role, which decides about writes. */
async function withTable<T>(
  ctx: WorkspaceCtx,
  table: TableKey,
  work: (session: Session, editableTable: EditableTable) => Promise<T>,
): Promise<T> {
  const integrationCode = table.integration_trellis_code
  const workOn = async (session: Session) => {
    if (session.isReadOnly) throw new AppError('forbidden', CONNECTED)
    return await work(session, await readEditableTable(session, await getTable(session, table)))
  }
  if (integrationCode !== managedCode(ctx.workspace.code)) return await withConnected(ctx, table, workOn)
  return await withWriterSession(ctx, { integrationCode, limits: LIMITS }, workOn)
}

export async function previewRowEdits(ctx: WorkspaceCtx, table: TableKey, edits: readonly RowEdit[]) {
  return await withTable(ctx, table, (_, editableTable) => {
    assertEditable(editableTable)
    return Promise.resolve({ statements: edits.map((edit) => formatEditStatement(editableTable, edit)) })
  })
}

export async function applyRowEdits(
  ctx: WorkspaceCtx,
  table: TableKey,
  edits: readonly RowEdit[],
): Promise<RowEditsResult> {
  const outcome = await withTable(ctx, table, async (session, editableTable) => {
    assertEditable(editableTable)
    return await applyEdits(session, editableTable, edits)
  }).catch(nameRow)
  if (!('inverse' in outcome)) {
    ctx.http.addAuditDetail({ outcome: 'conflict', ...countKinds(edits) })
    const conflicts = outcome.conflicts.map(({ cells, ...conflict }) => ({ ...conflict, cells: [...cells] }))
    return { status: 'conflict', edit_id: null, rows: 0, conflicts }
  }
  const appliedAt = ctx.clock.now()
  const sealed = await ctx.ports.secrets.seal(ctx, toSecretPlace(ctx), JSON.stringify(outcome.inverse))
  const expiresAt = new Date(appliedAt.getTime() + UNDO_MS)
  const edit_id = await insertRowEdit(ctx, table, { rows: edits.length, inverse: sealed, appliedAt, expiresAt })
  ctx.http.addAuditDetail({ outcome: 'applied', ...countKinds(edits) })
  return { status: 'applied', edit_id, rows: edits.length, conflicts: [] }
}

export async function undoRowEdits(ctx: WorkspaceCtx, table: TableKey, id: string): Promise<RowEditsResult> {
  const storedEdit = await findRowEdit(ctx, table, { id, now: ctx.clock.now() })
  if (!storedEdit) throw new AppError('not_found', 'There is no such change, or it can not be undone any more.')
  const inverse = JSON.parse(await ctx.ports.secrets.open(ctx, toSecretPlace(ctx), storedEdit.inverse)) as RowEdit[]
  const result = await applyRowEdits(ctx, table, inverse)
  if (result.status === 'applied') await markUndone(ctx, storedEdit.id, ctx.clock.now())
  return result
}

function assertEditable({ problem }: EditableTable): void {
  if (problem !== null) throw new AppError('conflict', problem)
}

function countKinds(edits: readonly RowEdit[]): Record<string, string> {
  const count = (kind: RowEdit['kind']) => String(edits.filter((edit) => edit.kind === kind).length)
  return { inserted: count('insert'), updated: count('update'), deleted: count('delete') }
}

function nameRow(error: unknown): never {
  if (!(error instanceof RowEditError)) throw error
  const column = error.column === null ? '' : `/${error.column.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const hint = error.hint === undefined ? '' : ` ${error.hint}`
  throw new AppError('statement_failed', `${error.message}${hint}`, {
    source: { pointer: `/edits/${error.edit}${column}` },
    cause: error,
  })
}
